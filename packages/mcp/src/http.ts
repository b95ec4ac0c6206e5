import { createMcpHandler } from '@modelcontextprotocol/server';
import { type Agent, agentServer } from './server.js';

export { MAX_PART_CHARS } from './bounds.js';
export { GivenByClient } from './given.js';
export { ToolError } from './mailboxes.js';
export { reachable } from './reachable.js';

/**
 * Interval of keep-alives in a pending response. Proxies, and this service's own limit, end a response after 30 s
 * without data.
 */
const KEEPALIVE_MS = 10_000;

/** From this status on, the fault is the service's and not the request's (RFC 9110 section 15.6). */
const LEAST_FAULT_STATUS = 500;

/** An HTTP request that carries one MCP message. Its body has already been read. */
export interface AgentRequest {
  readonly headers: Headers;
  /** The parsed JSON. */
  readonly body: unknown;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

/**
 * Answers one MCP message (Streamable HTTP without sessions). Results are event streams, for progress and keep-alives.
 * The list of tools never changes, so clients cannot subscribe to changes.
 */
export async function answerAgent({ headers, body, signal }: AgentRequest, agent: Agent): Promise<Response> {
  const { mailboxes } = agent;
  let isAnswered = false;
  const errors: Error[] = [];
  const { fetch } = createMcpHandler(() => agentServer(agent), {
    responseMode: 'sse',
    keepAliveMs: KEEPALIVE_MS,
    maxSubscriptions: 0,
    onerror: (error) => {
      if (signal.aborted) return;
      if (isAnswered) mailboxes.report(error);
      else errors.push(error);
    },
  });
  const request = new Request('http://mayfly.invalid/mcp', { method: 'POST', headers, signal });
  const answer = await fetch(request, { parsedBody: body });
  isAnswered = true;
  // Logs only faults of the service. The response reports faults of a request, which must not fill the operator's log.
  if (answer.status >= LEAST_FAULT_STATUS) for (const error of errors) mailboxes.report(error);
  return answer;
}
