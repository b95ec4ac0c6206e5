import { createMcpHandler } from '@modelcontextprotocol/server';
import { type Agent, agentServer } from './server.js';

export { MAX_PART_CHARS } from './bounds.js';
export { checkDomain } from './domains.js';
export { GivenByClient } from './given.js';
export { ToolError } from './mailboxes.js';
export { reachable } from './reachable.js';

/** How often an answer that is waited for gives a sign of life: proxies, and this service's own bound, end what is silent for 30 s. */
const KEEPALIVE_MS = 10_000;

/** One message to the service by HTTP, its body read already. */
export interface AgentRequest {
  readonly headers: Headers;
  /** What its JSON holds. */
  readonly body: unknown;
  /** Is aborted when its client has left. */
  readonly signal: AbortSignal;
}

/**
 * Answers one message (Streamable HTTP without sessions: every request stands for itself). Results come as an event stream, so that
 * they can be preceded by progress and kept alive. Nothing that could change is offered, so nobody can subscribe to changes.
 */
export function answerAgent({ headers, body, signal }: AgentRequest, agent: Agent): Promise<Response> {
  const { fetch } = createMcpHandler(() => agentServer(agent), {
    responseMode: 'sse',
    keepAliveMs: KEEPALIVE_MS,
    maxSubscriptions: 0,
    onerror: (error) => {
      // What is wrong with a request is said in its answer, and what goes wrong in a tool is reported where it does.
      if (signal.aborted) return;
      agent.mailboxes.report(error);
    },
  });
  return fetch(new Request('http://mayfly.invalid/mcp', { method: 'POST', headers, signal }), { parsedBody: body });
}
