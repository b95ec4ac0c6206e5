import { MAX_SERVICES, MAX_WAIT_MS } from './bounds.js';
import { Deadline, loaded, rejectAborted } from './deadline.js';
import type { Unreached } from './error-answer.js';
import { KINDS, MayflyError, MayflyNetworkError, MayflyResponseError } from './errors.js';
import { now } from './real-time.js';
import type { Settings } from './settings.js';
import { parsed } from './text.js';

/** Time limits: for silence before and within a response, and for the whole response. */
export const SILENCE_TIMEOUT_MS = 15_000;
export const MAX_ANSWER_MS = 300_000;

/** Mayfly sends a stream's first bytes immediately. If they are late, a proxy buffers the stream. */
const FIRST_BYTES_TIMEOUT_MS = 2_000;

/** Concurrent requests to one service. Without a limit, thousands of tests would connect in one burst. */
const AT_ONCE = 64;

/** Maximum decompressed bytes: of a streamed email (a wait finds larger ones in the list), and of 4,000 summaries. */
const MAX_EVENT_BYTES = 2 ** 25;
const MAX_LIST_BYTES = 2 ** 22;
const JSON_TYPE = 'application/json';
const ANY_TYPE = '*/*';

type Answers = typeof import('./error-answer.js');

/** Without `unreached` in `mayfly-client/api`, which does not open a connection to find out why nothing answers. */
type ErrorAnswersSource = () => Promise<Pick<Answers, 'errorOf' | 'noAnswer'> & Partial<Answers>>;

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Target {
  readonly path: string;
  readonly method?: string;
  readonly body?: string | Uint8Array;
  readonly query?: Query | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly key?: string | null | undefined;
  readonly most?: number | undefined;
}

/** The queues of this process's requests and streams, by the service's base URL. */
const gates = new Map<string, Record<'asking' | 'opening', Gate>>();

/** Sends requests to one Mayfly, without retries. Rejects with a `MayflyError`; after an abort, with any value. */
export class Transport {
  readonly #settings: Settings;
  isReached = false;
  /** The error of the last request that failed without being aborted. */
  trouble: MayflyNetworkError | undefined;

  readonly #gates: ReturnType<typeof gatesOf>;
  readonly #errorAnswers: ErrorAnswersSource;

  constructor(settings: Settings, errorAnswers: ErrorAnswersSource) {
    this.#settings = settings;
    this.#errorAnswers = errorAnswers;
    this.#gates = gatesOf(settings.baseUrl);
  }

  urlOf({ path, query = {} }: Target): string {
    const text = new URLSearchParams(JSON.parse(JSON.stringify(query)) as Record<string, string>);
    return `${this.#settings.baseUrl + path}?${text}`.replace(/\?$/, '');
  }

