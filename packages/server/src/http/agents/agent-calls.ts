import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { httpErrors } from '../../errors.js';
import { RoundRobin } from '../../limits/event-loop.js';
import type { Access } from '../access/access.js';
import { whenOver } from '../answer/client-left.js';
import type { OpenStream, OpenStreams } from '../answer/open-streams.js';
import { RETRY_SOON, RequestError } from '../answer/request-error.js';
import type { Reply, Request } from '../framework.js';

/** A session holds nothing: it only tells whose calls are whose. */
const SESSION = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Model Context Protocol 2025-11-25, Streamable HTTP; the revision of 2026-07-28 has no sessions. */
const SESSION_HEADER = 'mcp-session-id';

/** Messages begun in a round of the event loop: each takes the protocol's engine 3 ms, thirty usual requests. */
const SHARE = 1;
const AT_ONCE = 2;

/** Per client: more than its streams by default. */
const MOST_WAITING = 500;

/** Calls with a longer id cannot be cancelled. */
const MAX_ID_CHARS = 100;

interface Message {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: { readonly requestId?: unknown };
}

/** Ends with the answer, the client, a cancellation or the service. */
class AgentCall implements OpenStream {
  readonly #controller = new AbortController();
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

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

/** Unanswered calls of agents, as open streams. Before revision 2026-07-28, another request cancels by session. */
export class AgentCalls {
  readonly #streams: OpenStreams;
  readonly #access: Access;
  readonly #turns = new RoundRobin<() => void>({
    ...{ share: SHARE, atOnce: AT_ONCE, most: MOST_WAITING },
    begin: (begin) => begin(),
  });
  readonly #open = new Map<string, AgentCall>();

  constructor(streams: OpenStreams, access: Access) {
    this.#streams = streams;
    this.#access = access;
  }

  /**
   * Rejects with 429 and 503 as `OpenStreams.open`. Only calls take a place: a client without places must still cancel.
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

  turn(request: Request): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#turns.take(this.#access.clientOf(request), resolve)) return;
      reject(new RequestError(httpErrors.tooManyAgentCalls, {}, RETRY_SOON));
    });
  }

  /** Ends the call of the same session that a message cancels. */
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

export function sessionOf(request: Request): Record<string, string> {
  return messageOf(request).method === 'initialize' ? { [SESSION_HEADER]: randomUUID() } : {};
}

function messageOf({ body }: Request): Message {
  return typeof body === 'object' && body !== null ? body : {};
}
