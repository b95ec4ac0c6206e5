import {
  ASKED_AT_ONCE,
  FIRST_BYTES_TIMEOUT_MS,
  MAX_ANSWER_MS,
  MAX_EVENT_BYTES,
  MAX_LIST_BYTES,
  MAX_SERVICES,
  MAX_WAIT_MS,
  OPENED_AT_ONCE,
  SILENCE_TIMEOUT_MS,
} from './bounds.js';
import { Deadline, loaded } from './deadline.js';
import {
  type AnswerErrors,
  MayflyAuthError,
  MayflyError,
  MayflyGoneError,
  MayflyNetworkError,
  MayflyRateLimitError,
  MayflyResponseError,
} from './errors.js';
import { EventParser } from './events.js';
import { Gate, type Turn } from './gate.js';
import { now } from './real-time.js';
import type { Settings } from './settings.js';
import { parsed } from './text.js';
import type { Unreached } from './unreached.js';

const JSON_TYPE = 'application/json';
const ANY_TYPE = '*/*';

/**
 * What loads later gets the classes of errors from here: where a runner has forgotten its modules (Jest's
 * `resetModules`), it would find others of the same names, which nothing here and no caller knows.
 */
const KINDS: AnswerErrors = {
  MayflyAuthError,
  MayflyGoneError,
  MayflyNetworkError,
  MayflyRateLimitError,
  MayflyResponseError,
};

type Answers = typeof import('./error-answer.js');

/** Where nothing probes connections, why nothing has answered is known from its requests alone. */
type ErrorAnswersSource = () => Promise<Omit<Answers, 'unreached'> & Partial<Answers>>;

/** Parameters of a query; those without a value are left out. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** A path below the base address, and its query. */
export interface Target {
  readonly path: string;
  readonly query?: Query | undefined;
  readonly signal?: AbortSignal | undefined;
  /** What to send in place of the workspace's key. */
  readonly key?: string | null | undefined;
  /** How many bytes the answer may have; `MAX_LIST_BYTES` by default. */
  readonly most?: number | undefined;
}

/** Where the requests and the streams of this process wait for their turn, by the base address of the service. */
const gates = new Map<string, Gates>();

interface Gates {
  readonly asking: Gate;
  readonly opening: Gate;
}

/**
 * The HTTP of one Mayfly. Every request is one try. It ends when its signal is aborted, and rejects then with anything;
 * otherwise it rejects with a `MayflyError` alone.
 */
export class Transport {
  readonly #settings: Settings;
  /** Whether anything has ever answered at this address. */
  isReached = false;
  /** Why the last request failed that did so by itself. */
  trouble: MayflyNetworkError | undefined;

  readonly #gates: Gates;
  readonly #errorAnswers: ErrorAnswersSource;

  /** `errorAnswers` says what answers mean that are not the ones asked for. */
  constructor(settings: Settings, errorAnswers: ErrorAnswersSource) {
    this.#settings = settings;
    this.#errorAnswers = errorAnswers;
    this.#gates = gatesOf(settings.baseUrl);
  }

  /** The whole address of something. */
  urlOf({ path, query = {} }: Target): string {
    // JSON leaves out what has no value.
    const text = new URLSearchParams(JSON.parse(JSON.stringify(query)) as Record<string, string>);
    return `${this.#settings.baseUrl + path}?${text}`.replace(/\?$/, '');
  }

