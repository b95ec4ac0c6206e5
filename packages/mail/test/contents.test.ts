import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readContents } from '../src/contents.js';
import { listParts, locatePart } from '../src/mime/part-list.js';
import { type Preview, previewDocument } from '../src/preview-document.js';

const messageOf = (text: string) => Buffer.from(text, 'latin1');
const readText = (text: string) => readContents(messageOf(text));
const lines = (count: number, line: (n: number) => string) => Array.from({ length: count }, (_, n) => line(n)).join('');

const MULTIPART = 'Content-Type: multipart/mixed; boundary=b\r\n\r\n';
const HTML = 'Content-Type: text/html\r\n\r\n';

const AS_IT_IS: Preview = { images: 'inside', styles: 'kept', scheme: null };

describe('readContents of an attached message', () => {
  const attached = (text: string, encoding = '8bit') =>
    `--b\r\nContent-Type: message/rfc822\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${text}\r\n`;
  const returned = 'Subject: Verify\r\n\r\nYour code is 482913.\r\nVerify: https://app.test/verify?token=q7w8e9r0t1y2';
  const bounce = (...messages: string[]) =>
    `Subject: Returned\r\n${MULTIPART}--b\r\n\r\nIt could not be delivered.\r\n${messages.join('')}--b--`;

  test.each([
    ['as it is', attached(returned)],
    ['in base64', attached(Buffer.from(returned).toString('base64'), 'base64')],
  ])('lists the codes and links of the attached message in its part, not in the outer message (%s)', (_, part) => {
    const { parts, codes, links } = readText(bounce(part));
    expect([codes, links]).toEqual([[], []]);
    expect(parts[2]?.codes?.map(({ value }) => value)).toEqual(['482913']);
    expect(parts[2]?.links?.map(({ url }) => url)).toEqual(['https://app.test/verify?token=q7w8e9r0t1y2']);
    expect(parts[1]).not.toHaveProperty('codes');
  });

  test('omits the codes and links after ten attached messages or after 1 MiB of them', () => {
    const many = readText(bounce(...Array.from({ length: 12 }, () => attached(returned)))).parts;
    expect(many.filter(({ codes }) => codes !== undefined)).toHaveLength(10);
    const long = readText(bounce(attached(`\r\n${'x '.repeat(512 * 1024)}`), attached(returned))).parts;
    expect(long[2]?.codes).toEqual([]);
    // An empty list would claim that the message has no codes or links.
    expect(long[3]?.type).toBe('message/rfc822');
    expect(long[3]).not.toHaveProperty('codes');
    expect(long[3]).not.toHaveProperty('links');
  });
});

