import { Readable } from 'node:stream';
import type { ReadableStream as BodyStream } from 'node:stream/web';
import { httpErrors } from '../../errors.js';
import { version } from '../../manifest.js';
import { AgentCalls, sessionOf } from '../agent-calls.js';
import type { AgentMailboxesOptions } from '../agent-mailboxes.js';
import type { App, Reply, Request } from '../framework.js';
import type { OpenStreams } from '../open-streams.js';
import { RequestError } from '../request-error.js';

/** What the route answers from. */
export interface McpOptions extends Omit<AgentMailboxesOptions, 'request'> {
  readonly streams: OpenStreams;
}

/** The type of every answer to a call, so of an empty one. */
const EVENTS = 'text/event-stream';

/**
 * `POST /mcp`: coding agents (Model Context Protocol, Streamable HTTP). A message is a look, and a call counts as an open stream until
 * it is answered; one that waits for an email is an opened stream besides.
 */
export function addMcpRoute(app: App, options: McpOptions): void {
  const calls = new AgentCalls(options.streams, options.access);
  // The engine is large, and most services never see an agent.
  let engine: ReturnType<typeof loadEngine> | null = null;
  app.post('/mcp', { config: { limit: 'look', source: 'mcp' }, schema: { hide: true } }, async (request, reply) => {
    // Several calls in one would be counted as one.
    if (Array.isArray(request.body)) throw new RequestError(httpErrors.agentBatch);
    calls.cancel(request);
    const { signal } = await calls.begin(request, reply);
    engine ??= loadEngine();
    const { answerAgent, AgentMailboxes, given } = await engine;
    await calls.turn(request);
    // Whoever cancels a call is told nothing of it, as where it has begun.
    if (signal.aborted) return reply.type(EVENTS).send('');
    const mailboxes = new AgentMailboxes({ ...options, request });
    const agent = { mailboxes, given: given.to(mailboxes.caller), version: version() };
    const answer = await answerAgent({ headers: headersOf(request), body: request.body, signal }, agent);
    return send(reply.headers(sessionOf(request)), answer);
  });
}

async function loadEngine() {
  const [{ answerAgent, GivenByClient }, { AgentMailboxes }] = await Promise.all([
    import('mayfly-mcp/http'),
    import('../agent-mailboxes.js'),
  ]);
  return { answerAgent, AgentMailboxes, given: new GivenByClient() };
}

/** The headers that the protocol knows. */
function headersOf({ headers }: Request): Headers {
  const known = Object.entries(headers).filter(([name]) => /^(?:accept|content-type|mcp-[a-z-]+)$/.test(name));
  return new Headers(known.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])));
}

function send(reply: Reply, { status, headers, body }: Response): Reply {
  reply.code(status).header('x-accel-buffering', 'no');
  const type = headers.get('content-type');
  if (type !== null) reply.type(type);
  return reply.send(body === null ? null : Readable.fromWeb(body as BodyStream));
}
