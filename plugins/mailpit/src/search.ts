import { httpErrors, type Request, RequestError, type Viewer } from 'mayfly-inbox/plugin';
import type { Head, Message } from 'mayfly-plugins-shared/all-inboxes';
import { recipientNamed, textParameter } from 'mayfly-plugins-shared/requests';
import { meantBy } from 'mayfly-protocol/misspelled';
import type { Mailpit, ReadMarks } from './mailpit.js';
import { badSearch, searchTerms, type Term, type TextField, UTC, type Zone, zoneOf } from './search-query.js';
import { tagsOf } from './summary.js';

/** Parses `query`. Throws 400 if it is invalid or its name is misspelled. Like Mailpit, ignores other parameters. */
export function termsOf(request: Request): Term[] {
  const given = Object.keys(request.query as object);
  const misspelled = given.includes('query') ? undefined : given.find((name) => meantBy(name, ['query']) !== null);
  if (misspelled !== undefined) throw badSearch(`the parameter is "query", not "${misspelled}"`);
  return searchTerms(textParameter(request, 'query'), zoneIn(request));
}

export function zoneIn(request: Request): Zone {
  const name = textParameter(request, 'tz');
  if (name === '') return UTC;
  const zone = zoneOf(name);
  if (zone !== null) return zone;
  throw new RequestError(httpErrors.badQuery, {
    name: 'tz',
    rule: 'use a time zone name such as Europe/Berlin',
  });
}

type NamedAddress = Head['from'];

/**
 * Searches one inbox if the search names a whole address in a served domain, otherwise the newest mail. If the same
 * search found nothing at the time `since`, skips messages from before then, because they have not changed.
 */
export async function searched(
  terms: readonly Term[],
  { inboxes, records, marks }: Mailpit,
  viewer: Viewer,
  since: number | null = null,
): Promise<readonly Message[]> {
  const recipients = terms.map((term) => recipientIn(term, records, viewer));
  const at = recipients.findIndex((recipient) => recipient !== null);
  const recipient = recipients[at] ?? null;
  const all = recipient === null ? await inboxes.list(viewer) : await inboxes.listFor(recipient, viewer);
  // Only the read state of a message changes, so only a search for the read state needs older messages again.
  const isNew = since !== null && !terms.some(({ kind }) => kind === 'read');
  const messages = isNew
    ? all.filter(({ emails }) => emails.some(({ receivedAt }) => receivedAt >= since - LATE_MS))
    : all;
  const others = terms.filter((_, i) => i !== at);
  // Tests text terms last, because they cost the most.
  const ordered = [...others.filter(({ kind }) => kind !== 'text'), ...others.filter(({ kind }) => kind === 'text')];
  if (ordered.length === 0) return messages;
  const passes = async (head: Head, message: Message) => {
    for (const term of ordered) {
      const isInHead = holds(term, head, message, marks);
      const isSo =
        isInHead || (term.kind === 'text' && (await inboxes.body(message)).toLowerCase().includes(term.text));
      if (isSo === term.isExcluded) return false;
    }
    return true;
  };
  return inboxes.matching(messages, passes, viewer);
}

/** Mail may become visible this long after its time of receipt, especially if another process stores it. */
const LATE_MS = 60_000;

function recipientIn(term: Term, records: Mailpit['records'], viewer: Viewer) {
  if (term.isExcluded || term.kind !== 'field' || term.field !== 'to') return null;
  return recipientNamed(term.text, records, viewer);
}

function holds(term: Term, head: Head, { key, emails }: Message, marks: ReadMarks): boolean {
  const receivedAt = emails[0]?.receivedAt ?? 0;
  switch (term.kind) {
    case 'before':
      return receivedAt <= term.moment;
    case 'after':
      return receivedAt >= term.moment;
    case 'read':
      return marks.has(key) === term.isRead;
    case 'attachments':
      return head.attachments > 0;
    case 'inline':
      return head.inlineFiles > 0;
    case 'tagged':
      return tagsOf(head).length > 0;
    case 'tag':
      return tagsOf(head).some((tag) => tag.toLowerCase() === term.tag);
    case 'larger':
    case 'smaller':
      // A message of exactly this size is neither larger nor smaller, so it matches no term, even an excluded one.
      if (head.size === term.bytes) return term.isExcluded;
      return head.size > term.bytes === (term.kind === 'larger');
    case 'field':
      return texts(head, term.field).some((text) => text.toLowerCase().includes(term.text));
    case 'text':
      return [...texts(head, 'addressed'), head.subject, ...head.fileNames].some((text) =>
        text.toLowerCase().includes(term.text),
      );
  }
}

const PEOPLE: Readonly<Record<Exclude<TextField, 'subject' | 'message-id'>, (head: Head) => readonly NamedAddress[]>> =
  {
    to: ({ to }) => to,
    from: ({ from }) => [from],
    cc: ({ cc }) => cc,
    bcc: ({ bcc }) => bcc,
    'reply-to': ({ replyTo }) => replyTo,
    addressed: ({ to, from, cc, bcc, replyTo }) => [from, ...to, ...cc, ...bcc, ...replyTo],
  };

function texts(head: Head, field: TextField): readonly string[] {
  if (field === 'subject') return [head.subject];
  if (field === 'message-id') return [head.id];
  return PEOPLE[field](head).flatMap(({ name, address }) => [address, name]);
}
