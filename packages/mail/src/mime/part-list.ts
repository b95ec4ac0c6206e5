import type { Listed } from '../message-reading.js';
import { firstCharacters } from '../text.js';
import { ContentIds, fileKind } from './attachments.js';
import { decodeField } from './charset.js';
import { fileNameOf } from './file-name.js';
import { oneLine } from './header-list.js';
import { hasBareCr, messageBytes } from './line-ends.js';
import type { Multipart } from './multiparts.js';
import { decodedSize, portionDecoder, portionsOf } from './portions.js';
import { parameter } from './structured-field.js';
import { isBodyText, type WalkedPart, walk } from './walk.js';

/** A longer value would not fit on a line of a message (RFC 5322 section 2.1.1). */
const MAX_VALUE_CHARS = 998;

export interface MimePart {
  /** IMAP part number (RFC 9051 section 6.4.5): `1.2`; `1` for a single part; `""` for the outermost multipart. */
  readonly path: string;
  readonly type: string;
  /** The declared charset in lower case; null if none is declared. */
  readonly charset: string | null;
  readonly disposition: string | null;
  /** Decoded and safe (see `fileNameOf`); null if missing. */
  readonly filename: string | null;
  /** Content-ID without angle brackets; null if missing. */
  readonly contentId: string | null;
  /** Decoded size in bytes; null for a multipart whose parts are listed. */
  readonly size: number | null;
  readonly attachment: boolean;
}

export interface PartList {
  /** In the order of the message, a multipart before its parts. */
  readonly parts: Listed<MimePart>;
  readonly header: Buffer;
  /** Number of decoded bytes of the body's texts, by media type. */
  readonly bodyBytes: ReadonlyMap<string, number>;
}

/** Called for each part. `content` decodes the part in portions. */
export type PartLook = (part: MimePart, content: () => Iterable<Buffer>) => void;

/** `html` is the message's decoded HTML, or null if the message has none. */
export function listParts(raw: Uint8Array, html: string | null, look: PartLook = () => {}): PartList {
  const shown = new ContentIds(html);
  const paths = new Paths();
  const parts: MimePart[] = [];
  const bodyBytes = new Map<string, number>();
  let header: Buffer | null = null;
  const isWhole = walk(messageBytes(raw), (part) => {
    header ??= part.headerBytes;
    const listed = described(part, paths.next(part), shown);
    parts.push(listed);
    if (listed.size !== null) look(listed, () => decodedContent(part));
    if (isBodyText(part.header)) bodyBytes.set(listed.type, (bodyBytes.get(listed.type) ?? 0) + (listed.size ?? 0));
  });
  return { parts: { items: parts, isWhole }, header: header ?? Buffer.alloc(0), bodyBytes };
}

export interface LocatedPart {
  readonly type: string;
  readonly charset: string | null;
  readonly filename: string | null;
  /** Content-Transfer-Encoding in lower case. */
  readonly transferEncoding: string;
  /** Whether the message uses bare CRs as line ends, which are read as LF. */
  readonly bareCr: boolean;
  /** The range of the part's content in the original message. */
  readonly start: number;
  readonly end: number;
  readonly size: number;
}

/** Finds a part. Returns `'multipart'` for a part that has parts instead of content; null if no part has the path. */
export function locatePart(raw: Uint8Array, path: string): LocatedPart | 'multipart' | null {
  const bytes = messageBytes(raw);
  const paths = new Paths();
  let located: LocatedPart | 'multipart' | null = null;
  walk(bytes, (part) => {
    if (paths.next(part) !== path) return;
    if (part.opened !== undefined) {
      located = 'multipart';
      return;
    }
    const { header, content } = part;
    const { transferEncoding } = header;
    const start = content.byteOffset - bytes.byteOffset;
    located = {
      type: header.mediaType,
      charset: lowered(parameter(header.type, 'charset')),
      filename: fileNameOf(header.disposition, header.type),
      transferEncoding,
      bareCr: hasBareCr(raw),
      start,
      end: start + content.length,
      size: decodedSize(content, transferEncoding),
    };
  });
  return located;
}

function described({ header, opened, content }: WalkedPart, path: string, shown: ContentIds): MimePart {
  const { mediaType, type, disposition, contentId, transferEncoding } = header;
  return {
    path,
    type: inOneLine(mediaType),
    charset: lowered(parameter(type, 'charset')),
    disposition: lowered(disposition.token),
    filename: fileNameOf(disposition, type),
    contentId: contentId === null ? null : inOneLine(decodeField(contentId)),
    size: opened === undefined ? decodedSize(content, transferEncoding) : null,
    attachment: fileKind(header, shown) === 'attachment',
  };
}

function* decodedContent({ header, content }: WalkedPart): Generator<Buffer> {
  const decode = portionDecoder(header.transferEncoding);
  for (const portion of portionsOf(content)) yield decode(portion);
}

/** Replaces control characters, which must not reach a terminal. */
function inOneLine(value: string): string {
  return firstCharacters(oneLine(value), MAX_VALUE_CHARS);
}

function lowered(value: string | null): string | null {
  return value ? inOneLine(decodeField(value)).toLowerCase() : null;
}

class Paths {
  /** The path of each opened multipart, and the number of its parts so far. */
  readonly #opened = new Map<Multipart, { readonly path: string; parts: number }>();

  next({ container, opened }: WalkedPart): string {
    const path = container === undefined ? this.#outermost(opened) : this.#inside(container);
    if (opened !== undefined) this.#opened.set(opened, { path, parts: 0 });
    return path;
  }

  #outermost(opened: Multipart | undefined): string {
    return opened === undefined ? '1' : '';
  }

  #inside(container: Multipart): string {
    const around = this.#opened.get(container);
    if (around === undefined) throw new Error('A part precedes its multipart.');
    around.parts += 1;
    return around.path === '' ? String(around.parts) : `${around.path}.${around.parts}`;
  }
}
