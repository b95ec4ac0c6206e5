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

/** A longer ID would not fit on a line of a message (RFC 5322 section 2.1.1). */
const MAX_MESSAGE_ID_BYTES = 998;

/**
 * Parses a message. Accepts any bytes, leaves out unreadable parts, and never throws. Takes linear time. The constants
 * `MAX_…` of this folder bound the decoded text (D20).
 */
export function parseMessage(raw: Uint8Array): MessageParts {
  const parts: WalkedPart[] = [];
  walk(messageBytes(raw), (part) => parts.push(part));
  const fields = parts[0]?.fields ?? NO_FIELDS;
  const textParts = parts.filter(({ header }) => isBodyText(header));
  const html = joinText(textParts, 'text/html');
  const sender = readSender(fields.get('from') ?? '');
  // Copies field by field, because spreading objects is far slower in V8.
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

/** Matches control characters except tab. Message IDs never contain them, and they must not reach a terminal. */
const CONTROL = /[^\P{Cc}\t]/u;

/** Returns null for a Message-ID that is too long or has control characters: it could not be shown verbatim (D4). */
function readMessageId(field: ByteString): string | null {
  if (field === '' || field.length > MAX_MESSAGE_ID_BYTES) return null;
  const id = decodeField(field);
  return CONTROL.test(id) ? null : id;
}

export interface SentBodies {
  readonly texts: readonly string[] | null;
  readonly htmls: readonly string[] | null;
}

/** Returns the bodies with their original line ends. Has the same limits as `parseMessage`; never throws. */
export function readSentBodies(raw: Uint8Array): SentBodies {
  const bytes = messageBytes(raw);
  const parts: Pick<WalkedPart, 'header' | 'content'>[] = [];
  walk(bytes, (part) => {
    if (isBodyText(part.header)) parts.push({ header: part.header, content: withLastLineEnd(part, bytes) });
  });
  return { texts: sentTexts(parts, 'text/plain'), htmls: sentTexts(parts, 'text/html') };
}

/** Restores the last line end, unless it is part of a multipart's delimiter (RFC 2046 section 5.1.1). */
function withLastLineEnd({ content, container }: WalkedPart, bytes: Buffer): Buffer {
  return container === undefined ? bytes.subarray(content.byteOffset - bytes.byteOffset) : content;
}
