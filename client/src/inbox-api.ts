import { MayflyResponseError } from './errors.js';
import { parsed, type Query, type Target, type Transport } from './transport.js';
import type { Email, EmailParts, EmailSummary, Explanation } from './wire.js';

/** Which emails of an inbox the server is to give (D9). */
export interface SelectionQuery {
  /** Only emails with a later `receivedAt`. */
  readonly after?: string | undefined;
  /** A part of the sender's address, whatever the case. */
  readonly from?: string | undefined;
  /** A part of the subject, whatever the case. */
  readonly subject?: string | undefined;
  /** A part of the body, whatever the case. */
  readonly body?: string | undefined;
  readonly hasOtp?: boolean | undefined;
  readonly hasMagicLink?: boolean | undefined;
}

/** Which page of the summaries. */
export interface SummaryQuery extends SelectionQuery {
  /** At most so many, the newest ones; all when left out. */
  readonly limit?: number | undefined;
  /** Only emails with an earlier `receivedAt`: that of the last one of the page before. */
  readonly before?: string | undefined;
}

/** As what a client identifies itself (interface section 4.1). */
export type Source = 'browser' | 'sdk';

/**
 * The operations on one inbox as they travel, one request each: nothing is tried again. Each rejects with a
 * `MayflyError`, and with anything when its signal is aborted. Operations on one email reject with `MayflyGoneError`
 * when the inbox has no such email.
 */
export class InboxApi {
  protected readonly transport: Transport;
  readonly #path: string;
  readonly #source: Source;

  constructor(transport: Transport, name: string, source: Source) {
    this.transport = transport;
    this.#path = `/api/inbox/${name}`;
    this.#source = source;
  }

  /** The emails, newest first, each with its whole message. This is the fetch that is limited to 20 in 10 s. */
  emails(query?: SelectionQuery, signal?: AbortSignal): Promise<Email[]> {
    return this.#list('', query, signal);
  }

  /** What a list shows of each email, newest first: 1 KB each at most. */
  summaries(query?: SummaryQuery, signal?: AbortSignal): Promise<EmailSummary[]> {
    return this.#list('/summary', query, signal);
  }

  /** Waits for the newest email, or the next one to come: null when there is none within 30 s. */
  async next(query?: SelectionQuery, signal?: AbortSignal): Promise<Email | null> {
    const data = await this.transport.event(this.at('/stream', signal, { ...query }));
    if (data === '__timeout__') return null;
    const email = parsed<Email>(data);
    if (typeof email?.rawBody === 'string' && Number.isInteger(Date.parse(email.receivedAt))) return email;
    throw new MayflyResponseError('The stream is not one of Mayfly.', { status: 200 });
  }

  /** One email with its whole message. */
  email(receivedAt: string, signal?: AbortSignal): Promise<Email> {
    return this.transport.json<Email>(this.at(`/${receivedAt}`, signal));
  }

  /** What its message holds beyond the fields of the email. */
  parts(receivedAt: string, signal?: AbortSignal): Promise<EmailParts> {
    return this.transport.json<EmailParts>(this.at(`/${receivedAt}/parts`, signal));
  }

  /** The content of one part, decoded, by its path such as `1.2`. */
  part(receivedAt: string, path: string, signal?: AbortSignal): Promise<Blob> {
    return this.transport.blob(this.at(`/${receivedAt}/parts/${path}`, signal));
  }

  /** How its code and its link were chosen. */
  explanation(receivedAt: string, signal?: AbortSignal): Promise<Explanation> {
    return this.transport.json<Explanation>(this.at(`/${receivedAt}/explain`, signal));
  }

  /** Deletes one email. */
  delete(receivedAt: string, signal?: AbortSignal): Promise<void> {
    return this.transport.delete(this.at(`/${receivedAt}`, signal));
  }

  /** Deletes all emails that are there. */
  clear(signal?: AbortSignal): Promise<void> {
    return this.transport.delete(this.at('', signal));
  }

  async #list<T>(path: string, query?: SummaryQuery, signal?: AbortSignal): Promise<T[]> {
    const target = this.at(path, signal, { ...query, source: this.#source });
    return (await this.transport.json<{ emails: T[] }>(target, ({ emails }) => Array.isArray(emails))).emails;
  }

  /** Where an operation on the inbox is. */
  protected at(path: string, signal?: AbortSignal, query?: Query): Target {
    return { path: this.#path + path, query, signal };
  }
}
