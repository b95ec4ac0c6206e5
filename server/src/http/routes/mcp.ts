import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { ReadableStream as BodyStream } from 'node:stream/web';
import { httpErrors } from '../../errors.js';
import { version } from '../../version.js';
import type { AgentMailboxesOptions } from '../agent-mailboxes.js';
import { whenOver } from '../client-left.js';
import type { App, Reply, Request } from '../framework.js';
import type { OpenStream, OpenStreams } from '../open-streams.js';
import { RequestError } from '../request-error.js';

/** What the route answers from. */
export interface McpOptions extends Omit<AgentMailboxesOptions, 'request' | 'over'> {
  readonly streams: OpenStreams;
}

/**
 * `POST /mcp`: coding agents (Model Context Protocol, Streamable HTTP without sessions). A message is a look, and counts as an open
 * stream until it is answered; a wait is an opened stream besides.
 */
export function addMcpRoute(app: App, options: McpOptions): void {
  // The engine is large, and most services never see an agent.
  let engine: ReturnType<typeof loadEngine> | null = null;
  app.post('/mcp', { config: { limit: 'look' }, schema: { hide: true } }, async (request, reply) => {
    // Several calls in one would be counted as one.
    if (Array.isArray(request.body)) throw new RequestError(httpErrors.agentBatch);
    const exchange = openExchange(options, request, reply);
    engine ??= loadEngine();
    const { answerAgent, AgentMailboxes, given } = await engine;
    const mailboxes = new AgentMailboxes({ ...options, request, over: exchange.signal });
    const agent = { mailboxes, given: given.to(mailboxes.caller), version: version() };
    const headers = headersOf(request);
    return send(reply, await answerAgent({ headers, body: request.body, signal: exchange.signal }, agent));
  });
}

async function loadEngine() {
  const [{ answerAgent, GivenByClient }, { AgentMailboxes }] = await Promise.all([
    import('mayfly-mcp/http'),
    import('../agent-mailboxes.js'),
  ]);
  return { answerAgent, AgentMailboxes, given: new GivenByClient() };
}

/** One message and its answer: over when its client has it or has left, and when the service stops. */
class Exchange implements OpenStream {
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

function openExchange({ streams, access }: McpOptions, request: Request, { raw }: Reply): Exchange {
  const client = access.clientOf(request);
  const exchange = streams.open(client, () => new Exchange(raw));
  whenOver(raw, () => {
    exchange.over();
    streams.close(client, exchange);
  });
  return exchange;
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
