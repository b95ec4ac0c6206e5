import type { ServerResponse } from 'node:http';
import type { WayOut } from 'mayfly-protocol';
import type { Clock } from '../../base/clock.js';
import type { Log } from '../../base/log.js';
import {
  EmailGoneError,
  type FoundEmail,
  type Inboxes,
  type Pieces,
  type Selection,
  StoreAwayError,
  type Taker,
  type Wait,
  type Waiter,
} from '../../inbox/inboxes.js';
import type { Access } from '../access/access.js';
import type { HttpEvents, StreamResult } from '../http-events.js';
import { type Answers, joined, whenOver } from './answers.js';
import type { OpenStream, OpenStreams } from './open-streams.js';
import { RequestError } from './request-error.js';

/** Interface section 6. */
const KEEPALIVE_MS = 10_000;

/** The timeout takes the place of the third. */
const KEEPALIVES = 2;

const CONNECTED = Buffer.from(': connected\n\n');
const KEEPALIVE = Buffer.from(': keepalive\n\n');
const TIMEOUT = Buffer.from('data: __timeout__\n\n');

/** JSON contains no line break, so it is one line (HTML standard, server-sent events). */
const DATA_EVENT = { before: 'data: ', behind: '\n\n' };

export interface StreamsOptions {
  readonly inboxes: Inboxes;
  readonly access: Access;
  readonly streams: OpenStreams;
  readonly answers: Answers;
  readonly clock: Clock;
  readonly log: Log;
  readonly events?: HttpEvents | undefined;
}

export class EventStreams {
  readonly #context: StreamsOptions;

  constructor(options: StreamsOptions) {
    this.#context = options;
  }

  /** Rejects as `OpenStreams.open`. The caller writes the head and then calls `begin`. */
  open(taker: Taker, inbox: string, response: ServerResponse): Promise<EventStream> {
    return this.#context.streams.open(taker.client, () => new EventStream(this.#context, taker, inbox, response));
  }
}

/**
 * One stream (interface section 6): a comment now and every 10 s, then one event, the email or the timeout (D10).
 * Thousands are open, so each is two objects and keeps nothing of Fastify's.
 */
class EventStream implements Waiter, OpenStream {
  readonly #context: StreamsOptions;
  readonly way: WayOut;
  readonly client: string;
  readonly #inbox: string;
  readonly #response: ServerResponse;
  #wait: Wait | null = null;
  #cancelKeepalive = () => {};
  #isEnding = false;
  #isClosed = false;
  /** Monotonic; 0 without metrics. */
  readonly #openedAt: number;
  #resume: (() => void) | null = null;

  constructor(context: StreamsOptions, { way, client }: Taker, inbox: string, response: ServerResponse) {
    this.#context = context;
    this.way = way;
    this.client = client;
    this.#inbox = inbox;
    this.#response = response;
    this.#openedAt = context.events === undefined ? 0 : context.clock.monotonic();
  }

  begin(selection: Selection): void {
    const response = this.#response;
    whenOver(response, () => this.#close());
    if (this.#isClosed) return;
    response.write(CONNECTED);
    this.#keepAlive(KEEPALIVES);
    const wait = this.#context.inboxes.wait(this.#inbox, selection, this);
    if (!this.#isEnding) this.#wait = wait;
  }

  #keepAlive(times: number): void {
    if (times === 0) return;
    this.#cancelKeepalive = this.#context.clock.after(KEEPALIVE_MS, () => {
      this.#response.write(KEEPALIVE);
      this.#keepAlive(times - 1);
    });
  }

  found(email: FoundEmail): void {
    this.#stopWaiting('mail');
    this.#context.access.foundMailFor(this.client, this.#inbox);
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
    const { inboxes, answers } = this.#context;
    const json = await answers.make(this.client, this.#response, () => inboxes.show(email, DATA_EVENT, this));
    if (typeof json === 'string') this.#response.end(json, 'latin1');
    else await this.#sendPieces(json);
  }

  async #sendPieces(pieces: Pieces): Promise<void> {
    for await (const piece of joined(pieces)) {
      if (this.#isClosed) return;
      if (!this.#response.write(piece)) await this.#drained();
    }
    this.#response.end();
  }

  #drained(): Promise<void> {
    return new Promise((resolve) => {
      this.#resume = resolve;
      this.#response.once('drain', resolve);
    });
  }

  #fail(error: unknown): void {
    // Known: the email was deleted, got no turn, or the store, which logs that itself, is away.
    const isKnown = error instanceof EmailGoneError || error instanceof RequestError || error instanceof StoreAwayError;
    if (!this.#isClosed && !isKnown) this.#context.log.error({ err: error }, 'A stream failed.');
    this.#response.destroy();
  }

  #stopWaiting(result: StreamResult): void {
    const { events, clock } = this.#context;
    if (!this.#isEnding) events?.streamEnded(result, clock.monotonic() - this.#openedAt);
    this.#isEnding = true;
    this.#cancelKeepalive();
    this.#wait?.leave();
    this.#wait = null;
  }

  #close(): void {
    this.#isClosed = true;
    this.#stopWaiting('gone');
    this.#resume?.();
    this.#context.streams.close(this.client, this);
  }
}
