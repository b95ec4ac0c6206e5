import type { MessageParts } from '../message-reading.js';
import { filesOf } from './attachments.js';
import { joinText, sentTexts } from './body-text.js';
import type { ByteString } from './byte-string.js';
import { decodeField } from './charset.js';
import { decodeWords } from './encoded-words.js';
import type { HeaderFields } from './header-fields.js';
import { oneLine } from './header-list.js';
import { messageBytes } from './line-ends.js';
import { readSender } from './sender.js';
import { isBodyText, type WalkedPart, walk } from './walk.js';

/** Longest Message-ID: no line of a message may be longer (RFC 5322 section 2.1.1). */
const MAX_MESSAGE_ID_BYTES = 998;

/**
 * Reads a message: its sender, subject and text. Any bytes are a message; what cannot be understood is left out, and
 * nothing throws. Linear, and bounded in what is decoded (D20), by the constants `MAX_…` of this folder.
 */
export function parseMessage(raw: Uint8Array): MessageParts {
  const parts: WalkedPart[] = [];
  walk(messageBytes(raw), (part) => parts.push(part));
  const fields = parts[0]?.fields ?? NO_FIELDS;
  const textParts = parts.filter(({ header }) => isBodyText(header));
  const html = joinText(textParts, 'text/html');
  const sender = readSender(fields.get('from') ?? '');
  // Field by field: V8 takes far longer to spread an object.
  const { attachments, fileNames, inlineFiles } = filesOf(
    parts.map(({ header }) => header),
    html,
  );
  return {
    messageId: readMessageId(fields.get('message-id') ?? ''),
    from: sender?.address ?? null,
    fromName: sender?.name ?? '',
    subject: oneLine(decodeWords(fields.get('subject') ?? '')),
    text: joinText(textParts, 'text/plain'),
    html,
    attachments,
    fileNames,
    inlineFiles,
  };
}

const NO_FIELDS: HeaderFields = new Map();

/** No identifier contains these, and no terminal should see them. */
const CONTROL = /[^\P{Cc}\t]/u;

/** A Message-ID that is too long or holds control characters counts as absent: it cannot be given verbatim (D4). */
function readMessageId(field: ByteString): string | null {
  if (field === '' || field.length > MAX_MESSAGE_ID_BYTES) return null;
  const id = decodeField(field);
  return CONTROL.test(id) ? null : id;
}

export interface SentBodies {
  readonly texts: readonly string[] | null;
  readonly htmls: readonly string[] | null;
}

/** Reads the bodies of a message with their original line ends. Bounded and linear as `parseMessage`; never throws. */
export function readSentBodies(raw: Uint8Array): SentBodies {
  const bytes = messageBytes(raw);
  const parts: Pick<WalkedPart, 'header' | 'content'>[] = [];
  walk(bytes, (part) => {
    if (isBodyText(part.header)) parts.push({ header: part.header, content: withLastLineEnd(part, bytes) });
  });
  return { texts: sentTexts(parts, 'text/plain'), htmls: sentTexts(parts, 'text/html') };
}

/** The content of a part. The line end before a delimiter is the delimiter's (RFC 2046 section 5.1.1). */
function withLastLineEnd({ content, container }: WalkedPart, bytes: Buffer): Buffer {
  return container === undefined ? bytes.subarray(content.byteOffset - bytes.byteOffset) : content;
}
