import type { ServerResponse } from 'node:http';
import type { Clock } from '../../base/clock.js';
import { httpErrors } from '../../errors.js';
import { type HeldBytes, LEAST_BYTES_PER_SECOND } from '../../fairness/client-memory.js';
import { RequestError, refuse, retryAfter } from '../answer/request-error.js';
import type { HttpEvents } from '../http-events.js';

/** How long a client may take to read an answer, beside what its bytes take at `LEAST_BYTES_PER_SECOND`. */
export const READ_MS = 30_000;

function readingMs(bytes: number): number {
  return READ_MS + (bytes / LEAST_BYTES_PER_SECOND) * 1_000;
}

/** The memory that an answer takes beside its bytes until it has left: request, response and connection. */
const ANSWER_BYTES = 16 * 1024;

/** How long a request waits for its client to have read what it asked for before. */
export const MAX_WAIT_MS = 10_000;

/** After how long the next request that waits is begun where the one before is not answered. */
const NEXT_MS = 50;

/** After how long a client may try again whose request did not come to its turn. */
const RETRY_MS = 1_000;

/** A request that waits until its client has read enough. */
interface Waiting {
  begin(): void;
}

/**
 * Bounds what has been answered and not been read, of all kinds of answers, in bytes and in time: what the system did
 * not take is held for the client (`HeldBytes`), and nothing more is begun for one that has too much. Of what is sent
 * in pieces, the last is counted here.
 */
export class UnreadAnswers {
  readonly #clock: Clock;
  readonly #events: HttpEvents | undefined;
  readonly #held: HeldBytes;
  readonly #waiting = new Map<string, Set<Waiting>>();
  #isClosed = false;

  /** `events` is omitted without metrics. */
  constructor(clock: Clock, held: HeldBytes, events?: HttpEvents) {
    this.#clock = clock;
    this.#held = held;
    this.#events = events;
    held.watch({ freed: (client) => this.#beginNext(client), cut: () => events?.limited('unread-answers') });
  }

  /** Begins an answer, at once or when the client has read others. One that waits for too long is answered 503. */
  admit(client: string, response: ServerResponse, begin: () => void): void {
    const mustWait = this.#held.isFullFor(client) || this.#waiting.has(client);
    // All of it is made, and handed to the system as far as that takes it.
    response.once('prefinish', () => this.#hold(client, response));
    if (mustWait && !this.#isClosed) this.#wait(client, response, begin);
    else begin();
  }

  /** Lets no request wait any more: the service stops, and answers so. */
  close(): void {
    this.#isClosed = true;
    for (const ofClient of this.#waiting.values()) for (const waiting of ofClient) waiting.begin();
  }

  /** Holds what is left of an answer until it is read, or its client has left. */
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
        // Whether it leaves at once or not: so few more are begun than were unread. A stream that was begun ends late.
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
      refuse(response, new RequestError(httpErrors.tooManyAnswers, {}, retryAfter(RETRY_MS)));
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
