import type { Field } from '../faults.js';
import { base64, bytesOf, hex, phrase, randomBytes } from '../webhook-event.js';

export interface Person {
  readonly name: string;
  readonly address: string;
}

export interface InboundFile {
  readonly filename: string;
  readonly type: string;
  readonly content: Uint8Array;
  /** The Content-ID of an inline file, without angle brackets. */
  readonly cid: string | null;
}

export interface Contents {
  readonly text: string | null;
  readonly html: string | null;
  readonly files: readonly InboundFile[];
}

/** Reads `ann@example.test` or `Ann <ann@example.test>`; null if it is neither. */
export function personIn(text: string): Person | null {
  const open = text.lastIndexOf('<');
  const [written, rest] = open < 0 ? ['', `<${text.trim()}>`] : [text.slice(0, open).trim(), text.slice(open).trim()];
  const address = rest.slice(1, -1);
  const isAddress = rest.endsWith('>') && /^[^@"(),:;<>\s\p{Cc}\p{Cs}]+@[^@"(),:;<>\s\p{Cc}\p{Cs}]+$/u.test(address);
  if (!isAddress || /[\p{Cc}\p{Cs}<>]/u.test(written)) return null;
  return { address, name: /^".*"$/.test(written) ? written.slice(1, -1).replace(/\\(.)/g, '$1') : written };
}

export function shownPerson({ name, address }: Person): string {
  return name === '' ? address : `${phrase(name)} <${address}>`;
}

/** The address list of a header, with encoded names. */
export function addressField(people: readonly Person[]): string {
  return people
    .map((one) => (isAscii(one.name) ? shownPerson(one) : `${encoded(one.name)} <${one.address}>`))
    .join(', ');
}

const isAscii = (text: string) => /^[ -~]*$/.test(text);

/** Bytes in an encoded word, which has at most 75 characters (RFC 2047 section 2). */
const WORD_BYTES = 42;

/** Writes a text as encoded words if it is not ASCII. No word ends within a character. */
export function encoded(text: string): string {
  if (isAscii(text)) return text;
  const words: string[] = [''];
  for (const character of text) {
    const longer = words.at(-1) + character;
    if (bytesOf(longer).length <= WORD_BYTES) words[words.length - 1] = longer;
    else words.push(character);
  }
  return words.map((word) => `=?UTF-8?B?${base64(bytesOf(word))}?=`).join(' ');
}

/** Folds a field at blanks, because a line may have 998 characters (RFC 5322 section 2.1.1). */
export function fieldLine([name, value]: Field): string {
  const lines: string[] = [];
  let line = `${name}:`;
  let hasWord = false;
  for (const word of value.split(' ')) {
    if (line.length + word.length > 76 && hasWord) {
      lines.push(line);
      line = '';
      hasWord = false;
    }
    line += ` ${word}`;
    hasWord ||= word !== '';
  }
  return [...lines, line].join('\r\n');
}

/** A message whose bodies are in base64, so that it is ASCII whatever they contain. */
export function rawMessage(fields: readonly Field[], { text, html, files }: Contents): string {
  const texts = [
    ...(text === null && html !== null ? [] : [leaf('text/plain; charset=utf-8', bytesOf(text ?? ''))]),
    ...(html === null ? [] : [leaf('text/html; charset=utf-8', bytesOf(html))]),
  ];
  const body = multipart('mixed', [multipart('alternative', texts), ...files.map(filePart)]);
  return [...fields, ['MIME-Version', '1.0'] as const].map((field) => `${fieldLine(field)}\r\n`).join('') + body;
}

function filePart({ filename, type, content, cid }: InboundFile): string {
  const name = isAscii(filename)
    ? `filename="${filename.replace(/["\\]/g, '\\$&')}"`
    : // RFC 2231 section 4.
      `filename*=UTF-8''${encodeURIComponent(filename).replace(/['()*]/g, (one) => `%${hex(bytesOf(one))}`)}`;
  const id = cid === null ? [] : [`Content-ID: <${cid}>`];
  return leaf(type, content, [`Content-Disposition: ${cid === null ? 'attachment' : 'inline'}; ${name}`, ...id]);
}

function leaf(type: string, content: Uint8Array, more: readonly string[] = []): string {
  const lines = base64(content).replace(/.{76}(?=.)/g, '$&\r\n');
  return [`Content-Type: ${type}`, ...more, 'Content-Transfer-Encoding: base64', '', lines, ''].join('\r\n');
}

function multipart(kind: string, parts: readonly string[]): string {
  if (parts.length === 1) return parts.join();
  const boundary = newBoundary();
  const body = parts.map((part) => `--${boundary}\r\n${part}`).join('');
  return `Content-Type: multipart/${kind}; boundary="${boundary}"\r\n\r\n${body}--${boundary}--\r\n`;
}

const newBoundary = () => `mayfly-${hex(randomBytes(12))}`;

export type FormField = readonly [name: string, value: string | InboundFile];

/** A form (RFC 7578). Does not use `FormData`, which jsdom replaces by one that `fetch()` cannot send. */
export function formOf(fields: readonly FormField[]): { readonly type: string; readonly body: Uint8Array } {
  const boundary = newBoundary();
  const pieces = fields.flatMap(([name, value]) => {
    const isText = typeof value === 'string';
    const file = isText ? '' : `; filename="${escaped(value.filename)}"\r\nContent-Type: ${value.type}`;
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${escaped(name)}"${file}\r\n\r\n`;
    return [bytesOf(head), isText ? bytesOf(value) : value.content, bytesOf('\r\n')];
  });
  const all = [...pieces, bytesOf(`--${boundary}--\r\n`)];
  const body = new Uint8Array(all.reduce((length, piece) => length + piece.length, 0));
  let end = 0;
  for (const piece of all) {
    body.set(piece, end);
    end += piece.length;
  }
  return { type: `multipart/form-data; boundary=${boundary}`, body };
}

const escaped = (text: string) => text.replace(/["\\]/g, (one) => `%${hex(bytesOf(one))}`);
