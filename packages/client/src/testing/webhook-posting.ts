import { MayflyError, MayflyNetworkError, MayflyOptionError } from '../wait/errors.js';
import { basicAuth, beginningOf, type Credentials, withoutCredentials } from '../wait/http.js';
import { aDate, aFlag, aSignal, aText, aTime, checkOptions, oneOf, type Rule, rule } from '../wait/settings.js';
import { oneFetch, reasonOf } from '../wait/transport.js';
import type { Signing, WebhookPost } from './webhook-event.js';

export type WebhookSignatureFault = 'wrong' | 'stale' | 'replayed';

/** Faults of a post to simulate. */
export interface WebhookFaults {
  /** `wrong`: another secret or password. `stale`: valid but an hour old. `replayed`: the same post is sent twice. */
  readonly signature?: WebhookSignatureFault | undefined;
  /** Posts twice, each time with a new signature, as a provider does when a response is lost. */
  readonly twice?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Details of one report, and faults to simulate. */
export interface WebhookReportOptions extends WebhookFaults {
  /** Time of the event; now by default. */
  readonly at?: Date | undefined;
  /** The provider's ID of the message; by default the ID from the send API. */
  readonly id?: string | undefined;
}

export interface WebhookAnswer<Body = string> {
  readonly status: number;
  /** Whether the status is 200 to 299. Otherwise a provider would retry, and eventually give up. */
  readonly ok: boolean;
  /** The start of the response body, at most 4 KiB. */
  readonly body: string;
  readonly post: WebhookPost<Body>;
}

/** Where a provider's posts go, and how they are signed. */
export interface PostingOptions<Provider extends string> {
  readonly as: Provider;
  /** The application's address for these posts. A user and password in it are sent as HTTP Basic. */
  readonly url: string;
  /** The provider's signing secret. Optional for SendGrid; Postmark and Cloudflare have none. */
  readonly secret?: string | undefined;
  /** Timeout for the response, in milliseconds; 10 s by default. */
  readonly timeout?: number | undefined;
}

const POST_TIMEOUT_MS = 10_000;
const MAX_BODY_BYTES = 4_096;

/** Age of a stale signature: an hour. Svix accepts signatures that are up to five minutes old. */
const STALE_MS = 3_600_000;
const FAULTS: readonly WebhookSignatureFault[] = ['wrong', 'stale', 'replayed'];

const aName = rule('a non-empty string', (value) => aText.allows(value) && value !== '');

export const FAULT_RULES = { signature: oneOf(FAULTS), twice: aFlag, signal: aSignal };
export const REPORT_RULES = { ...FAULT_RULES, at: aDate, id: aName };

/** Providers that sign nothing. */
const UNSIGNED: Readonly<Record<string, string>> = { postmark: 'Postmark', cloudflare: 'Cloudflare' };

export interface Posting extends Credentials {
  /** The address without user and password, because `fetch()` rejects those in a URL. */
  readonly url: string;
  readonly timeout: number;
  readonly secret: string | undefined;
  /** The provider's name if it signs nothing. */
  readonly unsigned: string | undefined;
}

/** Throws `MayflyOptionError` for options that are not valid. `rules` are those of further options. */
export function postingOf<Provider extends string>(
  call: string,
  options: PostingOptions<Provider>,
  providers: readonly string[],
  rules: Readonly<Record<string, Rule>> = {},
): Posting {
  const as = oneOf(providers);
  checkOptions(call, options, { ...rules, as, url: aText, secret: aText, timeout: aTime });
  const { as: provider, url, secret, timeout = POST_TIMEOUT_MS } = options;
  if (provider === undefined) throw new MayflyOptionError(`${call} needs "as": ${as.text}.`);
  const unsigned = UNSIGNED[provider];
  if (unsigned !== undefined && secret !== undefined) {
    throw new MayflyOptionError(
      `${call}: ${unsigned} does not sign its requests and has no secret. Put a user and password into the url: http://user:password@…`,
    );
  }
  return { ...addressOf(url, call), timeout, secret, unsigned };
}

type Write<Body> = (signing: Signing) => Promise<WebhookPost<Body>>;

/** Posts what `prepare` resolves to, with the given faults. Resolves to the response to the last post. */
export async function postWith<Body extends string | Uint8Array>(
  call: string,
  posting: Posting,
  faults: WebhookFaults,
  prepare: (deadline: AbortSignal) => Promise<Write<Body>>,
): Promise<WebhookAnswer<Body>> {
  checkFaults(faults, posting);
  const { url, timeout } = posting;
  const { signature, twice, signal } = faults;
  const time = AbortSignal.timeout(timeout);
  const deadline = AbortSignal.any([time, ...(signal ? [signal] : [])]);
  const failed = (who: string, cause: unknown) => {
    signal?.throwIfAborted();
    if (cause instanceof MayflyError) throw cause;
    const what = time.aborted ? `did not answer within ${timeout} ms` : `cannot be reached: ${reasonOf(cause)}`;
    throw new MayflyNetworkError(`${who} ${what}.`, { baseUrl: url }, { cause });
  };
  const isWrong = signature === 'wrong';
  const send = (post: WebhookPost<Body>) =>
    posted(posting, post, isWrong, deadline).catch((cause) => failed(`The application at ${url}`, cause));
  const write = await prepare(deadline).catch((cause) => failed('The Mayfly that has the email', cause));
  const written = (ageMs = 0) => write({ at: new Date(Date.now() - ageMs), isWrong });

  const post = await written(signature === 'stale' ? STALE_MS : 0);
  const first = await send(post);
  if (!twice && signature !== 'replayed') return first;
  if (first.ok) return send(twice ? await written() : post);
  throw new MayflyError(
    `${call}(): the application answered the first request with ${first.status}, so a second one would prove nothing. The response: ${first.body}`,
  );
}

function addressOf(url: string, call: string) {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) {
    throw new MayflyOptionError(
      `${call} needs the http or https url of the application, such as http://127.0.0.1:3000/webhooks.`,
    );
  }
  const { href, username, password } = parsed;
  return { url: withoutCredentials(href), username, password };
}

