import { describe, expect, test } from 'vitest';
import { parseMessage } from '../../src/mime/parse.js';
import { growthOf, MAX_GROWTH, TIMES } from '../growth.js';

/** The default maximum size of a message (D13). */
const LARGEST_BYTES = 10 * 1024 * 1024;

/** The size of the smaller input. Even this input exceeds the parser's limits. */
const MESSAGE_BYTES = LARGEST_BYTES / 2 / TIMES;

/** Generates hostile input of about `size` bytes or characters. */
type Hostile = (size: number) => string;

const repeat =
  (piece: string): Hostile =>
  (size) =>
    piece.repeat(Math.ceil(size / piece.length));

/** A header followed by a hostile body. */
const behind =
  (header: readonly string[], body: Hostile, bodyStart = ''): Hostile =>
  (size) =>
    `${header.join('\r\n')}\r\n\r\n${bodyStart}${body(size)}`;

const inMultipart = (body: Hostile, boundary = 'b') =>
  behind([`Content-Type: multipart/mixed; boundary=${boundary}`], body, `--${boundary}\r\n\r\n`);

/** A header field with a hostile value, followed by a body. */
const inField =
  (name: string, value: Hostile): Hostile =>
  (size) =>
    `${name}: ${value(size)}\r\n\r\nbody`;

/** As many nested multiparts as fit into the size. */
const nested: Hostile = (size) => {
  const level = (depth: number) => `Content-Type: multipart/mixed; boundary=b${depth}\r\n\r\n--b${depth}\r\n`;
  return Array.from({ length: size / level(100_000).length }, (_, depth) => level(depth)).join('');
};

/** Multiparts at the maximum depth, followed by lines that resemble their delimiters. */
const lookAlikesInTheDeep: Hostile = (size) => `${nested(4_000)}\r\n${repeat('--b10x\r\n')(size)}`;

const continuations: Hostile = (size) =>
  `text/plain${Array.from({ length: size / 20 }, (_, index) => `;\r\n charset*${index}=a`).join('')}`;

