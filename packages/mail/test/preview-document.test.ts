import { describe, expect, test } from 'vitest';
import { type Rewriting, sanitizeHtml as sanitize } from '../src/html/sanitize.js';
import { type Preview, previewDocument } from '../src/preview-document.js';

/** Sanitizes HTML and keeps every image with a `data:` URL. */
const sanitizeHtml = (html: string, how: Partial<Rewriting> = {}) =>
  sanitize(html, {
    image: (address) => (address.startsWith('data:') ? address : null),
    styles: 'kept',
    scheme: null,
    ...how,
  });

describe('sanitizeHtml', () => {
  test.each([
    ['keeps styles and classes', '<p style="color:red" class=a>x</p>', '<p class="a" style="color:red">x</p>'],
    ['keeps style sheets', '<STYLE type=x>p>b{color:red}</STYLE>', '<style>p>b{color:red}</style>'],
    [
      'keeps the media of a style sheet',
      '<style media="print and (min-width:1px)">p{}</style>',
      '<style media="print and (min-width:1px)">p{}</style>',
    ],
    ['replaces an invalid medium', '<style media="url(//a)<">', '<style media="none&lt; "></style>'],
    [
      'turns supported color schemes into a style',
      '<meta name="Color-Scheme" content="light dark">',
      '<style>:root{color-scheme:light dark}</style>',
    ],
    ['drops an invalid color scheme', '<meta name=color-scheme content="dark}p{color:red">', ''],
    [
      'keeps the margins and colors of a body',
      '<body topmargin=0 marginwidth=0 text=red vlink=blue onload=x()>',
      '<body marginwidth="0" text="red" topmargin="0" vlink="blue">',
    ],
    ['closes an unclosed style sheet', '<style>p{}', '<style>p{}</style>'],
    ['keeps an allowed image', '<img src="data:x" onerror=x()>', '<img src="data:x">'],
    ['drops the URL of another image', '<img src="cid:1" alt=a>', '<img alt="a">'],
    ['drops scripts with their content', 'a<script>alert("<p>")</script>b', 'ab'],
    ['drops event handlers', '<b onclick="x()" ONLOAD=x>b</b>', '<b>b</b>'],
    ['drops forms and keeps their text', '<form action=//a.test><button>Go</button></form>', 'Go'],
    ['drops meta, base, link', '<meta http-equiv=refresh content=0><base href=//a><link rel=preconnect href=//a>', ''],
    ['drops frames and objects', '<iframe src=//a>x</iframe><object data=//a></object><embed src=//a>', ''],
    ['drops svg and math', '<svg onload=x><a xlink:href=//a>t</a></svg><math></math>', '<a>t</a>'],
    ['drops comments', 'a<!-- <b> --!> -->b', 'ab'],
    ['drops conditional comments', '<!--[if mso]><p>old</p><![endif]-->new', 'new'],
    [
      'escapes quotes within an attribute',
      "<b title='\"><script>'>x</b>",
      '<b title="&quot;>&lt;script>">x</b>'.replace('&quot;>', '&quot;>'),
    ],
    ['drops an unclosed tag', 'a<b title="', 'a'],
    ['escapes a lone <', '1 < 2', '1 &lt; 2'],
    ['keeps character references', '&lt;b&gt; &amp; &copy;', '&lt;b&gt; &amp; &copy;'],
    ['forms no tag around a dropped tag', '<<form>meta http-equiv=refresh>', '&lt;meta http-equiv=refresh>'],
  ])('%s', (_, html, expected) => {
    expect(sanitizeHtml(html)).toBe(expected);
  });

  test.each([
    ['https://a.test/?a=1&amp;b=2', 'https://a.test/?a=1&amp;b=2'],
    [' HTTP://a.test', 'HTTP://a.test'],
    ['mailto:a@a.test', 'mailto:a@a.test'],
    ['ht&#10;tps://a.test', 'https://a.test'],
  ])('makes the link %j open in a new tab that has no access to the preview', (href, expected) => {
    const link = `<a href="${expected}" target="_blank" rel="noopener noreferrer">`;
    expect(sanitizeHtml(`<a target=_top href="${href}">`)).toBe(link);
  });

  test.each([
    'javascript:x()',
    'java&#115;cript:x()',
    '&#1;javascript:x()',
    'data:text/html,x',
    'vbscript:x',
    '/api',
    '#a',
    'file:///etc',
    '',
  ])('removes the URL of the link %j', (href) => {
    expect(sanitizeHtml(`<a href="${href}">x</a>`)).toBe('<a>x</a>');
  });
});

describe('sanitizeHtml for a color scheme', () => {
  const HTML =
    '<meta name=color-scheme content="light dark"><style>p{color:red}</style><p class=a style=color:red bgcolor=red>x</p>';

  test("uses the reader's color scheme if the message supports it", () => {
    expect(sanitizeHtml(HTML, { scheme: 'dark' })).toContain('<style>:root{color-scheme: dark}</style>');
    expect(sanitizeHtml('<style media="(prefers-color-scheme:dark)">', { scheme: 'light' })).toBe(
      '<style media="(max-width:-1px)"></style>',
    );
  });
});

describe('previewDocument', () => {
  const previewAs = (how: Partial<Preview>, ...lines: string[]) =>
    previewDocument(Buffer.from(lines.join('\r\n')), { images: 'inside', styles: 'kept', scheme: null, ...how });
  const preview = (...lines: string[]) => previewAs({}, ...lines);

  test("uses the reader's color scheme for a text message", () => {
    expect(previewAs({ scheme: 'dark' }, '', 'x')).toContain(':root{color-scheme:dark}');
    expect(preview('', 'x')).toContain(':root{color-scheme:light dark}');
  });

  test.each([
    ['<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://a.test/x.dtd">', true],
    ["\n<!doctype HTML public '-//W3C//DTD HTML 4.01 Transitional//EN'>", true],
    ['<!doctype html>', false],
    ['<p>', false],
    ['<p><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN">', false],
  ])("uses the layout mode of the message's doctype: %s", (beginning, isTransitional) => {
    const document = preview('Content-Type: text/html', '', `${beginning}<p>x</p>`);
    expect(document.startsWith('<!doctype html public')).toBe(isTransitional);
    expect(document).not.toContain('a.test');
  });

  test('shows the HTML part if there is one', () => {
    const document = preview(
      'Subject: A & <b>',
      'Content-Type: text/html',
      '',
      '<body bgcolor=red><p>Hello</p></body>',
    );
    expect(document).toMatch(/^<!doctype html><meta charset="utf-8"><title>A &amp; &lt;b><\/title><style>/);
    expect(document).toContain('<body bgcolor="red"><p>Hello</p></body>');
  });

  test('shows the text with links if there is no HTML part', () => {
    const document = preview('Subject: x', '', 'See <https://a.test/?a=1&b=2>.', '<b>not bold</b>');
    expect(document).toContain(
      '<pre dir="auto">See &lt;<a href="https://a.test/?a=1&amp;b=2" target="_blank" rel="noopener noreferrer">https://a.test/?a=1&amp;b=2</a>>.\n&lt;b>not bold&lt;/b></pre>',
    );
  });
});
