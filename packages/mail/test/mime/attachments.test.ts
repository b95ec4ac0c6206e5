import { describe, expect, test } from 'vitest';
import { parseMessage } from '../../src/mime/parse.js';
import { message } from './message-bytes.js';

/** A multipart whose parts are given by their header lines. */
function mixed(...parts: string[][]) {
  const bodies = parts.flatMap((header) => ['--b', ...header, '', 'x']);
  return parseMessage(message(['Content-Type: multipart/mixed; boundary=b', '', ...bodies, '--b--', '']));
}

/** A multipart with an HTML part, and a part with the given header. */
function shownBy(html: string, ...header: string[]) {
  const parts = ['--b', 'Content-Type: text/html', '', html, '--b', ...header, '', 'x', '--b--', ''];
  return parseMessage(message(['Content-Type: multipart/related; boundary=b', '', ...parts]));
}

const LOGO = [
  'Content-Type: image/png',
  'Content-Disposition: inline; filename=logo.png',
  'Content-ID: <logo@app.test>',
];

describe('parseMessage counts as an attachment', () => {
  test.each<[string, string[]]>([
    ['a part with the disposition attachment', ['Content-Disposition: attachment']],
    ['text with the disposition attachment', ['Content-Type: text/plain', 'Content-Disposition: ATTACHMENT']],
    ['a part with an unknown disposition (RFC 2183 section 2.8)', ['Content-Disposition: form-data']],
    ['a PDF without a name', ['Content-Type: application/pdf']],
    ['an image with only the disposition inline', ['Content-Type: image/png', 'Content-Disposition: inline']],
    ['a message', ['Content-Type: message/rfc822']],
    ['text with a file name', ['Content-Type: text/csv', 'Content-Disposition: inline; filename=rows.csv']],
    ['text with a name in its type', ['Content-Type: text/plain; name="notes.txt"']],
    ['text with a name in sections (RFC 2231)', ["Content-Disposition: inline; filename*0*=utf-8''a; filename*1=b"]],
    ['an image whose Content-ID is not used', LOGO],
  ])('%s', (_, header) => {
    expect(mixed(['Content-Type: text/plain'], header).attachments).toBe(1);
  });

  test('a message that consists of a file', () => {
    expect(parseMessage(message(['Content-Type: application/pdf', '', 'x'])).attachments).toBe(1);
  });

  test('an image that the HTML displays, if its disposition is attachment', () => {
    const header = ['Content-Type: image/png', 'Content-Disposition: attachment', 'Content-ID: <logo@app.test>'];
    expect(shownBy('<img src="cid:logo@app.test">', ...header).attachments).toBe(1);
  });
});

describe('parseMessage does not count as an attachment', () => {
  test.each<[string, string[]]>([
    ['text', ['Content-Type: text/plain']],
    ['text of another type', ['Content-Type: text/calendar']],
    ['text with an empty file name', ['Content-Disposition: inline; filename=""']],
    ['a part without a header', []],
    ['a multipart', ['Content-Type: multipart/alternative; boundary=c; name=parts']],
  ])('%s', (_, header) => {
    expect(mixed(header).attachments).toBe(0);
  });

  test.each([
    ['an image', '<img src="cid:logo@app.test">'],
    ['an image without quotes', '<img src=cid:logo@app.test>'],
    ['an image, percent-encoded (RFC 2392)', '<img src="CID:logo%40app.test">'],
    ['a background', '<p style="background: url(cid:logo@app.test)">'],
  ])('a part that the HTML displays as %s, even with a file name', (_, html) => {
    expect(shownBy(html, ...LOGO).attachments).toBe(0);
  });
});
