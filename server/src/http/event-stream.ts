import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../clock.js';
import { EmailGoneError, type Inboxes, StoreAwayError } from '../inbox/inboxes.js';
import type { Pieces } from '../inbox/read.js';
import type { Selection } from '../inbox/selecting.js';
import { type FoundEmail, WAIT_MS, type Wait, type Waiter } from '../inbox/waiting.js';
import type { Log } from '../log.js';
import type { Soon } from '../soon.js';
import { Timed, Timetable } from '../timetable.js';
import type { Access } from './access.js';
import { joined } from './answer-body.js';
import type { HttpEvents, StreamResult } from './http-events.js';
import type { LargeAnswers } from './large-answers.js';
import type { OpenStream, OpenStreams } from './open-streams.js';
import { RequestError } from './request-error.js';

/** How often a stream gives a sign of life (interface section 6). */
const KEEPALIVE_MS = 10_000;

const KEEPALIVES_AT_MS = Array.from({ length: WAIT_MS / KEEPALIVE_MS - 1 }, (_, n) => (n + 1) * KEEPALIVE_MS);

const CONNECTED = Buffer.from(': connected\n\n');
const KEEPALIVE = Buffer.from(': keepalive\n\n');
const TIMEOUT = Buffer.from('data: __timeout__\n\n');

/** One event (the HTML standard's section on server-sent events): JSON holds no line break, so it is one line. */
const DATA_EVENT = { before: 'data: ', behind: '\n\n' };

/** What all streams share. */
export interface StreamsOptions {
  readonly inboxes: Inboxes;
  readonly access: Access;
  readonly streams: OpenStreams;
  readonly largeAnswers: LargeAnswers;
  readonly clock: Clock;
  readonly log: Log;
  /** Left out where nobody counts. */
  readonly events?: HttpEvents | undefined;
}

interface Context extends StreamsOptions {
  readonly keepalives: Timetable;
}

/** Opens streams. */
export class EventStreams {
  readonly #context: Context;

  constructor(options: StreamsOptions) {
    this.#context = { ...options, keepalives: new Timetable(options.clock, KEEPALIVES_AT_MS) };
  }

  /** Throws as `OpenStreams.open`. The head of the response is its caller's to write, before `begin` is called. */
  open(client: string, inbox: string, response: ServerResponse): Soon<EventStream> {
    return this.#context.streams.open(client, () => new EventStream(this.#context, client, inbox, response));
  }
}

/**
 * One stream (interface section 6): the comment that it is open, one every 10 s, and then either the email or the timeout, which
 * is the only event (D10). Thousands are open at once and most of them wait: so a stream is one object, the wait another, and
 * nothing of the framework's is kept for it.
 */
export class EventStream extends Timed implements Waiter, OpenStream {
  readonly #context: Context;
  readonly #client: string;
  readonly #inbox: string;
  readonly #response: ServerResponse;
  #wait: Wait | null = null;
  /** Whether the last of it is being sent, or was. */
  #isEnding = false;
  #isClosed = false;
  /** When it was opened, by a clock that never goes back; 0 where nobody counts. */
  readonly #openedAt: number;
  /** Goes on with sending what the client was too slow for. */
  #resume: (() => void) | null = null;

  constructor(context: Context, client: string, inbox: string, response: ServerResponse) {
    super();
    this.#context = context;
    this.#client = client;
    this.#inbox = inbox;
    this.#response = response;
    this.#openedAt = context.events === undefined ? 0 : context.clock.monotonic();
  }

  /** Waits for the request's email. */
  begin({ socket }: IncomingMessage, selection: Selection): void {
    const response = this.#response;
    response.on('close', this.#close);
    // One that waits behind another on its connection is never told that the connection was closed: it would stay open for good.
    if (response.socket === null) socket.setMaxListeners(0).on('close', this.#close);
    // Whoever left while the request was looked at closes no more.
    if (socket.destroyed || response.destroyed) this.#close();
    if (this.#isClosed) return;
    response.write(CONNECTED);
    this.#context.keepalives.begin(this);
    const wait = this.#context.inboxes.wait(this.#inbox, selection, this);
    if (!this.#isEnding) this.#wait = wait;
  }

  due(): void {
    this.#response.write(KEEPALIVE);
  }

  found(email: FoundEmail): void {
    this.#stopWaiting('mail');
    // The email does not wait until that is noted.
    this.#context.access.foundMailFor(this.#client, this.#inbox);
    this.#show(email).catch((error) => this.#fail(error));
  }

  timedOut(): void {
    this.#stopWaiting('timeout');
    this.#response.end(TIMEOUT);
  }

  failed(error: unknown): void {
    this.#stopWaiting('failed');
    this.#fail(error);
  }

  end(): void {
    if (this.#isEnding) return;
    this.#stopWaiting('stopped');
    this.#response.end();
  }

  async #show(email: FoundEmail): Promise<void> {
    const { inboxes, largeAnswers } = this.#context;
    const asking = { client: this.#client, response: this.#response };
    const shown = largeAnswers.make(asking, () => inboxes.show(email, DATA_EVENT));
    const json = shown instanceof Promise ? await shown : shown;
    if (typeof json === 'string') {
      this.#response.end(json, 'latin1');
      largeAnswers.holdUnread(asking, json.length);
    } else await this.#sendPieces(json);
  }

  /** Sends no faster than the client reads. */
  async #sendPieces(pieces: Pieces): Promise<void> {
    for await (const piece of joined(pieces)) {
      if (this.#isClosed) return;
      if (!this.#response.write(piece)) await this.#drained();
    }
    this.#response.end();
  }

  /** Resolves when the client has read enough, or has left. */
  #drained(): Promise<void> {
    return new Promise((resolve) => {
      this.#resume = resolve;
      this.#response.once('drain', resolve);
    });
  }

  #fail(error: unknown): void {
    // That an email was deleted in the middle, or that it is not its turn, is no fault of ours, and that the store is out of reach is
    // logged once for all; all that can be done is to leave off.
    const isKnown = error instanceof EmailGoneError || error instanceof RequestError || error instanceof StoreAwayError;
    if (!this.#isClosed && !isKnown) this.#context.log.error({ err: error }, 'a stream failed');
    this.#response.destroy();
  }

  #stopWaiting(result: StreamResult): void {
    const { events, clock } = this.#context;
    if (!this.#isEnding) events?.streamEnded(result, clock.monotonic() - this.#openedAt);
    this.#isEnding = true;
    this.#context.keepalives.end(this);
    this.#wait?.leave();
    this.#wait = null;
  }

  readonly #close = (): void => {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#stopWaiting('gone');
    this.#resume?.();
    this.#context.streams.close(this.#client, this);
  };
}
