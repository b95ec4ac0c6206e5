// The public interface of mayfly-mail. Everything else in this package is internal to Mayfly's service.
import { type Contents, readContents } from './contents.js';
import { type Explanation, explain as explainMessage } from './extract/explain.js';
import { parseMessage } from './mime/parse.js';
import { bodyText } from './read-mail.js';

export type { BoundedField, Contents, ContentsPart } from './contents.js';
export type { ExplainedCandidate, Explanation } from './extract/explain.js';
export type { ListedCode, ListedLink } from './extract/listing.js';
export type { Reason } from './extract/score.js';
export type { HeaderField } from './mime/header-list.js';
export type { MimePart } from './mime/part-list.js';
export type { NamedAddress } from './mime/sender.js';

/** The contents of an email. `incomplete` names the lists that reached a bound. */
export interface Mail extends Contents {
  /** Decoded; `""` without one. */
  readonly subject: string;
  /** The text that a reader sees: `text`, or that of the HTML if there is no other. Its first 5,000 characters. */
  readonly body: string;
  /** The one-time code, digits or letters: the first of `codes`; null without one. */
  readonly code: string | null;
  /** The address that the email asks its reader to open: the link whose `action` is true; null without one. */
  readonly link: string | null;
}

/**
 * Reads an email as it was sent: its header, an empty line and its body (RFC 5322). A string counts as its UTF-8 bytes.
 * Accepts any bytes and reads as much as a mail program would; throws a `TypeError` only for another type of argument.
 * Time and memory are linear in the size of the email, and every list has a bound.
 */
export function readMail(raw: Uint8Array | ArrayBuffer | string): Mail {
  const bytes = bytesOf(raw);
  const contents = readContents(bytes);
  const { subject } = parseMessage(bytes);
  return {
    subject,
    body: bodyText(contents.text, contents.html),
    code: contents.codes[0]?.value ?? null,
    link: contents.links.find(({ action }) => action)?.url ?? null,
    ...contents,
  };
}

/**
 * Why `readMail` chose a code and a link, or none: each candidate with its points and their reasons, the best first.
 * `otp` is the code if it has 4 to 8 digits, `magicLink` the link if its address or text names a sign-in, a
 * verification or a reset: the stricter choices of Mayfly's service.
 */
export function explain(raw: Uint8Array | ArrayBuffer | string): Explanation {
  return explainMessage(parseMessage(bytesOf(raw)));
}

function bytesOf(raw: unknown): Uint8Array {
  if (typeof raw === 'string') return Buffer.from(raw);
  if (raw instanceof Uint8Array) return raw;
  if (raw instanceof ArrayBuffer) return new Uint8Array(raw);
  const kind = raw === null ? 'null' : typeof raw;
  throw new TypeError(
    `Give the email as it was sent: a Buffer, a Uint8Array, an ArrayBuffer or a string. This is of the type ${kind}.`,
  );
}
