import { createHash } from 'node:crypto';
import { readPage } from 'mayfly-mail/internal/html/read-page';
import { trimBlanks } from 'mayfly-mail/internal/mime/byte-string';
import { fieldNamed, listFields } from 'mayfly-mail/internal/mime/header-list';
import { readSentBodies } from 'mayfly-mail/internal/mime/parse';
import { listParts, type MimePart } from 'mayfly-mail/internal/mime/part-list';
import { listMailboxes, type NamedAddress } from 'mayfly-mail/internal/mime/sender';
import { percentDecoded } from 'mayfly-mail/internal/mime/structured-field';
import type { Head } from 'mayfly-plugins-shared/all-inboxes';

export interface MailpitDetails {
  readonly id: string;
  readonly head: Pick<Head, 'id' | 'from' | 'bcc' | 'envelopeFrom' | 'subject' | 'otp' | 'magicLink'>;
  readonly tags: readonly string[];
  readonly receivedAt: string;
  readonly username: string;
}

export const mailpitAddress = ({ name, address }: NamedAddress) => ({ Name: name, Address: address });

/** Returns a message as in `GET /api/v1/message/{ID}`, with code and link. Never throws. The parser's limits apply. */
export function mailpitMessage(raw: Uint8Array, { head, ...details }: MailpitDetails): string {
  const bodies = readBodies(raw);
  const { html } = bodies;
  const sums = new Map<string, Checksums>();
  const { parts, header } = listParts(raw, html, (part, content) => {
    if (isFile(part)) sums.set(part.path, checksumsOf(content()));
  });
  const people = (field: string) => listMailboxes(fieldNamed(header, field)).items.map(mailpitAddress);
  const files = parts.items.filter(isFile);
  return JSON.stringify({
    ID: details.id,
    MessageID: withoutBrackets(head.id),
    // mailpit-api-client requires this field, which Mailpit no longer sends.
    Read: true,
    From: mailpitAddress(head.from),
    To: people('to'),
    Cc: people('cc'),
    Bcc: head.bcc.map(mailpitAddress),
    ReplyTo: people('reply-to'),
    ReturnPath: withoutBrackets(fieldNamed(header, 'return-path')) || head.envelopeFrom || head.from.address,
    Subject: head.subject,
    ListUnsubscribe: listUnsubscribe(
      fieldNamed(header, 'list-unsubscribe'),
      fieldNamed(header, 'list-unsubscribe-post'),
    ),
    Date: isoDate(fieldNamed(header, 'date')) ?? details.receivedAt,
    Tags: details.tags,
    Username: details.username,
    Text: readableText(bodies),
    HTML: html ?? '',
    Size: raw.length,
    Inline: files.filter(({ attachment }) => !attachment).map((part) => fileOf(part, sums)),
    Attachments: files.filter(({ attachment }) => attachment).map((part) => fileOf(part, sums)),
    OTP: head.otp,
    MagicLink: head.magicLink,
  });
}

/** Returns the header's fields by name, each value on one line. */
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

type Bodies = ReturnType<typeof readBodies>;

function readBodies(raw: Uint8Array) {
  const { texts, htmls } = readSentBodies(raw);
  return { text: texts?.join('\n--\n') ?? '', html: htmls?.join('\n') ?? null };
}

function readableText({ text, html }: Bodies): string {
  return html === null || text.trim() !== '' ? text : textWithAddresses(readPage(html));
}

/** Returns the text or the HTML; null without HTML. In the HTML, embedded images have URLs below `partsPath`. */
export function mailpitBody(raw: Uint8Array, { kind, partsPath }: { kind: 'text' | 'html'; partsPath: string }) {
  const bodies = readBodies(raw);
  if (kind === 'text') return JSON.stringify(readableText(bodies));
  const { html } = bodies;
  if (html === null) return 'null';
  const byId = new Map(listParts(raw, html).parts.items.map(({ contentId, path }) => [contentId, path]));
  const shown = html.replace(/cid:([^"'\s<>()]{1,998})/gi, (whole, id: string) => {
    const path = byId.get(percentDecoded(id));
    return path === undefined ? whole : partsPath + path;
  });
  return JSON.stringify(shown);
}

/** Whether a part is a file: an attachment, a part with a file name, or a non-text part with a Content-ID. */
function isFile({ type, filename, contentId, attachment, size }: MimePart): boolean {
  if (size === null || (filename === null && contentId === null)) return attachment && size !== null;
  return attachment || !(type === 'text/plain' || type === 'text/html') || filename !== null;
}

type Checksums = ReturnType<typeof checksumsOf>;

function checksumsOf(content: Iterable<Buffer>) {
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

/** Parses unsubscribe headers (RFC 2369 section 3.2 and RFC 8058): at most one address and one web page. */
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

function canonical(name: string): string {
  return name.toLowerCase().replace(/(?:^|-)[a-z]/g, (letter) => letter.toUpperCase());
}

export function withoutBrackets(text: string): string {
  const trimmed = text.trim();
  return trimmed.startsWith('<') && trimmed.endsWith('>') ? trimmed.slice(1, -1) : trimmed;
}

/** Parses a date (RFC 5322 section 3.3), ignoring trailing comments; null for anything else. */
function isoDate(field: string): string | null {
  const time = Date.parse(field.slice(0, 100).replace(/\([^()]{0,100}\)/g, ''));
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

const WORD = /^[\p{L}\p{N}]/u;

/** Appends the address of each link to its text, as Mailpit does: `Verify ( https://app.test/verify )`. */
function textWithAddresses({ text, links }: ReturnType<typeof readPage>): string {
  const pieces: string[] = [];
  let written = 0;
  for (const { href, start, end } of links) {
    const address = href.trim().replace(/^mailto:/, '');
    if (address === '' || text.slice(start, end) === address) continue;
    const before = text.slice(written, end);
    const isApart = before === '' ? written === 0 : /\s/.test(before.slice(-1));
    pieces.push(before, isApart ? '' : ' ', `( ${address} )`, WORD.test(text.slice(end, end + 2)) ? ' ' : '');
    written = end;
  }
  return pieces.join('') + text.slice(written);
}