/** Throws `MayflyOptionError` for a fault that a post cannot have. */
function checkFaults({ signature, twice = false }: WebhookFaults, posting: Posting): void {
  const { unsigned, secret, username, password } = posting;
  if (twice && signature !== undefined) {
    throw new MayflyOptionError('With "twice", both requests have valid signatures: omit "signature".');
  }
  if (signature === undefined || signature === 'replayed') return;
  if (unsigned !== undefined && signature === 'stale') {
    throw new MayflyOptionError(`${unsigned} does not sign its requests, so none can have a stale signature.`);
  }
  const hasPassword = `${username}${password}` !== '';
  if (unsigned !== undefined && !hasPassword) {
    throw new MayflyOptionError(`${unsigned} does not sign requests. For "wrong", put user and password into the url.`);
  }
  // Only SendGrid may have a secret or none.
  if (unsigned === undefined && secret === undefined && !(hasPassword && signature === 'wrong')) {
    throw new MayflyOptionError('Without a secret, SendGrid requests have no signature that can be wrong or stale.');
  }
}

async function posted<Body extends string | Uint8Array>(
  { url, username, password }: Posting,
  post: WebhookPost<Body>,
  isWrong: boolean,
  deadline: AbortSignal,
): Promise<WebhookAnswer<Body>> {
  const credentials = { username, password: isWrong ? `not-${password}` : password };
  const own = username || password ? basicAuth(credentials) : {};
  const headers = new Headers({ 'content-type': 'application/json', ...post.headers, ...own });
  // Providers do not follow redirects, so a redirect is the final response.
  const request = { method: 'POST', headers, body: post.body as string, redirect: 'manual' } as const;
  const address = new URL(url);
  for (const [name, value] of Object.entries(post.query ?? {})) address.searchParams.append(name, value);
  const response = await oneFetch(address.href, request, deadline);
  const { text: body, failure } = await beginningOf(response, MAX_BODY_BYTES);
  if (failure) throw failure;
  const { status, ok } = response;
  return { status, ok, body, post: { ...post, headers: Object.fromEntries(headers) } };
}
