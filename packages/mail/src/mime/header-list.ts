import { isUtf8 } from 'node:buffer';
import type { Listed } from '../message-reading.js';
import { type ByteString, bytesOf, trimBlanks } from './byte-string.js';
import { decodeWords, MAX_FIELD_BYTES } from './encoded-words.js';
import { eachField, unfold } from './header-fields.js';

/** Even a message that was relayed many times has only about 60 fields. */
const MAX_LISTED_FIELDS = 1_000;

/** A field name: printable ASCII except the colon (RFC 5322 section 2.2). */
const NAME = /^[!-9;-~]+$/;

export interface HeaderField {
  readonly name: string;
  /** Unfolded into one line, with encoded words decoded (RFC 2047). */
  readonly value: string;
  /** The text after the colon with its line breaks, trimmed. */
  readonly raw: string;
}

/** Lists fields. `isWhole` is false if the list is truncated, or a field is too long to decode in full. */
export function listFields(header: Buffer): Listed<HeaderField> {
  const fields: HeaderField[] = [];
  let isWhole = true;
  eachField(header, (text, start, colon, end) => {
    const name = trimBlanks(text.slice(start, colon));
    if (!NAME.test(name)) return true;
    if (fields.length === MAX_LISTED_FIELDS) {
      isWhole = false;
      return false;
    }
    const written = text.slice(colon + 1, end);
    const value = unfold(written);
    if (value.length > MAX_FIELD_BYTES) isWhole = false;
    fields.push({ name, value: oneLine(decodeWords(value)), raw: textOf(written) });
    return true;
  });
  return { items: fields, isWhole };
}

/** The first field named `wanted` (in lower case), unfolded but still encoded; `""` if missing. */
export function fieldNamed(header: Buffer, wanted: string): ByteString {
  let found = '';
  eachField(header, (text, start, colon, end) => {
    if (trimBlanks(text.slice(start, colon)).toLowerCase() !== wanted) return true;
    found = unfold(text.slice(colon + 1, end));
    return false;
  });
  return found;
}

/** Replaces control characters, which encoded words may contain, with spaces. */
export function oneLine(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ').trim();
}

/** Decodes UTF-8. If the bytes are not valid UTF-8, each byte becomes one character. */
function textOf(written: ByteString): string {
  const trimmed = trimBlanks(written.endsWith('\r') ? written.slice(0, -1) : written);
  const bytes = bytesOf(trimmed);
  return isUtf8(bytes) ? bytes.toString() : trimmed;
}
