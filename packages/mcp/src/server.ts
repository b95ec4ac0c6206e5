import { McpServer, type ServerContext } from '@modelcontextprotocol/server';
import type * as z from 'zod';
import type { Given } from './given.js';
import { INSTRUCTIONS, verifySignUp } from './instructions.js';
import { type Mailboxes, ToolError } from './mailboxes.js';
import type { Report } from './progress.js';
import { verifySignUpInput } from './schemas.js';
import { checkInbox, createInbox, getEmailTool, type Tool, waitForEmailTool } from './tools.js';

/** The agent that calls the tools, and the inboxes that the tools access. */
export interface Agent {
  readonly mailboxes: Mailboxes;
  readonly given: Given;
  readonly version: string;
}

/** The tools change nothing, and access nothing outside of Mayfly. */
const ANNOTATIONS = { readOnlyHint: true, openWorldHint: false } as const;

/** The text of an internal error for agents. The operator's log has the error. */
const INTERNAL = 'Something went wrong inside Mayfly. See its log for the cause.';

/** Serves the tools and the prompt to one agent: for a connection (stdio) or for a single request (HTTP). */
export function agentServer(agent: Agent): McpServer {
  const { version } = agent;
  const server = new McpServer({ name: 'mayfly', title: 'Mayfly', version }, { instructions: INSTRUCTIONS });
  addTool(server, agent, createInbox);
  addTool(server, agent, waitForEmailTool);
  addTool(server, agent, checkInbox);
  addTool(server, agent, getEmailTool);
  const prompt = {
    title: 'Verify a sign-up',
    description: 'Signs up in a browser with a new address, and verifies it with the mail that arrives.',
    argsSchema: verifySignUpInput,
  };
  server.registerPrompt('verify_sign_up', prompt, ({ app_url }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: verifySignUp(app_url) } }],
  }));
  return server;
}

function addTool<I extends z.ZodObject, O extends z.ZodObject>(
  server: McpServer,
  { mailboxes, given }: Agent,
  { name, title, description, input, output, run }: Tool<I, O>,
): void {
  const config = { title, description, inputSchema: input, outputSchema: output, annotations: ANNOTATIONS };
  server.registerTool<z.ZodObject, z.ZodObject>(name, config, async (args, context) => {
    const { signal } = context.mcpReq;
    try {
      // The result is repeated as text for hosts without structured content.
      const result = await run(args as z.output<I>, { mailboxes, given, signal, report: reportTo(context) });
      return { content: [{ type: 'text', text: JSON.stringify(result) }], structuredContent: result };
    } catch (error) {
      if (signal.aborted || error instanceof ToolError) throw error;
      mailboxes.report(error);
      throw new ToolError(INTERNAL);
    }
  });
}

/** Reports the progress of a call if the host has sent a progress token. */
function reportTo({ mcpReq }: ServerContext): Report | null {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return null;
  return (progress, total, message) => {
    const told = mcpReq.notify({
      method: 'notifications/progress',
      params: { progressToken, progress, total, message },
    });
    // Reports to a disconnected client fail, which is harmless.
    told.catch(() => {});
  };
}
