import { isUtf8 } from 'node:buffer';

/** How a message's bytes become text: as UTF-8 where they are that, and one character a byte otherwise (D5). */
export type RawEncoding = 'utf8' | 'latin1';

export function rawEncodingOf(raw: Uint8Array): RawEncoding {
  return isUtf8(raw) ? 'utf8' : 'latin1';
}
