import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { WayOut } from 'mayfly-protocol';
import type { Clock } from '../../base/clock.js';
import type { Log } from '../../base/log.js';
import {
  EmailGoneError,
  type Inboxes,
  type Selection,
  StoreAwayError,
  type StoredEmail,
  type Taker,
  type Wait,
  type Waiter,
} from '../../inbox/inboxes.js';
import type { Access } from '../access/access.js';
import { type Answers, joined, whenOver } from '../answer/answers.js';
import { beginStream, keepAlive, type OpenStream, type OpenStreams } from '../answer/open-streams.js';
import { RequestError } from '../answer/request-error.js';
import type { App } from '../framework.js';
import type { HttpEvents, StreamResult } from '../http-events.js';
import { reading } from '../request/fields.js';
import {
  INBOX_FIELDS,
  PAGED_ELSEWHERE,
  SELECTION,
  type SelectionQuery,
  selectionOf,
  takenElsewhere,
} from '../request/parameters.js';

const INPUT = reading({
  path: INBOX_FIELDS,
  query: SELECTION,
  refused: takenElsewhere(SELECTION, PAGED_ELSEWHERE),
});

/** The timeout replaces the third. */
const KEEPALIVES = 2;

const TIMEOUT = Buffer.from('data: __timeout__\n\n');

/** JSON contains no line break, so it is one line (HTML standard, server-sent events). */
const DATA_EVENT = { before: 'data: ', behind: '\n\n' };

interface StreamRoute {
  Params: { name: string };
  Querystring: SelectionQuery;
}

export interface StreamOptions {
  readonly inboxes: Inboxes;
  readonly access: Access;
  readonly streams: OpenStreams;
  readonly answers: Answers;
  readonly clock: Clock;
  readonly log: Log;
  readonly events?: HttpEvents | undefined;
}

/** `GET /api/inbox/{name}/stream` (interface section 4.2). */
export function addStreamRoute(app: App, options: StreamOptions): void {
  const { access, streams } = options;
  app.get<StreamRoute>(
    '/api/inbox/:name/stream',
    { ...INPUT.options('stream'), exposeHeadRoute: false },
    async (request, reply) => {
      const inbox = access.inboxOf(request);
      await access.tryName(request, inbox);
      const stream = new EventStream(options, access.takerOf(request, 'stream'), inbox, reply.raw);
      const close = await streams.open(stream.client, stream);
      whenOver(reply.raw, close);
      beginStream(reply);
      stream.begin(selectionOf(request.query));
    },
  );
}

/**
 * One stream (interface section 6): a comment now and every 10 s, then one event, the email or the timeout (D10).
 * Thousands are open, so none holds objects of Fastify.
 */
class EventStream implements Waiter, OpenStream {
  readonly #options: StreamOptions;
  readonly way: WayOut;
  readonly client: string;
  readonly #inbox: string;
  readonly #response: ServerResponse;
  readonly #openedAt: number;
  #wait: Wait | null = null;
  #stopKeepalives = () => {};
  #isEnding = false;
  #isClosed = false;

  constructor(options: StreamOptions, { way, client }: Taker, inbox: string, response: ServerResponse) {
    this.#options = options;
    this.way = way;
    this.client = client;
    this.#inbox = inbox;
    this.#response = response;
    this.#openedAt = options.clock.monotonic();
  }

  begin(selection: Selection): void {
    const { clock, inboxes } = this.#options;
    whenOver(this.#response, () => {
      this.#isClosed = true;
      this.#stopWaiting('gone');
    });
    if (this.#isClosed) return;
    this.#stopKeepalives = keepAlive(clock, this.#response, KEEPALIVES, () => {});
    const wait = inboxes.wait(this.#inbox, selection, this);
    if (!this.#isEnding) this.#wait = wait;
  }

  found(email: StoredEmail): void {
    this.#stopWaiting('mail');
    this.#options.access.foundMailFor(this.client, this.#inbox);
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

  async #show(email: StoredEmail): Promise<void> {
    const { inboxes, answers } = this.#options;
    const json = await answers.make(this.client, this.#response, () => inboxes.show(email, DATA_EVENT, this));
    if (typeof json === 'string') this.#response.end(json, 'latin1');
    else await pipeline(joined(json), this.#response);
  }

  #fail(error: unknown): void {
    // Expected: the email was deleted, got no turn, or the store is unavailable, which it logs itself.
    const isKnown = error instanceof EmailGoneError || error instanceof RequestError || error instanceof StoreAwayError;
    if (!this.#isClosed && !isKnown) this.#options.log.error({ err: error }, 'A stream failed.');
    this.#response.destroy();
  }

  #stopWaiting(result: StreamResult): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    const { events, clock } = this.#options;
    events?.streamEnded(result, clock.monotonic() - this.#openedAt);
    this.#stopKeepalives();
    this.#wait?.leave();
    this.#wait = null;
  }
}
