import { newName, newPrivateName } from 'mayfly-client/api';
import { askWhy } from 'mayfly-client/no-mail';
import { MAX_PART_CHARS, reachable, ToolError } from 'mayfly-mcp/http';
import type { EmailKey, Mailboxes, WantedInbox } from 'mayfly-mcp/mailboxes';
import { type Inspection, NO_SUMMARIES } from '../../inbox/inboxes.js';
import { firstDomain } from '../../settings/table.js';
import { hostOf } from '../access/host.js';
import { RequestError } from '../answer/request-error.js';
import type { Request } from '../framework.js';
import type { Served } from '../parts.js';
import { timeOf } from '../request/parameters.js';
import { inboxAttempts, sessionAttempts } from './attempts.js';
import { ifThere, shown } from './email.js';

export function agentMailboxes(served: Served, request: Request): Mailboxes {
  const { access, clock, page, inboxes, log, settings } = served;
  const { client, workspace } = request.caller;

  const asking = <T>(inbox: string, ask: () => Promise<T>): Promise<T> =>
    asked(async () => {
      access.checkOwner(request, inbox);
      await access.tryName(request, inbox);
      return ask();
    });

  const inspect = <T>({ inbox, receivedAt }: EmailKey, inspection: Inspection, signal: AbortSignal): Promise<T> =>
    asking(inbox, async () => {
      // No memory is held, because the result is read immediately.
      const by = { client, signal, cut: () => request.socket.destroy(), hold() {} };
      const reading = inboxes.messages.inspect(inbox, Date.parse(receivedAt), inspection, by);
      const found = shown(access, request, inbox, await ifThere(access, reading));
      return JSON.parse(Buffer.from(found.buffer, found.byteOffset, found.length).toString());
    });

  return {
    async create(wanted) {
      const listeners = served.smtp();
      if (listeners === null) throw new ToolError('The service is starting. Try again in a moment.');
      const { name, secret } = madeInbox(workspace ?? undefined, wanted);
      const base = baseOf(request);
      return {
        name,
        secret,
        address: `${name}@${firstDomain(settings.domain)}`,
        after: new Date(clock.now()).toISOString(),
        pageUrl:
          page !== null && base !== null ? `${base.origin}/inbox/${name}${secret === null ? '' : `#${secret}`}` : null,
        smtp: base === null ? listeners.smtp : reachable(listeners.smtp, base),
      };
    },
    nameOf: ({ inbox: text, secret }) =>
      asked(async () => {
        const inbox = access.inboxNamed(request, text);
        if (secret !== undefined) await access.openPrivate(request, inbox, secret);
        return inbox;
      }),
    next: (inbox, { after, ...filter }, { timeoutMs, signal }) =>
      asking(inbox, async () => {
        await access.countStream(request);
        const taker = { way: 'mcp', client } as const;
        const selection = { ...filter, after: timeOf(after) };
        const endsAt = clock.monotonic() + timeoutMs;
        for (;;) {
          const left = Math.max(0, endsAt - clock.monotonic());
          const email = await inboxes.next(inbox, selection, { timeoutMs: left, signal, ...taker });
          if (email === null) return null;
          const json = await inboxes.brief(email, taker);
          // The email was deleted meanwhile.
          if (json === null) continue;
          access.foundMail(client, inbox);
          return JSON.parse(Buffer.from(json, 'latin1').toString());
        }
      }),
    summaries: (inbox, { after, limit }, signal) =>
      asking(inbox, async () => {
        const json = await inboxes.readSummaries(inbox, { after: timeOf(after) }, { limit }, signal);
        if (typeof json !== 'string') throw new Error('The email summaries exceed the size of one piece.');
        if (json !== NO_SUMMARIES) access.foundMail(client, inbox);
        return JSON.parse(Buffer.from(json, 'latin1').toString()).emails;
      }),
    whyNothing: (inbox, inVain, signal) =>
      asking(inbox, () => {
        const api = {
          attempts: async () => inboxAttempts(served, request, inbox, { after: 0 }),
          sessions: async (after: string) => sessionAttempts(served, request, { after: Date.parse(after) }),
        };
        return askWhy(api, inVain, signal);
      }),
    contents: (email, signal) => inspect(email, { excerpt: MAX_PART_CHARS }, signal),
    explanation: (email, signal) => inspect(email, 'explanation', signal),
    report: (error) => log.error({ err: error }, 'An agent call failed.'),
  };
}

/** Reports HTTP's errors to the agent. */
async function asked<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw error instanceof RequestError ? new ToolError(error.message, { cause: error }) : error;
  }
}

function madeInbox(workspace: string | undefined, { prefix, private: isPrivate }: WantedInbox) {
  if (isPrivate && prefix !== undefined) throw new ToolError('Omit "prefix", which a private inbox cannot have.');
  try {
    return isPrivate ? newPrivateName() : { name: newName(workspace, prefix), secret: null };
  } catch (error) {
    throw error instanceof Error && error.name === 'MayflyOptionError' ? new ToolError(error.message) : error;
  }
}

function baseOf(request: Request): URL | null {
  // An untrusted header is safe here, because only its sender sees the result.
  const protocol = request.headers['x-forwarded-proto'] === 'https' ? 'https' : 'http';
  const host = hostOf(request);
  const base = `${protocol}://${host}`;
  return host && URL.canParse(base) ? new URL(base) : null;
}
