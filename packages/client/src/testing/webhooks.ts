import { MayflyOptionError } from '../wait/errors.js';
import { aText, checkOptions } from '../wait/settings.js';
import {
  checkEmail,
  reportedMail,
  type WebhookEmail,
  type WebhookKind,
  type WebhookPost,
  type WebhookProviderName,
  type WebhookWriter,
} from './webhook-event.js';
import {
  type PostingOptions,
  postingOf,
  postWith,
  REPORT_RULES,
  type WebhookAnswer,
  type WebhookFaults,
  type WebhookReportOptions,
  type WebhookSignatureFault,
} from './webhook-posting.js';
import { type SendgridKeys, sendgridKeys, sendgridWriter } from './webhook-sendgrid.js';
import { mailgunWriter, postmarkWriter, resendWriter } from './webhook-writers.js';

export { type TextReportOptions, type TextWebhooks, type TextWebhooksOptions, textWebhooks } from './webhook-texts.js';
export type { WebhookAnswer, WebhookFaults, WebhookReportOptions, WebhookSignatureFault };
export { type SendgridKeys, sendgridKeys, type WebhookEmail, type WebhookPost, type WebhookProviderName };

export interface WebhooksOptions extends PostingOptions<WebhookProviderName> {}

export interface WebhookClickOptions extends WebhookReportOptions {
  /** The clicked link; by default the magic link of the email. */
  readonly link?: string | undefined;
}

/** Posts reports about emails, as a provider does. Each call resolves to the response to its last post. */
export interface Webhooks {
  delivered(email: WebhookEmail, options?: WebhookReportOptions): Promise<WebhookAnswer>;
  /** The receiving server rejected the email permanently. */
  bounced(email: WebhookEmail, options?: WebhookReportOptions): Promise<WebhookAnswer>;
  complained(email: WebhookEmail, options?: WebhookReportOptions): Promise<WebhookAnswer>;
  opened(email: WebhookEmail, options?: WebhookReportOptions): Promise<WebhookAnswer>;
  clicked(email: WebhookEmail, options?: WebhookClickOptions): Promise<WebhookAnswer>;
}

const WRITERS: Readonly<Record<WebhookProviderName, (secret: string | undefined) => WebhookWriter>> = {
  resend: resendWriter,
  sendgrid: sendgridWriter,
  mailgun: mailgunWriter,
  postmark: postmarkWriter,
};

/** Posts a provider's reports to an application, from the test process. */
export function webhooks(options: WebhooksOptions): Webhooks {
  if ((options as { as?: unknown })?.as === 'ses') {
    throw new MayflyOptionError(
      "webhooks(): SES reports through SNS, and only Amazon can sign requests of SNS. Pass the notification's content to your own function instead.",
    );
  }
  const posting = postingOf('webhooks()', options, Object.keys(WRITERS));
  const { as, secret } = options;
  const write = WRITERS[as](secret);

  const report =
    (kind: WebhookKind) =>
    async (email: WebhookEmail, options: WebhookClickOptions = {}): Promise<WebhookAnswer> => {
      const { id, at, link, ...faults } = checkedReport(kind, email, options);
      const uuid = crypto.randomUUID();
      return postWith(kind, posting, faults, async (deadline) => {
        const mail = await reportedMail(as, email, id, deadline);
        return (signing) => write({ kind, at, mail, link, uuid }, signing);
      });
    };
  const kinds: readonly WebhookKind[] = ['delivered', 'bounced', 'complained', 'opened', 'clicked'];
  return Object.fromEntries(kinds.map((kind) => [kind, report(kind)])) as unknown as Webhooks;
}

function checkedReport(kind: WebhookKind, email: WebhookEmail, options: WebhookClickOptions) {
  const rules = kind === 'clicked' ? { ...REPORT_RULES, link: aText } : REPORT_RULES;
  checkOptions(`${kind}()`, options, rules as typeof REPORT_RULES & { link: typeof aText });
  checkEmail(kind, email);
  const { at = new Date(), link = email.magicLink } = options;
  if (kind === 'clicked' && !link) {
    throw new MayflyOptionError('clicked(): the email has no magic link. Pass the link that was followed: { link }.');
  }
  return { ...options, at, link: link ?? '' };
}
