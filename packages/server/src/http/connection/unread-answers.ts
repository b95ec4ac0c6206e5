import type { ServerResponse } from 'node:http';
import type { Clock } from '../../base/clock.js';
import { httpErrors } from '../../errors.js';
import { type HeldBytes, LEAST_BYTES_PER_SECOND } from '../../limits/client-memory.js';
import { RETRY_SOON, RequestError, refuse } from '../answer/request-error.js';
import type { HttpEvents } from '../http-events.js';

/** Time to read an answer, beside that of its bytes at `LEAST_BYTES_PER_SECOND`. */
export const READ_MS = 30_000;

function readingMs(bytes: number): number {
  return READ_MS + (bytes / LEAST_BYTES_PER_SECOND) * 1_000;
}

/** Memory of an answer beside its bytes: request, response and connection. */
const ANSWER_BYTES = 16 * 1024;

/** How long a request waits until its client has read earlier answers. */
export const MAX_WAIT_MS = 10_000;

/** When the next waiting request begins if the one before has no answer yet. */
const NEXT_MS = 50;

const CLIENT = Symbol('client');

interface AdmittedAnswer extends ServerResponse {
  [CLIENT]?: string;
}

interface Waiting {
  begin(): void;
}

/**
 * Bounds unread answers of all kinds, in bytes and time: what the system did not take is held for the client
 * (`HeldBytes`), and nothing more begins for a client with too much. Of answers in pieces, the last counts here.
 */
export class UnreadAnswers {
  readonly #clock: Clock;
  readonly #events: HttpEvents | undefined;
  readonly #held: HeldBytes;
  readonly #waiting = new Map<string, Set<Waiting>>();
  /** One for all: thousands of streams are open. */
  readonly #finished: (this: AdmittedAnswer) => void;
  #isClosed = false;

  /** `events` is absent without metrics. */
  constructor(clock: Clock, held: HeldBytes, events?: HttpEvents) {
    this.#clock = clock;
    this.#held = held;
    this.#events = events;
    const hold = (response: AdmittedAnswer) => this.#hold(response[CLIENT] ?? '', response);
    this.#finished = function finished(this: AdmittedAnswer) {
      hold(this);
    };
    held.watch({ freed: (client) => this.#beginNext(client), cut: () => events?.limited('unread-answers') });
  }

  /** Begins an answer now, or once the client has read others; after too long it is a 503. */
  admit(client: string, response: AdmittedAnswer, begin: () => void): void {
    const mustWait = this.#held.isFullFor(client) || this.#waiting.has(client);
    response[CLIENT] = client;
    // The answer is complete and with the system, as far as that takes it.
    response.on('prefinish', this.#finished);
    if (mustWait && !this.#isClosed) this.#wait(client, response, begin);
    else begin();
  }

  /** Ends all waits: the service stops, and the answers say so. */
  close(): void {
    this.#isClosed = true;
    for (const ofClient of this.#waiting.values()) for (const waiting of ofClient) waiting.begin();
  }

  /** Holds the rest of an answer until it is read or the client left. */
  #hold(client: string, response: ServerResponse): void {
    const { socket } = response.req;
    const { writableLength } = socket;
    const cut = () => socket.destroy();
    const hold = (bytes: number) => this.#held.set(response, { client, bytes, cut });
    if (writableLength === 0 || socket.destroyed) {
      hold(0);
      return;
    }
    const endWatch = this.#clock.after(readingMs(writableLength), cut);
    response.once('close', () => {
      endWatch();
      hold(0);
    });
    hold(ANSWER_BYTES + writableLength);
  }

  #wait(client: string, response: ServerResponse, begin: () => void): void {
    const { socket } = response.req;
    const waiting: Waiting = {
      begin: () => {
        over();
        // Whether it leaves at once or not, so that few more begin than were unread. A stream ends late.
        const next = () => {
          endPatience();
          response.off('close', next);
          this.#beginNext(client);
        };
        const endPatience = this.#clock.after(NEXT_MS, next);
        response.once('close', next);
        begin();
      },
    };
    const giveUp = () => {
      over();
      this.#events?.limited('unread-answers');
      refuse(response, new RequestError(httpErrors.tooManyAnswers, {}, RETRY_SOON));
    };
    const endWatch = this.#clock.after(MAX_WAIT_MS, giveUp);
    const over = () => {
      endWatch();
      socket.off('close', over);
      ofClient.delete(waiting);
      if (ofClient.size === 0) this.#waiting.delete(client);
    };
    const ofClient = this.#waiting.get(client) ?? new Set();
    this.#waiting.set(client, ofClient.add(waiting));
    socket.once('close', over);
  }

  #beginNext(client: string): void {
    if (this.#held.isFullFor(client)) return;
    const [next] = this.#waiting.get(client) ?? [];
    next?.begin();
  }
}