describe('readContents with a field that exceeds its bound', () => {
  test.each([
    ['fields of the header', 'headers', 1_000, lines(100_000, (n) => `X-${n}: a\r\n`), []],
    ['mailboxes', 'to', 500, `To: ${lines(1_000, (n) => `a${n}@b.test,`)}\r\n\r\n`, []],
    ['parts', 'parts', 1_000, `${MULTIPART}${'--b\r\n\r\nx\r\n'.repeat(10_000)}`, []],
    ['links', 'links', 500, HTML + lines(600, (n) => `<a href=http://a.test/${n}>x</a>`), []],
    ['links of the text', 'links', 500, `\r\n${lines(600, (n) => `http://a.test/${n} `)}`, ['codes']],
  ] as const)('truncates %s and lists the field in incomplete', (_, field, most, message, also) => {
    const contents = readText(message);
    expect(contents[field]).toHaveLength(most);
    expect(contents.incomplete.toSorted()).toEqual([field, ...also].toSorted());
  });

  test.each([
    ['text', 'Content-Type: text/plain\r\n\r\n'],
    ['html', HTML],
  ] as const)('truncates %s and lists the field in incomplete', (field, header) => {
    const whole = readText(header + 'x'.repeat(1024 * 1024));
    expect(whole[field]).toHaveLength(1024 * 1024);
    expect(whole.incomplete).not.toContain(field);
    const cut = readText(`${header}${'x'.repeat(1024 * 1024)}y`);
    expect(cut[field]).toHaveLength(1024 * 1024);
    expect(cut.incomplete).toContain(field);
  });

  test('lists "codes" in incomplete if the text has 200 numbers or 200 codes with letters', () => {
    for (const code of [(n: number) => `item ${1_000 + n}, `, (n: number) => `code A${1_000 + n}B, `]) {
      expect(readText(`\r\n${lines(199, code)}`).incomplete).toEqual([]);
      expect(readText(`\r\n${lines(200, code)}`).incomplete).toEqual(['codes']);
    }
  });
});

describe('listParts lists the readable parts of broken messages', () => {
  test.each([
    ['nothing', '', ['1 text/plain 0']],
    ['a header alone', 'Subject: a', ['1 text/plain 0']],
    ['no type', '\r\nabc', ['1 text/plain 3']],
    ['a multipart without a boundary', 'Content-Type: multipart/mixed\r\n\r\nabc', ['1 text/plain 3']],
    ['a multipart without parts', `${MULTIPART}abc`, ['1 text/plain 3']],
    ['a multipart that is not closed', `${MULTIPART}--b\r\n\r\nabc`, [' multipart/mixed null', '1 text/plain 3']],
    ['a part without a header', `${MULTIPART}--b\r\nabc\r\n--b--`, [' multipart/mixed null', '1 text/plain 3']],
    [
      'an attached message, whose parts are not listed',
      `Content-Type: message/rfc822\r\n\r\n${MULTIPART}--b\r\n\r\na\r\n--b--`,
      ['1 message/rfc822 60'],
    ],
    [
      'a multipart in a multipart, and a part after it',
      `${MULTIPART}--b\r\nContent-Type: multipart/alternative; boundary=c\r\n\r\n--c\r\n\r\na\r\n--c\r\n\r\nbc\r\n--c--\r\n--b\r\n\r\nd\r\n--b--`,
      [
        ' multipart/mixed null',
        '1 multipart/alternative null',
        '1.1 text/plain 1',
        '1.2 text/plain 2',
        '2 text/plain 1',
      ],
    ],
  ])('%s', (_, message, expected) => {
    const { parts } = readText(message);
    expect(parts.map(({ path, type, size }) => `${path} ${type} ${size}`)).toEqual(expected);
  });

  test('locatePart and listParts return the same size for each part', () => {
    const message = messageOf(
      `${MULTIPART}--b\r\nContent-Transfer-Encoding: base64\r\n\r\nQUJD\r\nRA==\r\n--b\r\nContent-Type: multipart/x\r\n\r\nabc\r\n--b--`,
    );
    for (const { path, size } of listParts(message, null).parts.items) {
      const located = locatePart(message, path);
      const found = located === 'multipart' ? null : located?.size;
      expect([path, found]).toEqual([path, path === '' ? null : size]);
    }
    expect(locatePart(message, '')).toBe('multipart');
    expect(locatePart(message, '9')).toBeNull();
  });

  test('for any bytes, locatePart finds every part that listParts lists', () => {
    const header = fc.constantFrom(
      '',
      MULTIPART,
      HTML,
      'Content-Transfer-Encoding: base64\r\n\r\n',
      'To: a <b@c.test>\r\n',
    );
    const piece = fc.constantFrom(
      '--b\r\n',
      '--b--\r\n',
      'Content-Type: ',
      'name*0*=%',
      ';',
      '\r\n',
      '=',
      '"',
      '<a href=',
      '\0',
    );
    const message = fc.tuple(header, fc.array(fc.oneof(piece, fc.string({ maxLength: 5 })), { maxLength: 30 }));
    fc.assert(
      fc.property(message, ([head, pieces]) => {
        const raw = Buffer.from(head + pieces.join(''));
        const { parts } = readContents(raw);
        for (const { path, size } of parts) {
          const located = locatePart(raw, path);
          expect(located === 'multipart' ? null : located?.size).toBe(size);
          if (located !== null && located !== 'multipart') expect(located.end).toBeLessThanOrEqual(raw.length);
        }
        expect(new Set(parts.map(({ path }) => path)).size).toBe(parts.length);
        expect(previewDocument(raw, AS_IT_IS)).toBeTypeOf('string');
      }),
      { numRuns: 300 },
    );
  });
});