  /** Fetches JSON. `isRight` tells whether it has the right shape. */
  json<T>(target: Target, isRight: (value: T) => unknown = () => true, method?: string): Promise<T> {
    return this.#whole(
      target,
      JSON_TYPE,
      async (chunks, response) => {
        const decoder = new TextDecoder();
        const text = chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join('');
        const value = parsed<T>(text);
        if (value && isRight(value)) return value;
        throw await this.#errorOf(response, text);
      },
      method,
    );
  }

  /** Fetches bytes of any type. */
  chunks(target: Target): Promise<Uint8Array[]> {
    return this.#whole(target, ANY_TYPE, (chunks) => chunks);
  }

  delete(target: Target): Promise<void> {
    return this.#whole(target, JSON_TYPE, () => {}, 'DELETE');
  }

  /** Opens a stream. Resolves to what `read` finds in the event that ends it: undefined for one of the wrong shape. */
  event<T>(target: Target, read: (data: string) => T | undefined): Promise<T> {
    const turn = this.#gates.opening.turn();
    return this.#attempt(turn, FIRST_BYTES_TIMEOUT_MS, target.signal, async (attempt) => {
      const response = await this.#answer(target, attempt, 'text/event-stream');
      const parser = new EventParser();
      for await (const bytes of this.#chunksOf(response, attempt, MAX_EVENT_BYTES)) {
        // It is open, and costs little from now on.
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

  /** What is read in the whole answer to a request. */
  #whole<T>(
    target: Target,
    accept: string,
    read: (chunks: Uint8Array[], response: Response) => T | Promise<T>,
    method?: string,
  ): Promise<T> {
    return this.#attempt(this.#gates.asking.turn(), SILENCE_TIMEOUT_MS, target.signal, async (attempt) => {
      const response = await this.#answer(target, attempt, accept, method);
      const chunks: Uint8Array[] = [];
      for await (const chunk of this.#chunksOf(response, attempt, target.most)) chunks.push(chunk);
      return read(chunks, response);
    });
  }

  /** What an answer brings, as it comes. Each piece begins the time of the attempt anew, within that of a call. */
  async *#chunksOf(response: Response, attempt: Deadline, most = MAX_LIST_BYTES): AsyncGenerator<Uint8Array> {
    const reader = response.body?.getReader();
    const endsAt = now() + MAX_ANSWER_MS;
    let length = 0;
    while (reader) {
      const { done, value } = await reader.read();
      if (done) return;
      attempt.postpone(Math.min(SILENCE_TIMEOUT_MS, endsAt - now()));
      length += value.length;
      // A server that never ends must not fill the memory of the test.
      if (length > most) throw await this.#errorOf(response, `more than ${most} bytes.`);
      yield value;
    }
  }

  /**
   * Runs one request, once its turn has come, in a time of its own, frees its connection, and rejects with a
   * `MayflyError` alone.
   */
  async #attempt<T>(
    turn: Turn,
    timeoutMs: number,
    signal: AbortSignal | undefined,
    run: (attempt: Deadline) => Promise<T>,
  ): Promise<T> {
    const attempt = new Deadline(MAX_WAIT_MS, signal);
    try {
      await Promise.race([turn.begun, attempt.over]);
      if (attempt.signal.aborted) throw attempt;
      attempt.postpone(timeoutMs);
      // Not every fetch heeds its signal.
      const answer = await Promise.race([run(attempt), attempt.over]);
      if (attempt.signal.aborted) throw attempt;
      return answer as T;
    } catch (cause) {
      if (cause instanceof MayflyError) throw cause;
      const { baseUrl } = this.#settings;
      const lost = (saw = cause) =>
        new MayflyNetworkError(`Mayfly at ${baseUrl} cannot be reached: ${saw}. Is it running there?`, { baseUrl });
      // That leaves no time to load anything.
      if (attempt.signal.aborted) throw lost('no answer in time');
      // It rejects with another `MayflyError` if something of the test itself kept it from the service.
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

  /** The answer to a request, of the type that it accepts. */
  async #answer(target: Target, { signal }: Deadline, accept: string, method = 'GET'): Promise<Response> {
    const { workspace, space, fetch } = this.#settings;
    // A space is a server of its own: its pair opens all of its inboxes.
    const key = space || (target.key ?? workspace?.key);
    const headers = { accept, ...(key && { authorization: `Bearer ${key}` }) };
    // One that was rejected is never aborted: see one-fetch.ts.
    const own = new AbortController();
    signal.onabort = () => own.abort(signal.reason);
    // Browsers refuse a fetch that is called as a method of something else.
    let response: Response;
    try {
      response = await fetch(this.urlOf(target), { method, headers, signal: own.signal });
    } catch (error) {
      signal.onabort = null;
      throw error;
    }
    this.isReached = true;
    const type = response.headers.get('content-type') ?? '';
    const { status } = response;
    if (status === 204 || (status === 200 && (accept === ANY_TYPE || type.startsWith(accept)))) return response;
    throw await this.#errorOf(response);
  }

  /** The error that an answer stands for, given its text where that is read. */
  #errorOf(response: Response, text?: string): Promise<MayflyError> {
    const { status } = response;
    // Where what tells it does not load, at least its status is known.
    const lost = (cause: unknown) =>
      new MayflyResponseError(`Mayfly at ${this.#settings.baseUrl} answered ${status}.`, { status }, { cause });
    return this.#errorAnswers()
      .then(({ errorOf }) => errorOf(response, this.#settings, KINDS, text))
      .catch(lost);
  }

  /** Why nothing has ever answered, and whether an answer may still come. */
  unreached(): Promise<Unreached> {
    return loaded(this.#errorAnswers())
      .then((answers) => (answers as Answers).unreached(this.trouble, this.#settings, KINDS))
      .catch(() => ({ error: this.trouble, mayAnswer: true }));
  }
}

function gatesOf(baseUrl: string): Gates {
  const known = gates.get(baseUrl);
  if (known) return known;
  if (gates.size >= MAX_SERVICES) gates.clear();
  const own = { asking: new Gate(ASKED_AT_ONCE), opening: new Gate(OPENED_AT_ONCE) };
  gates.set(baseUrl, own);
  return own;
}
