import { TEXT_CHARS, type Viewer } from 'mayfly-inbox/plugin';
import type { AllInboxes, Head, Message } from 'mayfly-plugins-shared/all-inboxes';
import { type EmailPlace, idOf } from 'mayfly-plugins-shared/requests';
import { mailpitAddress, withoutBrackets } from './read-mailpit.js';

export const VERSION = 'v1.30.0';

type Known = { readonly isRead: boolean; readonly username: string | undefined };

/** Returns a message as in Mailpit's lists, with code and link. The ID and the time are those of `email`. */
export function mailpitSummary(email: EmailPlace, head: Head, { isRead, username = '' }: Known) {
  const text = head.text.replace(/\s+/g, ' ').trim();
  return {
    ID: idOf(email),
    MessageID: withoutBrackets(head.id),
    Read: isRead,
    From: mailpitAddress(head.from),
    To: head.to.map(mailpitAddress),
    Cc: head.cc.map(mailpitAddress),
    Bcc: head.bcc.map(mailpitAddress),
    ReplyTo: head.replyTo.map(mailpitAddress),
    Subject: head.subject,
    Created: new Date(email.receivedAt).toISOString(),
    Username: username,
    Tags: tagsOf(head),
    Size: head.size,
    Attachments: head.attachments,
    // Mailpit's snippets have 250 characters. Ours are shorter. Text of the maximum length counts as truncated.
    Snippet: head.text.length >= TEXT_CHARS ? `${text}...` : text,
    OTP: head.otp,
    MagicLink: head.magicLink,
  };
}

const NO_TAG_CHARS = /[^a-zA-Z0-9 _.@-]/g;
const MAX_TAG_CHARS = 100;
const MAX_TAGS = 100;

/**
 * A message's tags in alphabetical order, from the same sources as in Mailpit: X-Tags, and the text after the first `+`
 * of an address. Only recipients in the header count. Tags are not stored, so they cannot be set later.
 */
export function tagsOf({ xTags, from, to, cc, bcc }: Head): string[] {
  const found = new Map<string, string>();
  const localParts = [...to, ...cc, ...bcc, from].map(({ address }) => address.split('@', 1)[0] ?? '');
  for (const written of [...xTags.split(','), ...localParts.flatMap((part) => part.split('+').slice(1))]) {
    const tag = written.replace(NO_TAG_CHARS, ' ').replace(/ +/g, ' ').trim().slice(0, MAX_TAG_CHARS);
    const key = tag.toLowerCase();
    if (tag !== '' && !found.has(key) && found.size < MAX_TAGS) found.set(key, tag);
  }
  return [...found].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, tag]) => tag);
}

const MOST_DIFFERENT = 1_000;

/** Counts how many messages have each tag. A tag is spelled as in the first of these messages. */
export class Tags {
  readonly #found = new Map<string, { readonly tag: string; messages: number }>();

  add(tags: readonly string[]): void {
    for (const tag of tags) {
      const known = this.#found.get(tag.toLowerCase());
      if (known !== undefined) known.messages += 1;
      else if (this.#found.size < MOST_DIFFERENT) this.#found.set(tag.toLowerCase(), { tag, messages: 1 });
    }
  }

  get counts(): ReadonlyMap<string, number> {
    const sorted = [...this.#found].sort(([one], [other]) => (one < other ? -1 : 1));
    return new Map(sorted.map(([, { tag, messages }]) => [tag, messages]));
  }
}

export async function tagsOfAll(messages: readonly Message[], inboxes: AllInboxes, viewer: Viewer): Promise<Tags> {
  const tags = new Tags();
  const add = (head: Head) => {
    tags.add(tagsOf(head));
    return false;
  };
  await inboxes.matching(messages, add, viewer);
  return tags;
}
