import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Clock } from '../../base/clock.js';
import { httpErrors } from '../../errors.js';
import { FairSemaphore } from '../../limits/semaphore.js';
import type { Access } from '../access/access.js';
import { whenOver } from '../answer/answers.js';
import type { OpenStream, OpenStreams } from '../answer/open-streams.js';
import { RETRY_SOON, RequestError, stoppingError } from '../answer/request-error.js';
import type { Reply, Request } from '../framework.js';

/** A session has no state: it only identifies the calls of one agent. */
const SESSION = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Model Context Protocol 2025-11-25, Streamable HTTP; the revision of 2026-07-28 has no sessions. */
const SESSION_HEADER = 'mcp-session-id';

/** Messages begun in a round of the event loop: each takes the protocol's engine 3 ms, thirty usual requests. */
const AT_ONCE = { total: 2, perClient: 1 } as const;

/** Calls with a longer id cannot be cancelled. */
const MAX_ID_CHARS = 100;

interface Message {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: { readonly requestId?: unknown };
}

/** Ends with the answer, the client, a cancellation or the service's stop. */
interface AgentCall extends OpenStream {
  readonly signal: AbortSignal;
  over(): void;
}

function newCall(response: ServerResponse): AgentCall {
  const controller = new AbortController();
  const over = () => controller.abort();
  const end = () => {
    over();
    response.end();
  };
  return { signal: controller.signal, over, end };
}

/** Unanswered calls of agents, as open streams. Before revision 2026-07-28, another request cancels by session. */
export class AgentCalls {
  readonly #streams: OpenStreams;
  readonly #access: Access;
  readonly #turns: FairSemaphore;
  readonly #open = new Map<string, AgentCall>();

  constructor(streams: OpenStreams, access: Access, clock: Clock) {
    this.#streams = streams;
    this.#access = access;
    const busy = () => new RequestError(httpErrors.tooManyAgentCalls, {}, RETRY_SOON);
    this.#turns = new FairSemaphore({ clock, bounds: AT_ONCE, busy, closed: stoppingError });
  }

  /**
   * Rejects with 429 and 503 as `OpenStreams.open`. Only calls take a place: a client without places must still cancel.
   */
  async begin(request: Request, { raw }: Reply): Promise<AgentCall> {
    const { id } = messageOf(request);
    if (id === undefined) return newCall(raw);
    const client = this.#access.clientOf(request);
    const call = newCall(raw);
    const close = await this.#streams.open(client, call);
    const key = this.#keyOf(request, id);
    if (key !== null) this.#open.set(key, call);
    whenOver(raw, () => {
      call.over();
      close();
      if (key !== null && this.#open.get(key) === call) this.#open.delete(key);
    });
    return call;
  }

  /** Waits for the message's turn. Resolves to false if the signal aborts first. Rejects with 429 if too many wait. */
  async turn(request: Request, signal: AbortSignal): Promise<boolean> {
    try {
      setImmediate(await this.#turns.acquire({ client: this.#access.clientOf(request), signal }));
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    return !signal.aborted;
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
