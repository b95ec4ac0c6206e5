import type { Request, Viewer } from 'mayfly-inbox/plugin';
import type { Head, Message } from 'mayfly-plugins-shared/all-inboxes';
import { badQuery, recipientNamed, textParameter } from 'mayfly-plugins-shared/requests';
import { meantBy } from 'mayfly-protocol/misspelled';
import type { Mailpit } from './mailpit.js';
import { badSearch, holds, searchTerms, type Term, UTC, type Zone, zoneOf } from './search-query.js';

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
  throw badQuery('tz', 'use a time zone name such as Europe/Berlin');
}

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
  const recipients = terms.map(({ name, text, isExcluded }) =>
    name === 'to' && !isExcluded ? recipientNamed(text, records, viewer) : null,
  );
  const at = recipients.findIndex((recipient) => recipient !== null);
  const recipient = recipients[at] ?? null;
  const all = recipient === null ? await inboxes.list(viewer) : await inboxes.listFor(recipient, viewer);
  // Only the read state of a message changes, so only a search for the read state needs older messages again.
  const isNew = since !== null && !terms.some(({ name }) => name === 'is:read' || name === 'is:unread');
  const messages = isNew
    ? all.filter(({ emails }) => emails.some(({ receivedAt }) => receivedAt >= since - LATE_MS))
    : all;
  const others = terms.filter((_, i) => i !== at);
  // Tests words last, because they cost the most.
  const ordered = others.toSorted((one, other) => Number(one.name === '') - Number(other.name === ''));
  if (ordered.length === 0) return messages;
  const passes = async (head: Head, message: Message) => {
    const seen = { head, receivedAt: message.emails[0]?.receivedAt ?? 0, isRead: marks.has(message.key) };
    for (const term of ordered) {
      const isSo = holds(term, seen) || (term.name === '' && (await hasText(term.text, message)));
      if (isSo === term.isExcluded) return false;
    }
    return true;
  };
  const hasText = async (text: string, message: Message) =>
    (await inboxes.record(message))?.body.toLowerCase().includes(text) ?? false;
  return inboxes.matching(messages, passes, viewer);
}

/** Mail may become visible this long after its time of receipt, especially if another process stores it. */
const LATE_MS = 60_000;
