import type { MessageParts } from '../message-reading.js';
import { joinText } from './body-text.js';
import type { ByteString } from './byte-string.js';
import { decodeField } from './charset.js';
import { decodeWords, holdsWords, splitWords } from './encoded-words.js';
import type { HeaderFields } from './header-fields.js';
import { oneLine } from './header-list.js';
import { messageBytes } from './line-ends.js';
import { firstAddress } from './mailbox.js';
import { isBodyText, type WalkedPart, walk } from './walk.js';

/** The longest Message-ID that is taken for one: no line of a message may be longer (RFC 5322 section 2.1.1). */
const MAX_MESSAGE_ID_BYTES = 998;

/**
 * Reads a message: who sent it, what it is called and its text. Any bytes are a message; what cannot be understood is left
 * out, and nothing throws. Linear in the bytes, and bounded in what is decoded of them (D20): the bounds are the
 * constants `MAX_…` of this folder.
 */
export function parseMessage(raw: Uint8Array): MessageParts {
  const textParts: WalkedPart[] = [];
  let fields: HeaderFields = NO_FIELDS;
  walk(messageBytes(raw), (part) => {
    if (fields === NO_FIELDS) fields = part.fields;
    if (isBodyText(part.header)) textParts.push(part);
  });
  return {
    messageId: readMessageId(fields.get('message-id') ?? ''),
    from: readFrom(fields.get('from') ?? ''),
    subject: oneLine(decodeWords(fields.get('subject') ?? '')),
    text: joinText(textParts, 'text/plain'),
    html: joinText(textParts, 'text/html'),
  };
}

const NO_FIELDS: HeaderFields = new Map();

/** One that is too long counts as absent, since a part of it would not be the header's value verbatim (D4). */
function readMessageId(field: ByteString): string | null {
  if (field === '' || field.length > MAX_MESSAGE_ID_BYTES) return null;
  return decodeField(field);
}

/**
 * An encoded word stands for a name and never for an address (RFC 2047 section 5), so names like `a@b, inc.` cannot disturb.
 * Only if that leaves no address, the sender may have encoded the whole field.
 */
function readFrom(field: ByteString): string | null {
  if (!holdsWords(field)) return firstAddress(decodeField(field));
  const withoutWords = splitWords(field)
    .map((token) => (token.kind === 'literal' ? token.text : ' '))
    .join('');
  return firstAddress(decodeField(withoutWords)) ?? firstAddress(decodeWords(field));
}