const messages: Record<string, Hostile> = {
  'three-byte lines': behind(['Content-Type: text/plain'], repeat('a\r\n')),
  'three-byte lines in a multipart': inMultipart(repeat('a\r\n')),
  'empty lines': behind(['Content-Type: text/plain'], repeat('\n')),
  'bare CRs': behind(['Subject: a'], repeat('\r')),
  'a message of bare CRs': repeat('a\r'),
  'soft line breaks': behind(['Content-Transfer-Encoding: quoted-printable'], repeat('=\r\n')),
  'invalid soft line breaks': behind(['Content-Transfer-Encoding: quoted-printable'], repeat('= \r')),
  'blanks in quoted-printable': behind(['Content-Transfer-Encoding: quoted-printable'], repeat(' ')),
  'blank lines in quoted-printable': behind(['Content-Transfer-Encoding: quoted-printable'], repeat(' \n')),
  'base64 of garbage': behind(['Content-Transfer-Encoding: base64'], repeat('*')),
  'base64 of padding': behind(['Content-Transfer-Encoding: base64'], repeat('YQ==')),
  'broken UTF-8': behind(['Content-Type: text/plain; charset=utf-8'], repeat('\xc3')),
  'windows-1252': behind(['Content-Type: text/plain; charset=windows-1252'], repeat('\x85')),
  'shifts of ISO-2022-JP': behind(['Content-Type: text/plain; charset=iso-2022-jp'], repeat('\x1b$B\x1b(B')),
  'declarations in HTML': behind(['Content-Type: text/html'], repeat('<meta charset')),
  'flowed quotes': behind(['Content-Type: text/plain; format=flowed; delsp=yes'], repeat('> a \r\n')),
  'flowed blanks': behind(['Content-Type: text/plain; format=flowed'], repeat(' \r\n')),
  '100,000 parts': inMultipart(repeat('--b\r\n\r\nx\r\n')),
  'parts that end immediately': inMultipart(repeat('--b\r\n')),
  'parts of an unknown charset': inMultipart(repeat('--b\r\nContent-Type: text/plain; charset=none\r\n\r\nx\r\n')),
  'parts without an empty line': inMultipart(repeat('--b\r\nA: b\r\n')),
  'nested multiparts': nested,
  'multiparts without a delimiter': inMultipart(
    repeat('--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\nx\r\n'),
  ),
  'nested multiparts without a delimiter': repeat('Content-Type: multipart/mixed\r\n\r\n'),
  'undeclared boundaries': repeat('Content-Type: multipart/mixed\r\n\r\n--b\r\n'),
  'dashes and blanks without a boundary': behind(['Content-Type: multipart/mixed'], repeat(' '), '--a'),
  'dashed lines without a boundary': behind(['Content-Type: multipart/mixed'], repeat('--a\r\n')),
  'look-alikes of a boundary': inMultipart(repeat('--bce\r\n'), 'bcd'),
  'look-alikes of a long boundary': inMultipart(repeat(`--${'b'.repeat(499)}c\r\n`), 'b'.repeat(500)),
  'look-alikes of nested boundaries': lookAlikesInTheDeep,
  'lines of two dashes': inMultipart(repeat('--\n')),
  'dashes within lines': inMultipart(repeat(' --')),
  'only dashes': inMultipart(repeat('-')),
  'distant dashes': inMultipart(repeat(`${'x'.repeat(150)}--`)),
  'a delimiter before blanks': inMultipart(repeat(' ')),
  'message/rfc822 in itself': repeat('Content-Type: message/rfc822\r\n\r\n'),
  'message/rfc822 in multiparts': inMultipart(
    repeat('--b\r\nContent-Type: message/rfc822\r\n\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n'),
  ),
  'many headers': repeat('X-A: b\r\n'),
  'many known headers': repeat('Subject: b\r\n'),
  'one header': inField('Subject', repeat('a')),
  'one folded header': inField('Subject', repeat('\r\n a')),
  'encoded words': inField('Subject', repeat('=?utf-8?Q?a?= ')),
  'encoded words of two charsets': inField('Subject', repeat('=?euc-jp?Q?a?= =?iso-2022-jp?B?YQ==?= ')),
  'encoded words without text': inField('From', repeat('=?utf-8?Q??= ')),
  'heads of encoded words': inField('From', repeat('=?utf-8?Q?')),
  'parameter continuations': inField('Content-Type', continuations),
  'comments in From': inField('From', repeat('(')),
  'a display name of quoted strings': inField('From', (size) => `${repeat('"a" ')(size)}<a@b.test>`),
  'a display name of encoded words': inField('From', (size) => `${repeat('=?utf-8?Q?a?= b ')(size)}<a@b.test>`),
  'references to parts': behind(
    ['Content-Type: multipart/related; boundary=b'],
    repeat('cid:%41% '),
    '--b\r\nContent-Type: image/png\r\nContent-ID: <a>\r\n\r\nx\r\n--b\r\nContent-Type: text/html\r\n\r\n',
  ),
  'parts with Content-IDs': inMultipart(repeat('--b\r\nContent-Type: a/b\r\nContent-ID: <a>\r\n\r\nx\r\n')),
  'quotes in Content-Type': inField('Content-Type', repeat('"')),
};

/** A name, the size of the smaller input, and a function that returns a run with input of a given size. */
type Row = [name: string, size: number, prepare: (size: number) => () => unknown];

const rows: Row[] = [
  ...Object.entries(messages).map(([name, hostile]): Row => {
    const prepare = (size: number) => {
      const raw = Buffer.from(hostile(size), 'latin1');
      return () => parseMessage(raw);
    };
    return [`a message: ${name}`, MESSAGE_BYTES, prepare];
  }),
];

describe('parsing takes linear time', () => {
  test.each(rows)('%s', (_, size, prepare) => {
    expect(growthOf(prepare, size)).toBeLessThan(MAX_GROWTH);
  });
});

describe('for a message of the largest size, parseMessage keeps each field within its size limit', () => {
  test.each(Object.entries(messages))('%s', (_, hostile) => {
    const parts = parseMessage(Buffer.from(hostile(LARGEST_BYTES), 'latin1'));
    expect(parts.text?.length ?? 0).toBeLessThanOrEqual(1024 * 1024);
    expect(parts.html?.length ?? 0).toBeLessThanOrEqual(1024 * 1024);
    expect(parts.subject.length).toBeLessThanOrEqual(16 * 1024);
    expect(parts.from?.length ?? 0).toBeLessThanOrEqual(320);
    expect(parts.messageId).toBeNull();
  });
});
