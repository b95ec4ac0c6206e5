import { httpErrors } from '../../errors.js';
import type { Request } from '../../http/framework.js';
import { RequestError } from '../../http/request-error.js';
import type { Head, Message, Viewer } from '../../inbox/mailbox/mailbox.js';
import { textParameter } from '../paging.js';
import type { Shared } from '../shared.js';
import { recipientNamed } from '../whole-address.js';

const KINDS = ['from', 'to', 'containing'] as const;

/**
 * The messages that a request searches for, the newest first. A recipient's whole address of a domain that is served leads to his inbox,
 * where no other address is found; everything else is looked for among the newest of all. Throws 400.
 */
export async function searched(request: Request, shared: Shared, viewer: Viewer): Promise<readonly Message[]> {
  const { mailbox, inboxes } = shared;
  const kind = KINDS.find((known) => known === textParameter(request, 'kind'));
  const query = textParameter(request, 'query').toLowerCase();
  if (kind === undefined) throw badQuery('kind', 'give from, to or containing');
  if (query === '') throw badQuery('query', 'give the text to look for');
  const recipient = kind === 'to' ? recipientNamed(query, inboxes) : null;
  if (recipient !== null) return mailbox.messagesTo(recipient, viewer);
  const holds = (texts: readonly string[]) => texts.some((text) => text.toLowerCase().includes(query));
  const passes = async (head: Head, message: Message) =>
    holds(TEXTS[kind](head)) || (kind === 'containing' && (await isWithin(query, message, shared)));
  return mailbox.matching(await mailbox.messages(viewer), passes, viewer);
}

const named = ({ name, address }: Head['from']) => [address, name];

const TEXTS: Readonly<Record<(typeof KINDS)[number], (head: Head) => readonly string[]>> = {
  from: ({ envelopeFrom, from }) => [envelopeFrom, ...named(from)],
  to: ({ recipients, to }) => [...recipients, ...to.flatMap(named)],
  containing: ({ subject, from, to, cc }) => [subject, ...[from, ...to, ...cc].flatMap(named)],
};

/** Whether a message's text has what is looked for, decoded or as it was sent, as far as its first piece in the store goes. */
async function isWithin(query: string, message: Message, { mailbox }: Shared): Promise<boolean> {
  const text = await mailbox.body(message);
  return text.toLowerCase().includes(query) || (await mailbox.beginning(message)).toLowerCase().includes(query);
}

function badQuery(name: string, rule: string): RequestError {
  return new RequestError(httpErrors.badQuery, { name, rule });
}
