import { MayflyOptionError } from '../wait/errors.js';
import { aDate, aText, aTime, checkOptions, oneOf, rule } from '../wait/settings.js';
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
  addressOf,
  checkFaults,
  FAULT_RULES,
  POST_TIMEOUT_MS,
  postWith,
  type WebhookAnswer,
  type WebhookFaults,
  type WebhookSignatureFault,
} from './webhook-posting.js';
import { type SendgridKeys, sendgridKeys, sendgridWriter } from './webhook-sendgrid.js';
import { mailgunWriter, postmarkWriter, resendWriter } from './webhook-writers.js';

export { type TextReportOptions, type TextWebhooks, type TextWebhooksOptions, textWebhooks } from './webhook-texts.js';
export type { WebhookAnswer, WebhookFaults, WebhookSignatureFault };
export { type SendgridKeys, sendgridKeys, type WebhookEmail, type WebhookPost, type WebhookProviderName };

export interface WebhooksOptions {
  readonly as: WebhookProviderName;
  /** The application's webhook address. A user and password in it are sent as HTTP Basic. */
  readonly url: string;
  /** The provider's signing secret. Optional for SendGrid; Postmark has none. */
  readonly secret?: string | undefined;
  /** Timeout for the response, in milliseconds; 10 s by default. */
  readonly timeout?: number | undefined;
}

/** Details of one report, and faults to simulate. */
export interface WebhookReportOptions extends WebhookFaults {
  /** Time of the event; now by default. */
  readonly at?: Date | undefined;
  /** The provider's ID of the email; by default the ID from the send API. */
  readonly id?: string | undefined;
}

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

const aName = rule('a non-empty string', (value) => aText.allows(value) && value !== '');

const REPORT_RULES = { ...FAULT_RULES, at: aDate, id: aName };

/** Posts a provider's reports to an application, from the test process. */
export function webhooks(options: WebhooksOptions): Webhooks {
  const aProvider = oneOf(Object.keys(WRITERS));
  if ((options as { as?: unknown })?.as === 'ses') {
    throw new MayflyOptionError(
      "webhooks(): SES reports through SNS, and only Amazon can sign requests of SNS. Pass the notification's content to your own function instead.",
    );
  }
  checkOptions('webhooks()', options, { as: aProvider, url: aText, secret: aText, timeout: aTime });
  const { as, url, secret, timeout = POST_TIMEOUT_MS } = options;
  if (as === undefined) throw new MayflyOptionError(`webhooks() needs "as": ${aProvider.text}.`);
  const to = addressOf(url, 'webhooks()');
  const write = WRITERS[as](secret);

  const report =
    (kind: WebhookKind) =>
    async (email: WebhookEmail, options: WebhookClickOptions = {}): Promise<WebhookAnswer> => {
      const { id, at, link, ...faults } = checkedReport(kind, email, options);
      checkFaults(options, { unsigned: as === 'postmark' ? 'Postmark' : null, secret, to });
      const uuid = crypto.randomUUID();
      return postWith({ call: kind, to, timeout }, faults, async (deadline) => {
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
