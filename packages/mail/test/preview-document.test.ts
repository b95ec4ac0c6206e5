import { describe, expect, test } from 'vitest';
import { type Rewriting, sanitizeHtml as sanitize } from '../src/html/sanitize.js';
import { type Preview, previewDocument } from '../src/preview-document.js';

/** Sanitizes HTML and keeps every image with a `data:` address. */
const sanitizeHtml = (html: string, how: Partial<Rewriting> = {}) =>
  sanitize(html, {
    image: (address) => (address.startsWith('data:') ? address : null),
    styles: 'kept',
    scheme: null,
    ...how,
  });

describe('sanitizeHtml', () => {
  test.each([
    [
      'what says how something looks stays',
      '<p style="color:red" class=a>x</p>',
      '<p class="a" style="color:red">x</p>',
    ],
    ['style sheets stay', '<STYLE type=x>p>b{color:red}</STYLE>', '<style>p>b{color:red}</style>'],
    [
      'the media of a style sheet stay',
      '<style media="print and (min-width:1px)">p{}</style>',
      '<style media="print and (min-width:1px)">p{}</style>',
    ],
    ['what is no medium means nothing', '<style media="url(//a)<">', '<style media="none&lt; "></style>'],
    [
      'the colour schemes that a mail supports become a style',
      '<meta name="Color-Scheme" content="light dark">',
      '<style>:root{color-scheme:light dark}</style>',
    ],
    ['and nothing else', '<meta name=color-scheme content="dark}p{color:red">', ''],
    [
      'the margins and colours of a body stay',
      '<body topmargin=0 marginwidth=0 text=red vlink=blue onload=x()>',
      '<body marginwidth="0" text="red" topmargin="0" vlink="blue">',
    ],
    ['a style sheet that is never closed', '<style>p{}', '<style>p{}</style>'],
    ['an image that is let through stays', '<img src="data:x" onerror=x()>', '<img src="data:x">'],
    ['another goes', '<img src="cid:1" alt=a>', '<img alt="a">'],
    ['scripts go with what is in them', 'a<script>alert("<p>")</script>b', 'ab'],
    ['event handlers go', '<b onclick="x()" ONLOAD=x>b</b>', '<b>b</b>'],
    ['forms go, their text stays', '<form action=//a.test><button>Go</button></form>', 'Go'],
    ['meta, base and link go', '<meta http-equiv=refresh content=0><base href=//a><link rel=preconnect href=//a>', ''],
    ['frames and objects go', '<iframe src=//a>x</iframe><object data=//a></object><embed src=//a>', ''],
    ['svg and math go', '<svg onload=x><a xlink:href=//a>t</a></svg><math></math>', '<a>t</a>'],
    ['comments go', 'a<!-- <b> --!> -->b', 'ab'],
    ['comments for one mail program go', '<!--[if mso]><p>old</p><![endif]-->new', 'new'],
    [
      'quotes end no attribute',
      "<b title='\"><script>'>x</b>",
      '<b title="&quot;>&lt;script>">x</b>'.replace('&quot;>', '&quot;>'),
    ],
    ['a tag that is never closed is none', 'a<b title="', 'a'],
    ['a lone < stays text', '1 < 2', '1 &lt; 2'],
    ['character references stay', '&lt;b&gt; &amp; &copy;', '&lt;b&gt; &amp; &copy;'],
    ['a tag that was left out joins nothing', '<<form>meta http-equiv=refresh>', '&lt;meta http-equiv=refresh>'],
  ])('%s', (_, html, expected) => {
    expect(sanitizeHtml(html)).toBe(expected);
  });

  test.each([
    ['https://a.test/?a=1&amp;b=2', 'https://a.test/?a=1&amp;b=2'],
    [' HTTP://a.test', 'HTTP://a.test'],
    ['mailto:a@a.test', 'mailto:a@a.test'],
    ['ht&#10;tps://a.test', 'https://a.test'],
  ])('makes the link %j open a tab without access to the preview', (href, expected) => {
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
  ])('removes the address of the link %j', (href) => {
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
      '<pre>See &lt;<a href="https://a.test/?a=1&amp;b=2" target="_blank" rel="noopener noreferrer">https://a.test/?a=1&amp;b=2</a>>.\n&lt;b>not bold&lt;/b></pre>',
    );
  });
});
