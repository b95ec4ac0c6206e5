import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { WayOut } from 'mayfly-protocol';
import {
  EmailGoneError,
  type Selection,
  StoreAwayError,
  type StoredEmail,
  type Taker,
  type Wait,
  type Waiter,
} from '../../inbox/inboxes.js';
import { type Answers, joined, whenOver } from '../answer/answers.js';
import { beginStream, keepAlive, type OpenStream } from '../answer/open-streams.js';
import { RequestError } from '../answer/request-error.js';
import type { App, Reply } from '../framework.js';
import type { StreamResult } from '../http-events.js';
import type { Served } from '../parts.js';
import { reading } from '../request/fields.js';
import { INBOX_FIELDS, PAGED_ELSEWHERE, type QueryOf, SELECTION, selectionOf } from '../request/parameters.js';

const INPUT = reading({ path: INBOX_FIELDS, query: SELECTION, elsewhere: PAGED_ELSEWHERE });

/** Number of keepalives. Instead of a third, the stream sends the timeout. */
const KEEPALIVES = 2;

const TIMEOUT = Buffer.from('data: __timeout__\n\n');

/** `GET /api/inbox/{name}/stream` (interface section 4.2). */
export function addStreamRoute(app: App, served: Served): void {
  const { access, streams } = served;
  app.get<{ Params: { name: string }; Querystring: QueryOf<typeof SELECTION> }>(
    '/api/inbox/:name/stream',
    { ...INPUT.options('stream'), exposeHeadRoute: false },
    async (request, reply) => {
      const inbox = access.inboxOf(request);
      await access.tryName(request, inbox);
      const stream = new EventStream(served, access.takerOf(request, 'stream'), inbox, reply);
      const close = await streams.open(stream.client, stream);
      whenOver(reply.raw, close);
      beginStream(reply);
      stream.begin(selectionOf(request.query));
    },
  );
}

/** One stream (interface section 6, D10). Keeps no objects of Fastify, because thousands of streams may be open. */
class EventStream implements Waiter, OpenStream {
  readonly #served: Served;
  readonly #answers: Answers;
  readonly way: WayOut;
  readonly client: string;
  readonly #inbox: string;
  readonly #response: ServerResponse;
  readonly #openedAt: number;
  #wait: Wait | null = null;
  #stopKeepalives = () => {};
  #isEnding = false;
  #isClosed = false;

  constructor(served: Served, { way, client }: Taker, inbox: string, { server, raw }: Reply) {
    this.#served = served;
    this.#answers = server.answers;
    this.way = way;
    this.client = client;
    this.#inbox = inbox;
    this.#response = raw;
    this.#openedAt = served.clock.monotonic();
  }

  begin(selection: Selection): void {
    const { clock, inboxes } = this.#served;
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
    this.#served.access.foundMail(this.client, this.#inbox);
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
    const { inboxes } = this.#served;
    // An event is one line, because JSON contains no line break (HTML standard, server-sent events).
    const show = () => inboxes.show(email, this, 'data: ', '\n\n');
    const json = await this.#answers.make(this.client, this.#response, show);
    if (typeof json === 'string') this.#response.end(json, 'latin1');
    else await pipeline(joined(json), this.#response);
  }

  #fail(error: unknown): void {
    // Expected: the email was deleted, its turn did not come, or the store is away (and logs that itself).
    const isKnown = error instanceof EmailGoneError || error instanceof RequestError || error instanceof StoreAwayError;
    if (!this.#isClosed && !isKnown) this.#served.log.error({ err: error }, 'A stream failed.');
    this.#response.destroy();
  }

  #stopWaiting(result: StreamResult): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    const { events, clock } = this.#served;
    events?.streamEnded(result, clock.monotonic() - this.#openedAt);
    this.#stopKeepalives();
    this.#wait?.leave();
    this.#wait = null;
  }
}
