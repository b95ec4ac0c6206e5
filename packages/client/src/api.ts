import type { Email, EmailParts, Explanation, ImportResponse, ServiceSettings } from 'mayfly-protocol/wire';
import type { CheckedFeature, EmailCheck } from 'mayfly-protocol/wire-check';
import type { RunResponse } from 'mayfly-protocol/wire-runs';
import { MAX_MESSAGES_BYTES } from './wait/bounds.js';
import { explanation } from './wait/contents.js';
import { errorOf, noAnswer } from './wait/error-answer.js';
import { haveTexts, InboxApi, isEmail, type Requests, type SelectionQuery, type Source } from './wait/inbox-api.js';
import { checkedInbox, newName } from './wait/names.js';
import { newPrivateName } from './wait/secrets.js';
import { type MayflyOptions, readSettings } from './wait/settings.js';
import { Transport } from './wait/transport.js';

export type { InboxApi, Requests, SelectionQuery, Source, SummaryQuery } from './wait/inbox-api.js';
export { isSummary } from './wait/inbox-api.js';
export type { Target } from './wait/transport.js';
export { checkedInbox, newName, newPrivateName, readSettings };

/** The operations on one inbox, plus those that only the web UI needs. */
export class PageApi<T extends Requests = Transport> extends InboxApi<T> {
  override next(this: PageApi, query?: SelectionQuery, signal?: AbortSignal): Promise<Email | null> {
    return super.next({ ...query, source: this.source }, signal);
  }

  override email(receivedAt: string, signal?: AbortSignal): Promise<Email> {
    return this.transport.json<Email>(this.ofMessage(`/${receivedAt}`, signal, { source: this.source }), isEmail);
  }

  override parts(receivedAt: string, signal?: AbortSignal): Promise<EmailParts> {
    return this.transport.json<EmailParts>(this.ofMessage(`/${receivedAt}/parts`, signal), areParts);
  }

  /** URL of a part's content, to use as a link. Such a link carries no key, so it fails for an inbox of a workspace. */
  partUrl(receivedAt: string, path: string): string {
    return this.transport.urlOf(this.at(`/${receivedAt}/parts/${path}`));
  }

  explanation(receivedAt: string, signal?: AbortSignal): Promise<Explanation> {
    return explanation(this, receivedAt, signal);
  }

  check(receivedAt: string, signal?: AbortSignal): Promise<EmailCheck> {
    return this.transport.json(this.ofMessage(`/${receivedAt}/check`, signal), isCheck);
  }

  /** Fetches the decoded content of one part. `path` is the number of the part, such as `1.2`. */
  async part(receivedAt: string, path: string, signal?: AbortSignal): Promise<Blob> {
    return blobOf(await this.partChunks(receivedAt, path, signal));
  }

  /** Stores a message in the inbox, as if it had just arrived. `file` names the file that the message is from. */
  import(message: Uint8Array, file: string, signal?: AbortSignal): Promise<ImportResponse> {
    const target = { ...this.at('/import', signal, { file: file || undefined }), method: 'POST', body: message };
    return this.transport.json<ImportResponse>(target, ({ receivedAt }) => Date.parse(receivedAt) >= 0);
  }

  async message(receivedAt: string, signal?: AbortSignal): Promise<Blob> {
    return blobOf(await this.transport.chunks(this.ofMessage(`/${receivedAt}/raw`, signal)));
  }
}

/** Checks everything that the web UI shows, because rendering a value of another type throws. */
function areParts({ envelope, sendApi, headers, parts, links, codes, ...rest }: EmailParts): boolean {
  const { from, to, cc, replyTo, text, html, incomplete } = rest;
  const names = parts.map(({ filename }) => filename ?? '');
  return (
    [from, to, cc, replyTo].every((people) => haveTexts(people, 'name', 'address')) &&
    [incomplete, names, [text ?? '', html ?? '']].every(areTexts) &&
    (sendApi === null || (haveTexts([sendApi], 'provider', 'request') && areTexts(sendApi.notes))) &&
    haveTexts([envelope], 'from', 'to') &&
    haveTexts(headers, 'name', 'value', 'raw') &&
    haveTexts(parts, 'path', 'type') &&
    haveTexts(codes, 'value') &&
    haveTexts(links, 'url', 'text') &&
    links.every(({ reasons }) => haveTexts(reasons, 'text'))
  );
}

function isCheck({ images, clients, features, unsubscribe }: EmailCheck): boolean {
  const isWhole = areTexts(images?.sources) && (unsubscribe === null || areTexts(unsubscribe?.urls));
  const isFeature = ({ partial, unsupported }: CheckedFeature) => areTexts(partial) && areTexts(unsupported);
  return isWhole && haveTexts(clients, 'family') && haveTexts(features, 'name', 'url') && features.every(isFeature);
}

function areTexts(list: readonly unknown[]): boolean {
  return list?.every?.((one) => typeof one === 'string');
}

/** The parameter is not `Uint8Array<ArrayBuffer>[]`, because TypeScript before 5.7 does not know that type. */
function blobOf(chunks: Uint8Array[]): Blob {
  return new Blob(chunks as Uint8Array<ArrayBuffer>[]);
}

/** The operations on one inbox, without waits and retries. Throws `MayflyOptionError` for an invalid option. */
export function inboxApi(
  inbox: string,
  options: MayflyOptions = {},
  source: Source = 'sdk',
  secret: string | null = null,
): PageApi {
  return Object.assign(new PageApi(transportOf(options), checkedInbox(inbox), secret), { source });
}

/** The public settings of a service. Sends one request, without retries. */
export function serviceSettings(options: MayflyOptions = {}, signal?: AbortSignal): Promise<ServiceSettings> {
  return transportOf(options).json({ path: '/api/settings', signal }, ({ domains }: ServiceSettings) =>
    areTexts(domains),
  );
}

/** Fetches a page of a run's tests. `from` is 0 for the first page, then the `next` of the previous page. */
export function runPage(
  secret: string,
  from: number,
  options: MayflyOptions = {},
  signal?: AbortSignal,
): Promise<RunResponse> {
  const target = { path: `/api/run/${encodeURIComponent(secret)}`, query: { from }, signal, most: MAX_MESSAGES_BYTES };
  // A page whose `next` does not advance would make the caller loop forever.
  const goesOn = (next: number | null, count: number) => next === null || (count > 0 && next === from + count);
  const isPage = ({ tests, next }: RunResponse) => Array.isArray(tests) && goesOn(next, tests.length);
  return transportOf(options).json(target, isPage);
}

/** Bundles the code for errors, because an open page can no longer load old chunks after an update of the service. */
function transportOf(options: MayflyOptions): Transport {
  return new Transport(readSettings(options), async () => ({ errorOf, noAnswer }));
}
