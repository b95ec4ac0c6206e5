import { createHash } from 'node:crypto';
import { readPage } from '../html/read-page.js';
import { trimBlanks } from '../mime/byte-string.js';
import { fieldNamed, listFields } from '../mime/header-list.js';
import { parseMessage } from '../mime/parse.js';
import { listParts, type MimePart } from '../mime/part-list.js';
import { listMailboxes, type NamedAddress } from '../mime/sender.js';
import { percentDecoded } from '../mime/structured-field.js';

/** What is known of a message beside its bytes. */
export interface MailpitDetails {
  /** What Mailpit's clients call it. */
  readonly id: string;
  /** Message-ID as it stands. */
  readonly messageId: string;
  readonly from: NamedAddress;
  readonly bcc: readonly NamedAddress[];
  /** Address of MAIL FROM; `""` for the null sender. */
  readonly envelopeFrom: string;
  readonly subject: string;
  /** ISO 8601. */
  readonly receivedAt: string;
  readonly otp: string | null;
  readonly magicLink: string | null;
}

/** Somebody, as Mailpit's answers have him. */
export interface MailpitAddress {
  readonly Name: string;
  readonly Address: string;
}

export const mailpitAddress = ({ name, address }: NamedAddress): MailpitAddress => ({ Name: name, Address: address });

/** The header fields that are read whole here. */
const UNSUBSCRIBE = { header: 'list-unsubscribe', post: 'list-unsubscribe-post' } as const;

/** The JSON of a message as Mailpit's `GET /api/v1/message/{ID}` answers it, with its code and link. Bounded as reading is; never throws. */
export function mailpitMessage(raw: Uint8Array, details: MailpitDetails): string {
  const { text, html } = parseMessage(raw);
  const sums = new Map<string, Checksums>();
  const { parts, header } = listParts(raw, html, (part, content) => {
    if (isFile(part)) sums.set(part.path, checksumsOf(content()));
  });
  const people = (field: string) => listMailboxes(fieldNamed(header, field)).items.map(mailpitAddress);
  const files = parts.items.filter(isFile);
  return JSON.stringify({
    ID: details.id,
    MessageID: withoutBrackets(details.messageId),
    // A message that is fetched counts as read. Mailpit no longer says so here, but mailpit-api-client asks for it.
    Read: true,
    From: mailpitAddress(details.from),
    To: people('to'),
    Cc: people('cc'),
    Bcc: details.bcc.map(mailpitAddress),
    ReplyTo: people('reply-to'),
    ReturnPath: withoutBrackets(fieldNamed(header, 'return-path')) || details.envelopeFrom || details.from.address,
    Subject: details.subject,
    ListUnsubscribe: listUnsubscribe(fieldNamed(header, UNSUBSCRIBE.header), fieldNamed(header, UNSUBSCRIBE.post)),
    Date: isoDate(fieldNamed(header, 'date')) ?? details.receivedAt,
    Tags: [],
    Username: '',
    Text: readableText(text, html),
    HTML: html ?? '',
    Size: raw.length,
    Inline: files.filter(({ attachment }) => !attachment).map((part) => fileOf(part, sums)),
    Attachments: files.filter(({ attachment }) => attachment).map((part) => fileOf(part, sums)),
    OTP: details.otp,
    MagicLink: details.magicLink,
  });
}

/** The fields of a message's header by their names in Mailpit's case, each with its values: as they stand, in one line. */
export function mailpitHeaders(raw: Uint8Array): string {
  const { header } = listParts(raw, null);
  const fields = new Map<string, string[]>();
  for (const { name, raw: value } of listFields(header).items) {
    const known = fields.get(canonical(name));
    const line = value.split(/\r?\n/).map(trimBlanks).join(' ');
    if (known === undefined) fields.set(canonical(name), [line]);
    else known.push(line);
  }
  return JSON.stringify(Object.fromEntries([...fields].sort(([one], [other]) => (one < other ? -1 : 1))));
}

