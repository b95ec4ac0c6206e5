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

/** The contents of an email. `incomplete` names the lists that were truncated. */
export interface Mail extends Contents {
  /** The decoded Subject; `""` if missing. */
  readonly subject: string;
  /** The text that a reader sees, at most 5,000 characters: `text`, or the text of the HTML if there is no `text`. */
  readonly body: string;
  /** The one-time code, which may contain letters: the first of `codes`; null if the email has none. */
  readonly code: string | null;
  /** The action link: the address of the link whose `action` is true; null if the email has none. */
  readonly link: string | null;
}

/**
 * Parses an email as it was sent: its header, an empty line and its body (RFC 5322). A string is encoded as UTF-8.
 * Accepts any bytes and reads as much as a mail program would; throws a `TypeError` for any other type of argument.
 * Time and memory are linear in the size of the email, and every list has a maximum length.
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
 * Explains why `readMail` chose a code and a link, or none: each candidate with its points and reasons, best first.
 * `otp` is the code if it has 4 to 8 digits, and `magicLink` is the link if its address or text mentions a sign-in, a
 * verification or a reset. These are the stricter choices of Mayfly's service.
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
    `The email has the type ${kind}. Pass the whole message as a Buffer, a Uint8Array, an ArrayBuffer or a string.`,
  );
}
