import { type ListedCode, type ListedLink, listCodesAndLinks } from './extract/listing.js';
import type { Listed } from './message-reading.js';
import { MAX_TEXT_BYTES } from './mime/body-text.js';
import { fieldNamed, type HeaderField, listFields } from './mime/header-list.js';
import { parseMessage } from './mime/parse.js';
import { listParts, type MimePart } from './mime/part-list.js';
import { listMailboxes, type NamedAddress } from './mime/sender.js';

export interface Contents {
  readonly from: readonly NamedAddress[];
  readonly to: readonly NamedAddress[];
  readonly cc: readonly NamedAddress[];
  readonly replyTo: readonly NamedAddress[];
  readonly headers: readonly HeaderField[];
  readonly parts: readonly MimePart[];
  /** Decoded text of the body, within the bounds of reading (D20); null without one. Likewise its HTML. */
  readonly text: string | null;
  readonly html: string | null;
  readonly links: readonly ListedLink[];
  readonly codes: readonly ListedCode[];
  /** Which of these hold less than the message has, since a bound was reached. */
  readonly incomplete: readonly BoundedField[];
}

export type BoundedField = Exclude<keyof Contents, 'incomplete'>;

/** Reads what a message holds. Bounded and linear as reading a message at its arrival is (D20); never throws. */
export function readContents(raw: Uint8Array): Contents {
  const { subject, text, html } = parseMessage(raw);
  const { parts, header, bodyBytes } = listParts(raw, html);
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
    parts: items('parts', parts),
    text,
    html,
    links: items('links', links),
    codes: items('codes', codes),
    incomplete,
  };
}
