import { type ListedCode, type ListedLink, listCodesAndLinks } from './extract/listing.js';
import type { Listed } from './message-reading.js';
import { MAX_TEXT_BYTES } from './mime/body-text.js';
import { fieldNamed, type HeaderField, listFields } from './mime/header-list.js';
import { parseMessage } from './mime/parse.js';
import { listParts, type MimePart } from './mime/part-list.js';
import { listMailboxes, type NamedAddress } from './mime/sender.js';
import { firstCharacters } from './text.js';

/** Limits for the attached messages whose codes and links are listed: number of messages, and bytes in total. */
const MAX_ATTACHED_MESSAGES = 10;
const MAX_ATTACHED_BYTES = 1024 * 1024;

/** A part of a message. An attached message has its own codes and links. */
export interface ContentsPart extends MimePart {
  readonly links?: readonly ListedLink[];
  readonly codes?: readonly ListedCode[];
}

export interface Contents {
  readonly from: readonly NamedAddress[];
  readonly to: readonly NamedAddress[];
  readonly cc: readonly NamedAddress[];
  readonly replyTo: readonly NamedAddress[];
  readonly headers: readonly HeaderField[];
  readonly parts: readonly ContentsPart[];
  /** Decoded text and HTML of the body, truncated at the limits of parsing (D20); null if the message has none. */
  readonly text: string | null;
  readonly html: string | null;
  readonly links: readonly ListedLink[];
  readonly codes: readonly ListedCode[];
  readonly incomplete: readonly BoundedField[];
}

export type BoundedField = Exclude<keyof Contents, 'incomplete'>;

/** Reads all contents of a message. Linear time, bounded output (D20); never throws. */
export function readContents(raw: Uint8Array): Contents {
  const { subject, text, html } = parseMessage(raw);
  const attached = new Map<MimePart, Pick<ContentsPart, 'links' | 'codes'>>();
  let left = MAX_ATTACHED_BYTES;
  const { parts, header, bodyBytes } = listParts(raw, html, (part, content) => {
    if (part.type !== 'message/rfc822' || attached.size === MAX_ATTACHED_MESSAGES || left === 0) return;
    const message = beginningOf(content(), left);
    left -= message.length;
    const { links, codes } = listCodesAndLinks(parseMessage(message));
    attached.set(part, { links: links.items, codes: codes.items });
  });
  const incomplete: BoundedField[] = [];
  const items = <T>(name: BoundedField, { items, isWhole }: Listed<T>): readonly T[] => {
    if (!isWhole) incomplete.push(name);
    return items;
  };
  const mailboxes = (field: string) => listMailboxes(fieldNamed(header, field));
  if ((bodyBytes.get('text/plain') ?? 0) > MAX_TEXT_BYTES) incomplete.push('text');
  if ((bodyBytes.get('text/html') ?? 0) > MAX_TEXT_BYTES) incomplete.push('html');
  const { links, codes } = listCodesAndLinks({ subject, text, html });
  return {
    from: items('from', mailboxes('from')),
    to: items('to', mailboxes('to')),
    cc: items('cc', mailboxes('cc')),
    replyTo: items('replyTo', mailboxes('reply-to')),
    headers: items('headers', listFields(header)),
    parts: items('parts', parts).map((part) => ({ ...part, ...attached.get(part) })),
    text,
    html,
    links: items('links', links),
    codes: items('codes', codes),
    incomplete,
  };
}

function beginningOf(content: Iterable<Buffer>, max: number): Buffer {
  const portions: Buffer[] = [];
  let left = max;
  for (const portion of content) {
    portions.push(portion.subarray(0, left));
    left -= portion.length;
    if (left <= 0) break;
  }
  return Buffer.concat(portions);
}

/** Shortens each text and list to about `max` characters of JSON. Always keeps the action link. */
export function excerptOf(contents: Contents, max: number): Contents {
  const incomplete = new Set(contents.incomplete);
  const beginning = <T>(name: BoundedField, items: readonly T[]): readonly T[] => {
    let left = max;
    const shown = items.findIndex((item) => {
      const isOver = left < 0;
      left -= isOver ? 0 : JSON.stringify(item).length;
      return isOver;
    });
    if (shown < 0) return items;
    incomplete.add(name);
    return items.slice(0, shown);
  };
  const cut = (name: 'text' | 'html'): string | null => {
    const text = contents[name];
    if (text === null || text.length <= max) return text;
    incomplete.add(name);
    return firstCharacters(text, max);
  };
  const { from, to, cc, replyTo, headers, parts, links, codes } = contents;
  return {
    from: beginning('from', from),
    to: beginning('to', to),
    cc: beginning('cc', cc),
    replyTo: beginning('replyTo', replyTo),
    headers: beginning('headers', headers),
    parts: beginning('parts', parts),
    text: cut('text'),
    html: cut('html'),
    links: withAction(beginning('links', links), links),
    codes: beginning('codes', codes),
    incomplete: [...incomplete],
  };
}

function withAction(shown: Contents['links'], all: Contents['links']): Contents['links'] {
  const action = all.find((link) => link.action);
  return action === undefined || shown.includes(action) ? shown : [...shown, action];
}
