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

/** The tag after which the sanitized content begins. */
const BODY = '<body tabindex="0">';

/** A message with HTML and further parts, each of which is an image of one pixel by default. */
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

describe('previewDocument with embedded images', () => {
  test.each([
    ['in an element', '<img src="cid:pixel@a.test">', `<img src="${DATA}">`],
    ['with capital letters and a character reference', '<img src="CID&#58;pixel%40a.test">', `<img src="${DATA}">`],
    ['in a background', '<td background="cid:pixel@a.test">', `<td background="${DATA}">`],
    ['in a style', '<p style="background:url(cid:pixel@a.test)">', `<p style="background:url(&quot;${DATA}&quot;)">`],
    [
      'in a style sheet',
      '<style>p{background:url("cid:pixel@a.test")}</style>',
      `<style>p{background:url("${DATA}")}</style>`,
    ],
    ['at each use', '<img src="cid:pixel@a.test"><img src="cid:pixel@a.test">', `<img src="${DATA}">`.repeat(2)],
    ['except one whose part is missing', '<img src="cid:other" alt="a">', '<img alt="a">'],
  ])('shows the image: %s', (_, html, expected) => {
    expect(bodyOf(message(html, {}))).toBe(expected);
  });

  test.each([
    ['a document', { type: 'application/pdf' }],
    ['SVG, which may hold scripts', { type: 'image/svg+xml' }],
    ['an attached message', { type: 'message/rfc822' }],
    ['a part without a Content-ID', { id: '' }],
  ])('removes a cid: image if the other part of the message is %s', (_, part) => {
    expect(bodyOf(message('<img src="cid:pixel@a.test">', part))).toBe('<img>');
  });

  test('limits the total size of repeated images', () => {
    const large = { content: 'A'.repeat(1_000_000) };
    const document = bodyOf(message('<img src="cid:pixel@a.test">'.repeat(10_000), large));
    expect(document.match(/src=/g)).toHaveLength(8);
    expect(document.match(/<img>/g)).toHaveLength(10_000 - 8);
    const styled = bodyOf(message('<p style="background:url(cid:pixel@a.test)">'.repeat(10_000), large));
    expect(styled.match(/url\(/g)).toHaveLength(8);
  });
});

describe('previewDocument with remote images', () => {
  const HTML =
    '<img src="https://a.test/1" srcset="https://a.test/2 2x"><table background="//a.test/3"><td style="background:url(https://a.test/4)">' +
    '<style>@import "https://a.test/5";@font-face{src:url(https://a.test/6)}p{background:url(https://a.test/7)}</style>' +
    '<img src="/api/inbox/demo"><a href="https://a.test/link">x</a>';

  test('removes remote images, fonts and style sheets by default, and keeps links', () => {
    expect(bodyOf(message(HTML)).replace('<a href="https://a.test/link"', '<a')).not.toMatch(/a\.test|\/api/);
    expect(bodyOf(message(HTML))).toContain('href="https://a.test/link"');
  });

  test('includes the images on request, but not fonts and style sheets', () => {
    const body = bodyOf(message(HTML), 'remote');
    for (const n of [1, 3, 4, 7]) expect(body).toContain(`//a.test/${n}`);
    for (const n of [2, 5, 6]) expect(body).not.toContain(`https://a.test/${n}`);
    expect(body).not.toContain('/api/inbox');
  });
});
