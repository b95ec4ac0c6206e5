import { expect, test } from 'vitest';
import { readContents } from '../../src/contents.js';
import { decodeCharset } from '../../src/mime/charset.js';
import { parseMessage } from '../../src/mime/parse.js';
import { firstMailbox } from './first-mailbox.js';

const read = (text: string) => readContents(Buffer.from(text, 'latin1'));
const parse = (text: string) => parseMessage(Buffer.from(text, 'latin1'));

const KIB = 1024;

/** Lines of a header, of so many KiB. */
const filler = (kib: number) => `X: ${'x'.repeat(KIB - 'X: \r\n'.length)}\r\n`.repeat(kib);

test('256 KiB of a header are read', () => {
  expect(parse(`${filler(255)}Subject: late\r\n\r\nbody`).subject).toBe('late');
  expect(parse(`${filler(256)}Subject: late\r\n\r\nbody`)).toMatchObject({ subject: '', text: 'body' });
});

test('the name of the first field has less than 100 bytes; whatever begins otherwise is a body', () => {
  expect(parse(`${'a'.repeat(99)}: b\r\n\r\nbody`).text).toBe('body');
  expect(parse(`${'a'.repeat(100)}: b\r\n\r\nbody`).text).toMatch(/^a{100}: b\n\nbody$/);
});

test('an address has 320 characters', () => {
  const local = 'a'.repeat(320 - '@app.test'.length);
  expect(firstMailbox(`${local}@app.test`)?.address).toHaveLength(320);
  expect(firstMailbox(`a${local}@app.test`)).toBeNull();
});

test('mailboxes are listed from 32 KiB of a field', () => {
  const field = (count: number) => `To: ${`${'n'.repeat(108)} <a@b.test>,`.repeat(count)}\r\n\r\n`;
  const whole = read(field(270));
  expect(whole.to).toHaveLength(270);
  expect(whole.incomplete).not.toContain('to');
  const cut = read(field(280));
  expect(cut.to.length).toBeLessThan(280);
  expect(cut.incomplete).toContain('to');
});

test('320 characters of a display name are listed', () => {
  const named = (chars: number) => read(`To: ${'n'.repeat(chars)} <a@b.test>\r\n\r\n`).to[0]?.name;
  expect(named(320)).toHaveLength(320);
  expect(named(5_000)).toHaveLength(320);
});

test('the label of a charset has 40 characters', () => {
  const decoded = (blanks: number) => decodeCharset(Buffer.of(0xb1), `iso-8859-2${' '.repeat(blanks)}`, 'whole');
  expect(decoded(30)).toBe('ą');
  expect(decoded(31)).not.toBe('ą');
});

test('998 characters of what a part says of itself are listed', () => {
  const long = 'b'.repeat(2_000);
  const header = `Content-Type: a/${long}; charset=${long}\r\nContent-Disposition: ${long}\r\nContent-ID: <${long}>\r\n`;
  const { type, charset, disposition, contentId } = read(`${header}\r\n`).parts[0] ?? {};
  const most = [type, charset, disposition, contentId].map((value) => value?.length);
  expect(most).toEqual([998, 998, 998, 998]);
});

test('the charset of HTML is looked for in its first KiB', () => {
  const text = (before: number) => {
    const html = `<!--${'x'.repeat(before)}--><meta charset=iso-8859-2>\xb1`;
    return parse(`Content-Type: text/html\r\n\r\n${html}`).html?.at(-1);
  };
  expect(text(950)).toBe('ą');
  expect(text(1_100)).not.toBe('ą');
});

test.each([
  ['base64', Buffer.alloc(300_000, 'abc').toString('base64')],
  ['quoted-printable', 'abc'.repeat(100_000)],
])('a long text in %s is decoded whole', (encoding, content) => {
  expect(parse(`Content-Transfer-Encoding: ${encoding}\r\n\r\n${content}`).text).toBe('abc'.repeat(100_000));
});

test('a text of the largest size is decoded by hand where no decoder does it', () => {
  expect(decodeCharset(Buffer.alloc(KIB * KIB, 0x92), 'windows-1252', 'whole')).toBe('’'.repeat(KIB * KIB));
});
