import { Readable } from 'node:stream';
import type { ReadableStream as BodyStream } from 'node:stream/web';
import { httpErrors } from '../../errors.js';
import { version } from '../../manifest.js';
import type { Viewers } from '../access/viewers.js';
import { AgentCalls, sessionOf } from '../agents/agent-calls.js';
import type { AgentMailboxesOptions } from '../agents/agent-mailboxes.js';
import type { OpenStreams } from '../answer/open-streams.js';
import { RequestError } from '../answer/request-error.js';
import type { App, Reply, Request } from '../framework.js';

export interface McpOptions extends Omit<AgentMailboxesOptions, 'request'> {
  readonly streams: OpenStreams;
  readonly viewers: Viewers;
}

const EVENTS = 'text/event-stream';

/** `POST /mcp` (Model Context Protocol, Streamable HTTP): a message is a look, a call a stream, a wait opens one. */
export function addMcpRoute(app: App, options: McpOptions): void {
  const calls = new AgentCalls(options.streams, options.access, options.clock);
  // Loaded on use: it is large, and most services see no agent.
  let engine: ReturnType<typeof loadEngine> | null = null;
  const route = {
    config: { limit: 'read', source: 'mcp' },
    schema: { hide: true },
    onRequest: async (request: Request) => options.viewers.checkAgent(request),
  } as const;
  app.post('/mcp', route, async (request, reply) => {
    // A batch would count as one message.
    if (Array.isArray(request.body)) throw new RequestError(httpErrors.agentBatch);
    calls.cancel(request);
    const { signal } = await calls.begin(request, reply);
    engine ??= loadEngine();
    const { answerAgent, agentMailboxes, given } = await engine;
    // A cancelled call has an empty answer.
    const isTaken = await calls.turn(request, signal);
    if (!isTaken) return reply.type(EVENTS).send('');
    const { access } = options;
    // Includes the workspace, because teams may share an address.
    const caller = `${access.clientOf(request)} ${access.viewOf(request) ?? ''}`;
    const agent = { mailboxes: agentMailboxes({ ...options, request }), given: given.to(caller), version: version() };
    const answer = await answerAgent({ headers: headersOf(request), body: request.body, signal }, agent);
    return send(reply.headers(sessionOf(request)), answer);
  });
}

async function loadEngine() {
  const [{ answerAgent, GivenByClient }, { agentMailboxes }] = await Promise.all([
    import('mayfly-mcp/http'),
    import('../agents/agent-mailboxes.js'),
  ]);
  return { answerAgent, agentMailboxes, given: new GivenByClient() };
}

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
