import { firstCharacters } from '../text.js';
import { bytesOf } from './byte-string.js';
import { decodeCharset } from './charset.js';
import { decodeWords } from './encoded-words.js';
import { type StructuredField, textParameter } from './structured-field.js';

/** The longest name that file systems allow, in UTF-8 bytes. */
const MAX_NAME_BYTES = 255;

/** Maximum length, with the dot, of an extension that a shortened name keeps. */
const MAX_EXTENSION_CHARS = 20;

/** Characters that are invisible or reorder others: `invoice\u202efdp.exe` displays as `invoiceexe.pdf`. */
const UNSEEN = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;

/**
 * The decoded, safe file name of a part, or null. Decodes RFC 2231, and also RFC 2047, which many senders use although
 * its section 5 forbids that. Content-Disposition takes precedence over Content-Type (RFC 2183 section 2.3).
 */
export function fileNameOf(disposition: StructuredField, type: StructuredField): string | null {
  return written(disposition, 'filename') ?? written(type, 'name');
}

function written(field: StructuredField, name: string): string | null {
  const value = textParameter(field, name);
  if (value === null) return null;
  const { bytes, charset } = value;
  return safeFileName(charset === null ? decodeWords(bytes) : decodeCharset(bytesOf(bytes), charset, 'whole'));
}

/**
 * Removes folders, invisible characters, and dots and blanks at the ends (a leading dot hides a file), and shortens the
 * name to `MAX_NAME_BYTES`. Null if nothing is left.
 */
export function safeFileName(name: string): string | null {
  const [last = ''] = name.split(/[/\\]/).slice(-1);
  const seen = trimmed(last.replace(UNSEEN, ''));
  return seen === '' ? null : shortened(seen);
}

function trimmed(name: string): string {
  let [start, end] = [0, name.length];
  while (start < end && isTrimmed(name.charAt(start))) start++;
  while (end > start && isTrimmed(name.charAt(end - 1))) end--;
  return name.slice(start, end);
}

function isTrimmed(char: string): boolean {
  return char === '.' || char.trim() === '';
}

/** Keeps the extension, which shows the type. */
function shortened(name: string): string {
  if (Buffer.byteLength(name) <= MAX_NAME_BYTES) return name;
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 && name.length - dot <= MAX_EXTENSION_CHARS ? name.slice(dot) : '';
  let stem = firstCharacters(name.slice(0, name.length - extension.length), MAX_NAME_BYTES);
  while (Buffer.byteLength(stem) + Buffer.byteLength(extension) > MAX_NAME_BYTES)
    stem = firstCharacters(stem, stem.length - 1);
  return stem + extension;
}