  json<T>(target: Target, isRight: (value: T) => unknown = () => true): Promise<T> {
    return this.#whole(target, JSON_TYPE, async (chunks, response) => {
      const decoder = new TextDecoder();
      const text = chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join('');
      const value = parsed<T>(text);
      if (value && isRight(value)) return value;
      throw await this.#errorOf(response, text);
    });
  }

  chunks(target: Target): Promise<Uint8Array[]> {
    return this.#whole(target, ANY_TYPE, (chunks) => chunks);
  }

  delete(target: Target): Promise<void> {
    return this.#whole({ ...target, method: 'DELETE' }, JSON_TYPE, () => {});
  }

  /** Opens a stream. Resolves to what `read` returns for the first event; rejects if `read` returns undefined. */
  event<T>(target: Target, read: (data: string) => T | undefined): Promise<T> {
    const turn = this.#gates.opening.turn();
    return this.#attempt(turn, FIRST_BYTES_TIMEOUT_MS, target.signal, async (attempt) => {
      const response = await this.#answer(target, attempt, 'text/event-stream');
      const parser = new EventParser();
      for await (const bytes of this.#chunksOf(response, attempt, MAX_EVENT_BYTES)) {
        // An open stream costs little, so it frees its place for other requests.
        turn.end();
        const [event] = parser.push(bytes);
        if (event === undefined) continue;
        const found = read(event);
        if (found !== undefined) return found;
        throw await this.#errorOf(response, event);
      }
      throw new Error('the stream ended early');
    });
  }

  #whole<T>(
    target: Target,
    accept: string,
    read: (chunks: Uint8Array[], response: Response) => T | Promise<T>,
  ): Promise<T> {
    return this.#attempt(this.#gates.asking.turn(), SILENCE_TIMEOUT_MS, target.signal, async (attempt) => {
      const response = await this.#answer(target, attempt, accept);
      const chunks: Uint8Array[] = [];
      for await (const chunk of this.#chunksOf(response, attempt, target.most)) chunks.push(chunk);
      return read(chunks, response);
    });
  }

  /** Yields a response in chunks. Each chunk restarts the timeout of the attempt, up to `MAX_ANSWER_MS` in all. */
  async *#chunksOf(response: Response, attempt: Deadline, most = MAX_LIST_BYTES): AsyncGenerator<Uint8Array> {
    const reader = response.body?.getReader();
    const endsAt = now() + MAX_ANSWER_MS;
    let length = 0;
    while (reader) {
      const { done, value } = await reader.read();
      if (done) return;
      attempt.postpone(Math.min(SILENCE_TIMEOUT_MS, endsAt - now()));
      length += value.length;
      if (length > most) throw await this.#errorOf(response, `more than ${most} bytes.`);
      yield value;
    }
  }

  /** Runs one request in its turn, within `timeoutMs`, then frees its connection. Rejects only with `MayflyError`. */
  async #attempt<T>(
    turn: ReturnType<Gate['turn']>,
    timeoutMs: number,
    signal: AbortSignal | undefined,
    run: (attempt: Deadline) => Promise<T>,
  ): Promise<T> {
    const attempt = new Deadline(MAX_WAIT_MS, signal);
    try {
      await Promise.race([turn.begun, attempt.over]);
      if (attempt.signal.aborted) throw attempt;
      attempt.postpone(timeoutMs);
      // Does not rely on the fetch to end with its signal, because a custom fetch may ignore it.
      const answer = await Promise.race([run(attempt), attempt.over]);
      if (attempt.signal.aborted) throw attempt;
      return answer as T;
    } catch (cause) {
      if (cause instanceof MayflyError) throw cause;
      const { baseUrl } = this.#settings;
      const lost = (saw = cause) =>
        new MayflyNetworkError(`Mayfly at ${baseUrl} cannot be reached: ${saw}. Is it busy or down?`, { baseUrl });
      // The time is over, so the code that would diagnose the connection is not loaded.
      if (attempt.signal.aborted) throw lost('no answer in time');
      // Rejects with a different `MayflyError` if the test itself blocked the request.
      this.trouble = await this.#errorAnswers().then(
        ({ noAnswer }) => noAnswer(cause, this.#settings, KINDS),
        () => lost(),
      );
      throw this.trouble;
    } finally {
      turn.end();
      attempt.end();
    }
  }

  async #answer(target: Target, { signal }: Deadline, accept: string): Promise<Response> {
    const { workspace, auth, fetch } = this.#settings;
    // Credentials take precedence, because they open all inboxes of their ad-hoc workspace.
    const key = auth || (target.key ?? workspace?.key);
    const headers = { accept, ...(key && { authorization: `Bearer ${key}` }) };
    const request = { method: target.method ?? 'GET', headers, body: target.body as string };
    const response = await oneFetch(this.urlOf(target), request, signal, fetch);
    this.isReached = true;
    const { status, headers: given } = response;
    const isAccepted = accept === ANY_TYPE || given.get('content-type')?.startsWith(accept);
    if (status === 204 || (status === 200 && isAccepted)) return response;
    throw await this.#errorOf(response);
  }

  #errorOf(response: Response, text?: string): Promise<MayflyError> {
    const { status } = response;
    const message = `Mayfly at ${this.#settings.baseUrl} answered ${status}.`;
    return this.#errorAnswers()
      .then(({ errorOf }) => errorOf(response, this.#settings, KINDS, text))
      .catch((cause) => new MayflyResponseError(message, { status }, { cause }));
  }

  unreached(): Promise<Unreached> {
    return loaded(this.#errorAnswers())
      .then((answers) => (answers as Answers).unreached(this.trouble, this.#settings, KINDS))
      .catch(() => ({ error: this.trouble, mayAnswer: true }));
  }
}

function gatesOf(baseUrl: string) {
  const known = gates.get(baseUrl);
  if (known) return known;
  if (gates.size >= MAX_SERVICES) gates.clear();
  const own = { asking: new Gate(), opening: new Gate() };
  gates.set(baseUrl, own);
  return own;
}

/** Admits a limited number of requests at a time; the others wait in order. */
class Gate {
  readonly #through = new Set<() => void>();
  readonly #waiting = new Set<() => void>();

  /** Returns a place in the queue. `begun` resolves when its turn arrives; `end` leaves the queue and is idempotent. */
  turn() {
    let begin = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    this.#waiting.add(begin);
    this.#admit();
    const end = () => {
      this.#waiting.delete(begin);
      this.#through.delete(begin);
      this.#admit();
    };
    return { begun, end };
  }

  #admit(): void {
    for (const begin of this.#waiting) {
      if (this.#through.size >= AT_ONCE) return;
      this.#waiting.delete(begin);
      this.#through.add(begin);
      begin();
    }
  }
}

// `fetch()`, but the signal does not abort a request that has already failed. If Node rejects a response, such as one
// with too many encodings, a later abort would emit an uncaught error, so any server could end the process.
export async function oneFetch(
  url: string,
  request: Omit<RequestInit, 'signal'>,
  signal: AbortSignal,
  fetch = globalThis.fetch,
): Promise<Response> {
  rejectAborted(signal);
  const own = new AbortController();
  signal.onabort = () => own.abort(signal.reason);
  try {
    return await fetch(url, { ...request, signal: own.signal });
  } catch (error) {
    signal.onabort = null;
    throw error;
  }
}

/** The cause's message, because `fetch()` itself only reports "fetch failed". */
export function reasonOf(error: unknown): string {
  const { message, cause } = error as { message: string; cause?: { message?: string; code?: string } };
  return cause?.message || cause?.code || message;
}

/** If a chunk ends between CR and LF, the LF counts as an additional empty line, which is harmless. */
const EVENT_END = /(?:\r\n|\r(?!\n)|\n){2}/;
const LINE_END = /\r\n?|\n/;
const DATA = /^data(?:: ?|$)/;

/** Parses server-sent events (WHATWG HTML, section 9.2.6) from chunks that may be split anywhere. */
export class EventParser {
  readonly #decoder = new TextDecoder();
  /** The chunks of the unfinished event, joined only at its end because there may be many. */
  #begun: string[] = [];

  push(bytes: Uint8Array): string[] {
    const text = this.#decoder.decode(bytes, { stream: true });
    if (text) this.#begun.push(text);
    // An event's two final line ends have at most four characters, so they lie within the last four chunks.
    if (!EVENT_END.test(this.#begun.slice(-4).join(''))) return [];
    const events = this.#begun.join('').split(EVENT_END);
    this.#begun = events.splice(-1);
    return events.flatMap(dataOf);
  }
}

function dataOf(event: string): string[] {
  const lines = event.split(LINE_END).filter((line) => DATA.test(line));
  return lines.length > 0 ? [lines.map((line) => line.replace(DATA, '')).join('\n')] : [];
}
