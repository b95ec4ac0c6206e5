import { trimBlanks } from './mime/byte-string.js';
import { decodeWords } from './mime/encoded-words.js';
import { eachField, unfold } from './mime/header-fields.js';
import { endOfLine, isEmptyLine, messageBytes } from './mime/line-ends.js';
import { listMailboxes, type NamedAddress } from './mime/sender.js';

/** Maximum number of bytes searched for address fields; later fields are ignored. */
const MAX_HEAD_BYTES = 32 * 1024;

export interface MessageHead {
  readonly from: readonly NamedAddress[];
  readonly to: readonly NamedAddress[];
  readonly cc: readonly NamedAddress[];
  readonly bcc: readonly NamedAddress[];
  readonly replyTo: readonly NamedAddress[];
  /** The first 1,000 characters of the decoded X-Tags field; `""` if missing. */
  readonly xTags: string;
}

const MAX_TAGS_CHARS = 1_000;

const FIELDS: ReadonlyMap<string, Exclude<keyof MessageHead, 'xTags'>> = new Map([
  ['from', 'from'],
  ['to', 'to'],
  ['cc', 'cc'],
  ['bcc', 'bcc'],
  ['reply-to', 'replyTo'],
]);

export function readMessageHead(beginning: Uint8Array): MessageHead {
  const head: { -readonly [F in keyof MessageHead]?: MessageHead[F] } = {};
  eachField(headerIn(messageBytes(beginning.subarray(0, MAX_HEAD_BYTES))), (text, start, colon, end) => {
    const name = trimBlanks(text.slice(start, colon)).toLowerCase();
    if (name === 'x-tags') head.xTags ??= decodeWords(unfold(text.slice(colon + 1, end)).slice(0, MAX_TAGS_CHARS));
    const field = FIELDS.get(name);
    if (field !== undefined) head[field] ??= listMailboxes(unfold(text.slice(colon + 1, end))).items;
    return true;
  });
  const { from = [], to = [], cc = [], bcc = [], replyTo = [], xTags = '' } = head;
  return { from, to, cc, bcc, replyTo, xTags };
}

function headerIn(bytes: Buffer): Buffer {
  for (let line = 0; line < bytes.length; ) {
    const end = endOfLine(bytes, line);
    if (isEmptyLine(bytes, line, end)) return bytes.subarray(0, line);
    line = end + 1;
  }
  return bytes;
}
