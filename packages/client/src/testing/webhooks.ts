import { MayflyError, MayflyNetworkError, MayflyOptionError } from '../wait/errors.js';
import { basicAuth, beginningOf, type Credentials, withoutCredentials } from '../wait/http.js';
import { aDate, aFlag, aSignal, aText, aTime, checkOptions, oneOf, rule } from '../wait/settings.js';
import { oneFetch, reasonOf } from '../wait/transport.js';
import {
  reportedMail,
  type WebhookEmail,
  type WebhookEvent,
  type WebhookKind,
  type WebhookPost,
  type WebhookProviderName,
  type WebhookWriter,
} from './webhook-event.js';
import { type SendgridKeys, sendgridKeys, sendgridWriter } from './webhook-sendgrid.js';
import { mailgunWriter, postmarkWriter, resendWriter } from './webhook-writers.js';

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

export type WebhookSignatureFault = 'wrong' | 'stale' | 'replayed';

/** Details of one report, and faults to simulate. */
export interface WebhookReportOptions {
  /** `wrong`: another secret or password. `stale`: valid but an hour old. `replayed`: the same post is sent twice. */
  readonly signature?: WebhookSignatureFault | undefined;
  /** Posts the event twice, each time with a new signature, as a provider does when a response is lost. */
  readonly twice?: boolean | undefined;
  /** Time of the event; now by default. */
  readonly at?: Date | undefined;
  /** The provider's ID of the email; by default the ID from the send API. */
  readonly id?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface WebhookClickOptions extends WebhookReportOptions {
  /** The clicked link; by default the magic link of the email. */
  readonly link?: string | undefined;
}

export interface WebhookAnswer {
  readonly status: number;
  /** Whether the status is 200 to 299. Otherwise a provider would retry, and eventually give up. */
  readonly ok: boolean;
  /** The start of the response body, at most 4 KiB. */
  readonly body: string;
  readonly post: WebhookPost;
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

const TIMEOUT_MS = 10_000;
const MAX_BODY_BYTES = 4_096;

/** Age of a stale signature: an hour. Svix accepts signatures that are up to five minutes old. */
const STALE_MS = 3_600_000;
const FAULTS: readonly WebhookSignatureFault[] = ['wrong', 'stale', 'replayed'];

const aName = rule('a non-empty string', (value) => aText.allows(value) && value !== '');

const REPORT_RULES = { signature: oneOf(FAULTS), twice: aFlag, at: aDate, id: aName, signal: aSignal };

/** Posts a provider's reports to an application, from the test process. */
export function webhooks(options: WebhooksOptions): Webhooks {
  const aProvider = oneOf(Object.keys(WRITERS));
  if ((options as { as?: unknown })?.as === 'ses') {
    throw new MayflyOptionError(
      "webhooks(): SES reports through SNS, and only Amazon can sign requests of SNS. Pass the notification's content to your own function instead.",
    );
  }
  checkOptions('webhooks()', options, { as: aProvider, url: aText, secret: aText, timeout: aTime });
  const { as, url, secret, timeout = TIMEOUT_MS } = options;
  if (as === undefined) throw new MayflyOptionError(`webhooks() needs "as": ${aProvider.text}.`);
  const to = address(url);
  const write = WRITERS[as](secret);

  const report =
    (kind: WebhookKind) =>
    async (email: WebhookEmail, options: WebhookClickOptions = {}): Promise<WebhookAnswer> => {
      const { signature, twice, id, signal, at, link } = checkedReport(kind, email, options);
      checkFaults(options.signature, twice, as, secret, to);
      const time = AbortSignal.timeout(timeout);
      const deadline = AbortSignal.any([time, ...(signal ? [signal] : [])]);
      const failed = (who: string, cause: unknown) => {
        signal?.throwIfAborted();
        if (cause instanceof MayflyError) throw cause;
        const what = time.aborted ? `did not answer within ${timeout} ms` : `cannot be reached: ${reasonOf(cause)}`;
        throw new MayflyNetworkError(`${who} ${what}.`, { baseUrl: to.url }, { cause });
      };
      const isWrong = signature === 'wrong';
      const send = (post: WebhookPost) =>
        posted(to, post, isWrong, deadline).catch((cause) => failed(`The application at ${to.url}`, cause));
      const reported = reportedMail(as, email, id, deadline);
      const mail = await reported.catch((cause) => failed('The Mayfly that has the email', cause));
      const event: WebhookEvent = { kind, at, mail, link, uuid: crypto.randomUUID() };
      const written = (ageMs = 0) => write(event, { at: new Date(Date.now() - ageMs), isWrong });

      const post = await written(signature === 'stale' ? STALE_MS : 0);
      const first = await send(post);
      if (!twice && signature !== 'replayed') return first;
      if (first.ok) return send(twice ? await written() : post);
      throw new MayflyError(
        `${kind}(): the application answered the first request with ${first.status}, so a second one would prove nothing. The response: ${first.body}`,
      );
    };
  const kinds: readonly WebhookKind[] = ['delivered', 'bounced', 'complained', 'opened', 'clicked'];
  return Object.fromEntries(kinds.map((kind) => [kind, report(kind)])) as unknown as Webhooks;
}

function checkedReport(kind: WebhookKind, email: WebhookEmail, options: WebhookClickOptions) {
  const rules = kind === 'clicked' ? { ...REPORT_RULES, link: aText } : REPORT_RULES;
  checkOptions(`${kind}()`, options, rules as typeof REPORT_RULES & { link: typeof aText });
  const names = ['id', 'from', 'to', 'subject', 'rawBody'] as const;
  const texts = names.filter((name) => typeof email?.[name] !== 'string');
  const wrong = Number.isNaN(new Date(email?.receivedAt ?? Number.NaN).getTime()) ? [...texts, 'receivedAt'] : texts;
  if (wrong.length > 0) {
    const missing = email instanceof Object ? ` The given object has no ${wrong.join(', ')}.` : '';
    throw new MayflyOptionError(`${kind}() needs an email, such as the result of inbox.waitForEmail().${missing}`);
  }
  const { twice = false, at = new Date(), link = email.magicLink } = options;
  if (kind === 'clicked' && !link) {
    throw new MayflyOptionError('clicked(): the email has no magic link. Pass the link that was followed: { link }.');
  }
  return { ...options, twice, at, link: link ?? '' };
}

/** The address to post to, without user and password, because `fetch()` rejects those in a URL. */
interface Target extends Credentials {
  readonly url: string;
}

function address(url: string): Target {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) {
    throw new MayflyOptionError(
      'webhooks() needs the http or https url of the application, such as http://127.0.0.1:3000/webhooks.',
    );
  }
  const { href, username, password } = parsed;
  return { url: withoutCredentials(href), username, password };
}

function checkFaults(
  signature: WebhookSignatureFault | undefined,
  twice: boolean,
  as: WebhookProviderName,
  secret: string | undefined,
  to: Target,
): void {
  if (twice && signature !== undefined) {
    throw new MayflyOptionError('With "twice", both reports have valid signatures: omit "signature".');
  }
  if (as === 'postmark' && signature === 'stale') {
    throw new MayflyOptionError('Postmark does not sign its requests, so none can have a stale signature.');
  }
  if (as === 'postmark' && signature === 'wrong' && `${to.username}${to.password}` === '') {
    throw new MayflyOptionError('Postmark does not sign requests. For "wrong", put user and password into the url.');
  }
  if (as === 'sendgrid' && secret === undefined && (signature === 'wrong' || signature === 'stale')) {
    throw new MayflyOptionError('Without a secret, SendGrid requests have no signature that can be wrong or stale.');
  }
}

async function posted(
  { url, username, password }: Target,
  post: WebhookPost,
  isWrong: boolean,
  deadline: AbortSignal,
): Promise<WebhookAnswer> {
  const credentials = { username, password: isWrong ? `not-${password}` : password };
  const own = username || password ? basicAuth(credentials) : {};
  const headers = new Headers({ 'content-type': 'application/json', ...post.headers, ...own });
  // Providers do not follow redirects, so a redirect is the final response.
  const request = { method: 'POST', headers, body: post.body, redirect: 'manual' } as const;
  const response = await oneFetch(url, request, deadline);
  const { text: body, failure } = await beginningOf(response, MAX_BODY_BYTES);
  if (failure) throw failure;
  const { status, ok } = response;
  return { status, ok, body, post: { ...post, headers: Object.fromEntries(headers) } };
}
