import type { Inboxes } from '../../inbox/inboxes.js';
import type { Head, Mailbox, Message, Viewer } from '../../inbox/mailbox/mailbox.js';
import type { ReadMarks } from '../read-marks.js';
import { recipientNamed } from '../whole-address.js';
import type { Term, TextField } from './search-query.js';

/** Where is searched. */
export interface Searched {
  readonly inboxes: Inboxes;
  readonly mailbox: Mailbox;
  readonly marks: ReadMarks;
}

type NamedAddress = Head['from'];

/**
 * The messages that a search finds, the newest first. A recipient's whole address of a domain that is served leads to his inbox, where no
 * other address is found; everything else is looked for among the newest of all. `since` is when the same was looked for in vain: only
 * what came since then is looked at, since a message never changes.
 */
export async function searched(
  terms: readonly Term[],
  { inboxes, mailbox, marks }: Searched,
  viewer: Viewer,
  since: number | null = null,
): Promise<readonly Message[]> {
  const recipients = terms.map((term) => recipientIn(term, inboxes));
  const at = recipients.findIndex((recipient) => recipient !== null);
  const recipient = recipients[at] ?? null;
  const all = recipient === null ? await mailbox.messages(viewer) : await mailbox.messagesTo(recipient, viewer);
  // Whether it was read is the one thing of a message that does change.
  const isNew = since !== null && !terms.some(({ kind }) => kind === 'read');
  const messages = isNew ? all.filter((message) => mayHaveComeSince(since, message)) : all;
  const others = terms.filter((_, i) => i !== at);
  // The text of a mail is read last, since that costs most.
  const ordered = [...others.filter(({ kind }) => kind !== 'text'), ...others.filter(({ kind }) => kind === 'text')];
  if (ordered.length === 0) return messages;
  const passes = async (head: Head, message: Message) => {
    for (const term of ordered) {
      const isSo =
        holds(term, head, message, marks) ?? (await mailbox.body(message)).toLowerCase().includes(textOf(term));
      if (isSo === term.isExcluded) return false;
    }
    return true;
  };
  return mailbox.matching(messages, passes, viewer);
}

/** Mail has its time before it is stored, and that of another process is seen some seconds later. */
const LATE_MS = 60_000;

function mayHaveComeSince(since: number, { emails }: Message): boolean {
  return emails.some(({ receivedAt }) => receivedAt >= since - LATE_MS);
}

/** The recipient of a term that names one whole. */
function recipientIn(term: Term, inboxes: Inboxes) {
  if (term.isExcluded || term.kind !== 'field' || term.field !== 'to') return null;
  return recipientNamed(term.text, inboxes);
}

const textOf = (term: Term) => (term.kind === 'text' ? term.text : '');

/** Whether what a term says is so; null where the text of the mail has to be read for it. */
function holds(term: Term, head: Head, { key, emails }: Message, marks: ReadMarks): boolean | null {
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
    case 'field':
      return texts(head, term.field).some((text) => text.toLowerCase().includes(term.text));
    case 'text':
      return [...texts(head, 'addressed'), head.subject].some((text) => text.toLowerCase().includes(term.text)) || null;
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
