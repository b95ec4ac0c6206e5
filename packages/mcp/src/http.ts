import { createMcpHandler } from '@modelcontextprotocol/server';
import { type Agent, agentServer } from './server.js';

export { MAX_PART_CHARS } from './bounds.js';
export { GivenByClient } from './given.js';
export { ToolError } from './mailboxes.js';
export { reachable } from './reachable.js';

/**
 * How often an answer that is waited for gives a sign of life: proxies, and this service's own bound, end what is
 * silent for 30 s.
 */
const KEEPALIVE_MS = 10_000;

/** From this status on, an answer is our fault and not the request's (RFC 9110 section 15.6). */
const LEAST_FAULT_STATUS = 500;

/** One message to the service by HTTP, its body read already. */
export interface AgentRequest {
  readonly headers: Headers;
  /** What its JSON holds. */
  readonly body: unknown;
  /** Aborted once the client left. */
  readonly signal: AbortSignal;
}

/**
 * Answers one message (Streamable HTTP without sessions). Results are event streams, for progress and heartbeats.
 * Nothing offered here changes, so there are no subscriptions.
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
  // The answer reports faults of a request, which must not fill the operator's log.
  if (answer.status >= LEAST_FAULT_STATUS) for (const error of errors) mailboxes.report(error);
  return answer;
}
