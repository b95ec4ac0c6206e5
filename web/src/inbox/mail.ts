import type { ReceivedEmail } from 'mayfly-client';

/** So many characters of a message are kept to be shown; the rest is in its file. */
export const MAX_SOURCE_CHARS = 64 * 1024;

/** An email as the page keeps it. */
export interface Mail {
  /** What names it in its inbox: its `receivedAt`, ISO 8601. */
  readonly key: string;
  /** The same, in milliseconds since the epoch. */
  readonly receivedAt: number;
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly body: string;
  readonly otp: string | null;
  readonly magicLink: string | null;
  /** The beginning of the message as it came. */
  readonly source: string;
  /** Length of the whole message, in characters. */
  readonly sourceLength: number;
}

/** What the page keeps of an email. */
export function mailOf({ rawBody, receivedAt, from, to, subject, body, otp, magicLink }: ReceivedEmail): Mail {
  const [source, sourceLength] = [beginning(rawBody), rawBody.length];
  return {
    key: receivedAt.toISOString(),
    receivedAt: receivedAt.getTime(),
    ...{ from, to, subject, body, otp, magicLink, source, sourceLength },
  };
}

/** A copy, since a part of a text would keep the whole of it in memory. */
function beginning(text: string): string {
  if (text.length <= MAX_SOURCE_CHARS) return text;
  return new TextDecoder().decode(new TextEncoder().encode(text.slice(0, MAX_SOURCE_CHARS)));
}

/** Mails with others added, newest first, each once. */
export function withMails(mails: readonly Mail[], added: readonly Mail[]): readonly Mail[] {
  const known = new Set(mails.map(({ key }) => key));
  const fresh = added.filter(({ key }) => !known.has(key));
  if (fresh.length === 0) return mails;
  return [...fresh, ...mails].sort((a, b) => b.receivedAt - a.receivedAt);
}

/** Those that somebody looks for: each word is in the sender, the subject, the text or the code. */
export function matching(mails: readonly Mail[], filter: string): readonly Mail[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return mails;
  return mails.filter(({ from, subject, body, otp }) => {
    const text = `${from} ${subject} ${body} ${otp ?? ''}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** One field of a message's header. */
export interface HeaderField {
  readonly name: string;
  readonly value: string;
}

/** The header of a message as it came, unfolded (RFC 5322 section 2.2.3). */
export function headerOf({ source }: Mail): HeaderField[] {
  const [header = ''] = source.split(/\r?\n\r?\n/, 1);
  return header
    .replace(/\r?\n(?=[ \t])/g, '')
    .split(/\r?\n/)
    .map((line) => ({ name: line.split(':', 1)[0] ?? '', value: line.slice(line.indexOf(':') + 1).trim() }))
    .filter(({ name, value }) => name !== '' && value !== '');
}
