import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { httpErrors } from '../errors.js';
import { FairTurns } from '../limits/fair-turns.js';
import type { Access } from './access.js';
import { whenOver } from './client-left.js';
import type { Reply, Request } from './framework.js';
import type { OpenStream, OpenStreams } from './open-streams.js';
import { RequestError, retryAfter } from './request-error.js';

/** A session as it is named here. It holds nothing: it only tells whose calls are whose. */
const SESSION = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Where a session stands (Model Context Protocol 2025-11-25, Streamable HTTP; the revision of 2026-07-28 has none). */
const SESSION_HEADER = 'mcp-session-id';

/**
 * How many messages of one client, and of all, are taken up each time the event loop comes round. The protocol's engine takes some 3 ms
 * for each, thirty times as long as another request: others come between.
 */
const SHARE = 1;
const AT_ONCE = 2;

/** How many of one client's may wait for that: more than it may have open streams, by default. */
const MOST_WAITING = 500;

/** After how long a client may try again of which more would wait. */
const TURN_RETRY_MS = 1_000;

/** A call whose number is longer, as JSON, cannot be cancelled by it. No host has such. */
const MAX_ID_CHARS = 100;

/** What is looked at of a message before the protocol's engine takes it. */
interface Message {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: { readonly requestId?: unknown };
}

/** A call and its answer: over when its client has the answer or has left, when it is cancelled, and when the service stops. */
export class AgentCall implements OpenStream {
  readonly #controller = new AbortController();
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  /** Is aborted when the call is over. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  end(): void {
    this.over();
    this.#response.end();
  }

  over(): void {
    this.#controller.abort();
  }
}

/**
 * The calls of agents that are not answered yet. Each counts as an open stream. Hosts of the revisions before 2026-07-28 do not leave
 * when they cancel a call, they send a message, in another request: so each of them gets a session, by which that finds the call.
 */
export class AgentCalls {
  readonly #streams: OpenStreams;
  readonly #access: Access;
  readonly #turns = new FairTurns<() => void>({
    ...{ share: SHARE, atOnce: AT_ONCE, most: MOST_WAITING },
    begin: (begin) => begin(),
  });
  /** Those that have a session, by what `keyOf` makes. */
  readonly #open = new Map<string, AgentCall>();

  constructor(streams: OpenStreams, access: Access) {
    this.#streams = streams;
    this.#access = access;
  }

  /**
   * Begins a call. Rejects with 429 when the client has too many open streams, 503 when all are taken. What is no call, such as a message
   * that cancels one, is answered at once and takes no place: who has used up his own must be able to cancel.
   */
  async begin(request: Request, { raw }: Reply): Promise<AgentCall> {
    const { id } = messageOf(request);
    if (id === undefined) return new AgentCall(raw);
    const client = this.#access.clientOf(request);
    const call = await this.#streams.open(client, () => new AgentCall(raw));
    const key = this.#keyOf(request, id);
    if (key !== null) this.#open.set(key, call);
    whenOver(raw, () => {
      call.over();
      this.#streams.close(client, call);
      if (key !== null && this.#open.get(key) === call) this.#open.delete(key);
    });
    return call;
  }

  /** Resolves when it is the turn of a client's message. Rejects with 429 when too many of them wait. */
  turn(request: Request): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#turns.take(this.#access.clientOf(request), resolve)) return;
      reject(new RequestError(httpErrors.tooManyRequests, {}, retryAfter(TURN_RETRY_MS)));
    });
  }

  /** Ends the call that a message cancels, where it is one of the same session. */
  cancel(request: Request): void {
    const { method, params } = messageOf(request);
    if (method !== 'notifications/cancelled') return;
    const key = this.#keyOf(request, params?.requestId);
    if (key !== null) this.#open.get(key)?.over();
  }

  #keyOf(request: Request, id: unknown): string | null {
    const session = request.headers[SESSION_HEADER];
    const number = JSON.stringify(id) ?? '';
    if (typeof session !== 'string' || !SESSION.test(session) || number.length > MAX_ID_CHARS) return null;
    return `${this.#access.clientOf(request)} ${session} ${number}`;
  }
}

/** The header that begins a session, where a host of those revisions introduces itself. */
export function sessionOf(request: Request): Record<string, string> {
  return messageOf(request).method === 'initialize' ? { [SESSION_HEADER]: randomUUID() } : {};
}

function messageOf({ body }: Request): Message {
  return typeof body === 'object' && body !== null ? body : {};
}
