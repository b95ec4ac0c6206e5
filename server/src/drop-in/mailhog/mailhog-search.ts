import { httpErrors } from '../../errors.js';
import { type Request, RequestError } from '../../http/http.js';
import type { Head, Message, Viewer } from '../../inbox/mailbox/mailbox.js';
import { recipientNamed, textParameter } from '../parameters.js';
import type { Shared } from '../shared.js';

const KINDS = ['from', 'to', 'containing'] as const;

/** Newest first. A whole address of a served domain searches its inbox alone, anything else the newest of all mail. Throws 400. */
export async function searched(request: Request, shared: Shared, viewer: Viewer): Promise<readonly Message[]> {
  const { mailbox, inboxes } = shared;
  const kind = KINDS.find((known) => known === textParameter(request, 'kind'));
  const query = textParameter(request, 'query').toLowerCase();
  if (kind === undefined) throw badQuery('kind', 'use from, to or containing');
  if (query === '') throw badQuery('query', 'it must contain the text to search for');
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
  to: ({ recipients, to }) => [...recipients.map(({ to }) => to), ...to.flatMap(named)],
  containing: ({ subject, from, to, cc }) => [subject, ...[from, ...to, ...cc].flatMap(named)],
};

/** Decoded or as sent, as far as the message's first piece in the store goes. */
async function isWithin(query: string, message: Message, { mailbox }: Shared): Promise<boolean> {
  const text = await mailbox.body(message);
  return text.toLowerCase().includes(query) || (await mailbox.beginning(message)).toLowerCase().includes(query);
}

function badQuery(name: string, rule: string): RequestError {
  return new RequestError(httpErrors.badQuery, { name, rule });
}