/** The text of a message: as it was sent, or that of its HTML where there is none, as it is there. */
function readableText(text: string | null, html: string | null): string {
  return html === null || (text !== null && text.trim() !== '') ? (text ?? '') : readPage(html).text;
}

/** The body of a message as JSON: its text, or its HTML with the images of its own at the addresses of its parts; null without HTML. */
export function mailpitBody(raw: Uint8Array, kind: 'text' | 'html', partsPath: string): string {
  const { text, html } = parseMessage(raw);
  if (kind === 'text' || html === null) return JSON.stringify(kind === 'text' ? readableText(text, html) : null);
  const byId = new Map(listParts(raw, html).parts.items.map(({ contentId, path }) => [contentId, path]));
  const shown = html.replace(/cid:([^"'\s<>()]{1,998})/gi, (whole, id: string) => {
    const path = byId.get(percentDecoded(id));
    return path === undefined ? whole : partsPath + path;
  });
  return JSON.stringify(shown);
}

/** Whether a part is listed: it has a name of either kind, and is no text of the body. */
function isFile({ type, filename, contentId, attachment, size }: MimePart): boolean {
  if (size === null || (filename === null && contentId === null)) return attachment && size !== null;
  return attachment || !(type === 'text/plain' || type === 'text/html') || filename !== null;
}

/** What a part's content is known by, each in hexadecimal digits. */
interface Checksums {
  readonly MD5: string;
  readonly SHA1: string;
  readonly SHA256: string;
}

function checksumsOf(content: Iterable<Buffer>): Checksums {
  const [md5, sha1, sha256] = [createHash('md5'), createHash('sha1'), createHash('sha256')];
  for (const portion of content) for (const hash of [md5, sha1, sha256]) hash.update(portion);
  return { MD5: md5.digest('hex'), SHA1: sha1.digest('hex'), SHA256: sha256.digest('hex') };
}

function fileOf({ path, type, filename, contentId, size }: MimePart, sums: ReadonlyMap<string, Checksums>) {
  return {
    PartID: path,
    FileName: filename ?? contentId ?? '',
    ContentType: type,
    ContentID: contentId ?? '',
    Size: size ?? 0,
    Checksums: sums.get(path),
  };
}

/** What a List-Unsubscribe field says (RFC 2369 section 3.2, RFC 8058): one address and one web page at most. */
function listUnsubscribe(header: string, post: string) {
  const links = [...header.matchAll(/<([^<>]{1,2000})>/g)].map(([, link = '']) => link.trim());
  const kinds = links.map((link) => /^(mailto|https?):/i.exec(link)?.[1]?.toLowerCase().replace('https', 'http'));
  const errors: string[] = [];
  if (header !== '' && links.length === 0) errors.push('no link in angle brackets');
  if (kinds.includes(undefined)) errors.push('a link that is neither mailto nor http');
  if (new Set(kinds).size < kinds.length) errors.push('several links of one kind');
  return {
    Header: header,
    Links: links.filter((_, i) => kinds[i] !== undefined && kinds.indexOf(kinds[i]) === i),
    Errors: errors.join(', '),
    HeaderPost: post,
  };
}

/** A field's name with a capital after each hyphen and small letters elsewhere. */
function canonical(name: string): string {
  return name.toLowerCase().replace(/(?:^|-)[a-z]/g, (letter) => letter.toUpperCase());
}

/** A Message-ID or an address without its angle brackets. */
export function withoutBrackets(text: string): string {
  const trimmed = text.trim();
  return trimmed.startsWith('<') && trimmed.endsWith('>') ? trimmed.slice(1, -1) : trimmed;
}

/** A date of a header (RFC 5322 section 3.3) in ISO 8601, without the comments behind it; null where it is none. */
function isoDate(field: string): string | null {
  const time = Date.parse(field.slice(0, 100).replace(/\([^()]{0,100}\)/g, ''));
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}
