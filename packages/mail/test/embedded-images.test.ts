import { describe, expect, test } from 'vitest';
import { type ImageSources, previewDocument } from '../src/preview-document.js';

const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const DATA = `data:image/gif;base64,${PIXEL.toString('base64')}`;

interface Part {
  readonly type?: string;
  readonly id?: string;
  readonly encoding?: string;
  readonly content?: string;
}

/** Where what is written anew from the mail begins. */
const BODY = '<body tabindex="0">';

/** A message with HTML and a part that is an image of one pixel, if nothing else is said. */
function message(html: string, ...parts: readonly Part[]): Buffer {
  const written = parts.map(
    ({ type = 'image/gif', id = '<pixel@a.test>', encoding = 'base64', content = PIXEL.toString('base64') }) =>
      `Content-Type: ${type}\r\nContent-ID: ${id}\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${content}`,
  );
  const bodies = [`Content-Type: text/html\r\n\r\n${html}`, ...written];
  return Buffer.from(
    `Content-Type: multipart/related; boundary=b\r\n\r\n--b\r\n${bodies.join('\r\n--b\r\n')}\r\n--b--\r\n`,
  );
}

function bodyOf(raw: Buffer, sources: ImageSources = 'inside'): string {
  return previewDocument(raw, { images: sources, styles: 'kept', scheme: null }).split(BODY)[1] ?? '';
}

describe('images of the message', () => {
  test.each([
    ['an image', '<img src="cid:pixel@a.test">', `<img src="${DATA}">`],
    ['in any case, with a reference', '<img src="CID&#58;pixel%40a.test">', `<img src="${DATA}">`],
    ['a background', '<td background="cid:pixel@a.test">', `<td background="${DATA}">`],
    ['a style', '<p style="background:url(cid:pixel@a.test)">', `<p style="background:url(&quot;${DATA}&quot;)">`],
    [
      'a style sheet',
      '<style>p{background:url("cid:pixel@a.test")}</style>',
      `<style>p{background:url("${DATA}")}</style>`,
    ],
    ['each time', '<img src="cid:pixel@a.test"><img src="cid:pixel@a.test">', `<img src="${DATA}">`.repeat(2)],
    ['none that is not there', '<img src="cid:other" alt="a">', '<img alt="a">'],
  ])('show: %s', (_, html, expected) => {
    expect(bodyOf(message(html, {}))).toBe(expected);
  });

  test.each([
    ['a document', { type: 'application/pdf' }],
    ['SVG, which may hold scripts', { type: 'image/svg+xml' }],
    ['another mail', { type: 'message/rfc822' }],
    ['a part without a Content-ID', { id: '' }],
  ])('no other part is shown: %s', (_, part) => {
    expect(bodyOf(message('<img src="cid:pixel@a.test">', part))).toBe('<img>');
  });

  test('repeated images do not exceed the bound of the document', () => {
    const large = { content: 'A'.repeat(1_000_000) };
    const document = bodyOf(message('<img src="cid:pixel@a.test">'.repeat(10_000), large));
    expect(document.match(/src=/g)).toHaveLength(8);
    expect(document.match(/<img>/g)).toHaveLength(10_000 - 8);
    const styled = bodyOf(message('<p style="background:url(cid:pixel@a.test)">'.repeat(10_000), large));
    expect(styled.match(/url\(/g)).toHaveLength(8);
  });
});

describe('images from elsewhere', () => {
  const HTML =
    '<img src="https://a.test/1" srcset="https://a.test/2 2x"><table background="//a.test/3"><td style="background:url(https://a.test/4)">' +
    '<style>@import "https://a.test/5";@font-face{src:url(https://a.test/6)}p{background:url(https://a.test/7)}</style>' +
    '<img src="/api/inbox/demo"><a href="https://a.test/link">x</a>';

  test('do not appear in the document by default: only links have external addresses', () => {
    expect(bodyOf(message(HTML)).replace('<a href="https://a.test/link"', '<a')).not.toMatch(/a\.test|\/api/);
    expect(bodyOf(message(HTML))).toContain('href="https://a.test/link"');
  });

  test('appear in the document on request, but fonts and style sheets do not', () => {
    const body = bodyOf(message(HTML), 'remote');
    for (const n of [1, 3, 4, 7]) expect(body).toContain(`//a.test/${n}`);
    for (const n of [2, 5, 6]) expect(body).not.toContain(`https://a.test/${n}`);
    expect(body).not.toContain('/api/inbox');
  });
});
