import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Clock } from '../../base/clock.js';
import { httpErrors } from '../../errors.js';
import { FairSemaphore } from '../../limits/semaphore.js';
import { manifest } from '../../manifest.js';
import { whenOver } from '../answer/answers.js';
import type { OpenStreams } from '../answer/open-streams.js';
import { RETRY_SOON, RequestError, stoppingError } from '../answer/request-error.js';
import type { App, Request } from '../framework.js';
import type { Served } from '../parts.js';

const EVENTS = 'text/event-stream';

/** `POST /mcp` (Model Context Protocol, Streamable HTTP). Each MCP message counts as a read, a wait as a new stream. */
export function addMcpRoute(app: App, served: Served): void {
  const { access, clock, streams, viewers } = served;
  const calls = agentCalls(streams, clock);
  // The engine is loaded on use, because it is large and most services see no agent.
  let engine: ReturnType<typeof loadEngine> | null = null;
  const route = {
    config: { limit: 'read', source: 'mcp' },
    schema: { hide: true },
    onRequest: async (request: Request) => viewers.checkAgent(request),
  } as const;
  app.post('/mcp', route, async (request, reply) => {
    // Refused, because a batch would count as only one message.
    if (Array.isArray(request.body)) throw new RequestError(httpErrors.agentBatch);
    calls.cancel(request);
    const signal = await calls.begin(request, reply.raw);
    engine ??= loadEngine();
    const { answerAgent, agentMailboxes, given } = await engine;
    // A cancelled call has an empty answer.
    const isTaken = await calls.turn(request, signal);
    if (!isTaken) return reply.type(EVENTS).send('');
    // Includes the workspace, because teams may share an IP address.
    const caller = `${request.caller.client} ${access.viewOf(request) ?? ''}`;
    const mailboxes = agentMailboxes(served, request);
    const agent = { mailboxes, given: given.to(caller), version: manifest.version };
    const { status, headers, body } = await answerAgent(
      { headers: headersOf(request), body: request.body, signal },
      agent,
    );
    const type = headers.get('content-type');
    if (type !== null) reply.type(type);
    if (messageOf(request).method === 'initialize') reply.header(SESSION_HEADER, randomUUID());
    return reply.code(status).header('x-accel-buffering', 'no').send(body);
  });
}

async function loadEngine() {
  const [{ answerAgent, GivenByClient }, { agentMailboxes }] = await Promise.all([
    import('mayfly-mcp/http'),
    import('./agent-mailboxes.js'),
  ]);
  return { answerAgent, agentMailboxes, given: new GivenByClient() };
}

function headersOf({ headers }: Request): Headers {
  const known = Object.entries(headers).filter(([name]) => /^(?:accept|content-type|mcp-[a-z-]+)$/.test(name));
  return new Headers(known.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])));
}

/** A session has no state: it only identifies the calls of one agent. */
const SESSION = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Model Context Protocol 2025-11-25, Streamable HTTP; the revision of 2026-07-28 has no sessions. */
const SESSION_HEADER = 'mcp-session-id';

/** Maximum number of MCP messages begun in a round of the event loop. Each takes 3 ms, as long as 30 other requests. */
const AT_ONCE = { total: 2, perClient: 1 } as const;

/** Calls with a longer id cannot be cancelled. */
const MAX_ID_CHARS = 100;

interface Message {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: { readonly requestId?: unknown };
}

/** Unanswered calls count as open streams. Before revision 2026-07-28, a session's later request can cancel a call. */
export function agentCalls(streams: OpenStreams, clock: Clock) {
  const busy = () => new RequestError(httpErrors.tooManyAgentCalls, {}, RETRY_SOON);
  const turns = new FairSemaphore({ clock, bounds: AT_ONCE, busy, closed: stoppingError });
  const open = new Map<string, AbortController>();
  return {
    /**
     * Resolves to a signal that aborts when the call is answered or cancelled, the client leaves or the service stops.
     * Rejects with 429 and 503 like `OpenStreams.open`. A cancellation never counts, so a client at its limit can cancel.
     */
    async begin(request: Request, response: ServerResponse): Promise<AbortSignal> {
      const { id } = messageOf(request);
      const call = new AbortController();
      if (id === undefined) return call.signal;
      const end = () => {
        call.abort();
        response.end();
      };
      const close = await streams.open(request.caller.client, { end });
      const key = keyOf(request, id);
      if (key !== null) open.set(key, call);
      whenOver(response, () => {
        call.abort();
        close();
        if (key !== null && open.get(key) === call) open.delete(key);
      });
      return call.signal;
    },

    /** Waits for the message's turn. Resolves to false if the signal aborts first. Rejects with 429 if too many wait. */
    async turn({ caller: { client } }: Request, signal: AbortSignal): Promise<boolean> {
      try {
        setImmediate(await turns.acquire({ client, signal }));
      } catch (error) {
        if (!signal.aborted) throw error;
      }
      return !signal.aborted;
    },

    /** If the request cancels an earlier call of its session, ends that call. */
    cancel(request: Request): void {
      const { method, params } = messageOf(request);
      if (method !== 'notifications/cancelled') return;
      const key = keyOf(request, params?.requestId);
      if (key !== null) open.get(key)?.abort();
    },
  };
}

function keyOf({ headers, caller }: Request, id: unknown): string | null {
  const session = headers[SESSION_HEADER];
  const number = JSON.stringify(id) ?? '';
  if (typeof session !== 'string' || !SESSION.test(session) || number.length > MAX_ID_CHARS) return null;
  return `${caller.client} ${session} ${number}`;
}

function messageOf({ body }: Request): Message {
  return typeof body === 'object' && body !== null ? body : {};
}
