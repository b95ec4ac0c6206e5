import { Deadline } from './deadline.js';
import { type ReceivedEmail, receivedEmail } from './email.js';
import {
  MayflyAuthError,
  MayflyError,
  MayflyNetworkError,
  MayflyRateLimitError,
  MayflyResponseError,
} from './errors.js';
import { EventParser } from './events.js';
import type { Settings } from './settings.js';
import type { Email, ErrorResponse, InboxResponse } from './wire.js';

/** How long a list may take. */
const LIST_TIMEOUT_MS = 15_000;

/** How long a stream may take to its first bytes. Mayfly sends them at once, so later ones are held up by something between. */
const FIRST_BYTES_TIMEOUT_MS = 2_000;

/** How long a stream may be silent after that. Mayfly sends a keepalive every 10 s (interface section 6). */
const SILENCE_TIMEOUT_MS = 15_000;

/** How long to wait where a 429 does not say it, and at the least and at the most where it does. */
const STANDARD_RETRY_MS = 1_000;
const LEAST_RETRY_MS = 100;
const MOST_RETRY_MS = 3_600_000;

/** How much of an answer that is not Mayfly's own goes into an error. */
const MAX_QUOTE_LENGTH = 200;

/** What a request asks for: parameters of the query. */
export type Query = Readonly<Record<string, string>>;

/** The HTTP interface of one Mayfly. Every request ends when its signal is aborted, and rejects then with anything. */
export class Transport {
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** The emails of an inbox, newest first. Rejects with a `MayflyError`. */
  list(inbox: string, query: Query, signal: AbortSignal): Promise<ReceivedEmail[]> {
    return this.#attempt(LIST_TIMEOUT_MS, signal, async (attempt) => {
      const response = await this.#get(inbox, { ...query, source: 'sdk' }, 'application/json', attempt.signal);
      const body = (await response.json()) as InboxResponse | null;
      if (!Array.isArray(body?.emails)) throw this.#foreign(response.status, 'something other than an inbox.');
      return body.emails.map(receivedEmail);
    });
  }

  /** Opens a stream. Resolves to the email that ends it, or to null when none came in its time. Rejects with a `MayflyError`. */
  next(inbox: string, query: Query, signal: AbortSignal): Promise<ReceivedEmail | null> {
    return this.#attempt(FIRST_BYTES_TIMEOUT_MS, signal, async (attempt) => {
      const response = await this.#get(`${inbox}/stream`, query, 'text/event-stream', attempt.signal);
      const parser = new EventParser();
      const reader = response.body?.getReader();
      for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
        attempt.postpone(SILENCE_TIMEOUT_MS);
        const [event] = parser.push(read.value);
        if (event === '__timeout__') return null;
        if (event !== undefined) return receivedEmail(JSON.parse(event) as Email);
      }
      throw new Error('the stream ended early');
    });
  }

  /** Runs one request in a time of its own, frees its connection, and rejects with a `MayflyError` alone. */
  async #attempt<T>(timeoutMs: number, signal: AbortSignal, run: (attempt: Deadline) => Promise<T>): Promise<T> {
    const { baseUrl } = this.#settings;
    const attempt = new Deadline(timeoutMs, signal);
    try {
      return await run(attempt);
    } catch (cause) {
      if (cause instanceof MayflyError) throw cause;
      const saw = attempt.isOver ? 'no answer in time' : reasonOf(cause);
      const message = `Mayfly at ${baseUrl} cannot be reached: ${saw}. Is it running there? See baseUrl and MAYFLY_URL.`;
      throw new MayflyNetworkError(message, baseUrl, { cause });
    } finally {
      attempt.end();
    }
  }

  async #get(path: string, query: Query, type: string, signal: AbortSignal): Promise<Response> {
    const { baseUrl, workspace, fetch } = this.#settings;
    const headers: Record<string, string> = { accept: type };
    if (workspace !== null) headers.authorization = `Bearer ${workspace.key}`;
    const response = await fetch(`${baseUrl}/api/inbox/${path}?${new URLSearchParams(query)}`, { headers, signal });
    if (response.ok && response.headers.get('content-type')?.startsWith(type)) return response;
    throw await this.#errorOf(response);
  }

  async #errorOf(response: Response): Promise<MayflyResponseError> {
    const { status } = response;
    const quote = errorText(await response.text());
    if (response.ok || status === 404) return this.#foreign(status, quote);
    const message = `Mayfly at ${this.#settings.baseUrl} answered ${status}: ${quote}`;
    if (status === 401) return new MayflyAuthError(`${message} See apiKey and MAYFLY_API_KEY.`, status);
    if (status === 429) return new MayflyRateLimitError(message, status, retryAfterMs(response));
    return new MayflyResponseError(message, status);
  }

  /** What to say to an answer that hardly comes from Mayfly. */
  #foreign(status: number, quote: string): MayflyResponseError {
    const { baseUrl } = this.#settings;
    const message = `${baseUrl} answered ${status}: ${quote} Is this Mayfly? See baseUrl and MAYFLY_URL.`;
    return new MayflyResponseError(message, status);
  }
}

/** The sentence of an ErrorResponse, or the beginning of whatever else was answered. */
function errorText(body: string): string {
  try {
    return (JSON.parse(body) as ErrorResponse).error ?? body.slice(0, MAX_QUOTE_LENGTH);
  } catch {
    return body.slice(0, MAX_QUOTE_LENGTH);
  }
}

/** `Retry-After` in whole seconds (RFC 9110 section 10.2.3), as Mayfly gives it. */
function retryAfterMs(response: Response): number {
  const askedMs = Number(response.headers.get('retry-after')) * 1000 || STANDARD_RETRY_MS;
  return Math.min(Math.max(askedMs, LEAST_RETRY_MS), MOST_RETRY_MS);
}

/** What went wrong, in the words of the platform: Node hides them in the cause, and for a name with several addresses one deeper. */
function reasonOf(error: unknown): string {
  const { cause, errors, message, code } = error as Partial<AggregateError> & { cause?: unknown; code?: string };
  const [inner] = [cause, ...(errors ?? [])].filter(Boolean);
  return inner ? reasonOf(inner) : message || code || String(error);
}
