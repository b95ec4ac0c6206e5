import type { Email, EmailParts, EmailSummary, ReleaseResponse } from 'mayfly-protocol/wire';
import type { InboxAttempts, InboxWaitFilter } from 'mayfly-protocol/wire-attempts';
import { MAX_MESSAGES_BYTES } from './bounds.js';
import { parsed } from './text.js';
import type { Query, Target, Transport } from './transport.js';

/** Selects emails on the server (D9): texts match substrings, ignoring case; `after` requires a later `receivedAt`. */
export type SelectionQuery = { readonly [K in keyof InboxWaitFilter]: InboxWaitFilter[K] | undefined };

export interface SummaryQuery extends SelectionQuery {
  /** Maximum number of emails, newest first; all by default. */
  readonly limit?: number | undefined;
  /** Only emails with an earlier `receivedAt`. For the next page, pass the `receivedAt` of the last email. */
  readonly before?: string | undefined;
}

/** The `source` that a client sends (interface section 4.1). */
export type Source = 'browser' | 'sdk';

/** The requests that an `InboxApi` needs, except for `next`. */
export type Requests = Pick<Transport, 'urlOf' | 'json' | 'chunks' | 'delete'>;

/** Operations on one inbox, one request each. Those on one email reject with `MayflyGoneError` if it is gone. */
export class InboxApi<T extends Requests = Transport> {
  readonly transport: T;
  source: Source = 'sdk';
  readonly #path: string;
  readonly secret: string | null;

  /** `inbox` is the whole address, or a name in the service's first domain. */
  constructor(transport: T, inbox: string, secret: string | null) {
    this.transport = transport;
    this.secret = secret;
    this.#path = `/api/inbox/${encodeURI(inbox)}`;
  }

  /** Fetches the emails with their messages, newest first. The service allows 20 fetches in 10 s. */
  emails(query?: SelectionQuery, signal?: AbortSignal): Promise<Email[]> {
    return this.#list<Email>(this.ofMessage('', signal, { ...query, source: this.source }), isEmail);
  }

  /** Summaries of the emails, newest first, at most 1 KB each. */
  summaries(query?: SummaryQuery, signal?: AbortSignal): Promise<EmailSummary[]> {
    return this.#list<EmailSummary>(this.at('/summary', signal, { ...query, source: this.source }), isSummary);
  }

  /** The newest email, or the next to arrive; null after 30 s. Rejects if the response has the wrong shape. */
  next(
    this: InboxApi,
    query?: SelectionQuery & { readonly source?: Source },
    signal?: AbortSignal,
    isPlausible: (email: Email | null) => boolean = () => true,
  ): Promise<Email | null> {
    return this.transport.event(this.at('/stream', signal, query as Query), (data) => {
      const isOver = data === '__timeout__';
      const email = isOver ? null : (parsed(data) as Email);
      return (isOver || isEmail(email)) && isPlausible(email) ? email : undefined;
    });
  }

  email(receivedAt: string, signal?: AbortSignal): Promise<Email> {
    return this.transport.json<Email>(this.ofMessage(`/${receivedAt}`, signal), isEmail);
  }

  parts(receivedAt: string, signal?: AbortSignal): Promise<EmailParts> {
    return this.transport.json<EmailParts>(this.ofMessage(`/${receivedAt}/parts`, signal), areParts);
  }

  partChunks(receivedAt: string, path: string, signal?: AbortSignal): Promise<Uint8Array[]> {
    return this.transport.chunks(this.ofMessage(`/${receivedAt}/parts/${path}`, signal));
  }

  attempts(signal?: AbortSignal, query?: { readonly outcome?: 'failed' }): Promise<InboxAttempts> {
    return this.transport.json(this.at('/attempts', signal, query), ({ attempts }: InboxAttempts) =>
      haveTexts(attempts, 'at'),
    );
  }

  delete(receivedAt: string, signal?: AbortSignal): Promise<void> {
    return this.transport.delete(this.at(`/${receivedAt}`, signal));
  }

  clear(signal?: AbortSignal): Promise<void> {
    return this.transport.delete(this.at('', signal));
  }

  release(order: string | undefined, signal?: AbortSignal): Promise<ReleaseResponse> {
    const target = { ...this.at('/release', signal, { order }), method: 'POST' };
    return this.transport.json<ReleaseResponse>(target, ({ released }) => Number.isInteger(released));
  }

  async #list<T>(target: Target, isRight: (one: T) => boolean): Promise<T[]> {
    return (await this.transport.json<{ emails: T[] }>(target, ({ emails }) => emails?.every?.(isRight))).emails;
  }

  ofMessage(path: string, signal?: AbortSignal, query?: Query): Target {
    return { ...this.at(path, signal, query), most: MAX_MESSAGES_BYTES };
  }

  protected at(path: string, signal?: AbortSignal, query?: Query): Target {
    return { path: this.#path + path, query, signal, key: this.secret };
  }
}

/** Whether a value is a list of objects with these text fields. A server other than Mayfly may send anything. */
export function haveTexts(list: readonly unknown[], ...names: string[]): boolean {
  return list?.every?.(
    (one) => one && names.every((name) => typeof (one as Record<string, unknown>)[name] === 'string'),
  );
}

export function isEmail(email: Email | null): boolean {
  return haveTexts([email], 'from', 'body', 'rawBody') && isSummary(email as Email);
}

export function isSummary(email: Pick<EmailSummary, 'receivedAt'> & Partial<EmailSummary>): boolean {
  const isWhole = haveTexts([email], 'subject', 'receivedAt') && haveTexts(email.cut ?? []);
  return isWhole && Date.parse(email.receivedAt) >= 0;
}

function areParts({ codes, links, headers, parts }: EmailParts): boolean {
  return haveTexts(codes, 'value') && haveTexts(links, 'text', 'url') && haveTexts(headers) && haveTexts(parts);
}
