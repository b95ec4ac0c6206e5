import { describe, expect, test } from 'vitest';
import { MAX_PAGE_LINKS, readPage } from '../../src/html/read-page.js';

const texts: [name: string, html: string, text: string][] = [
  ['nothing', '', ''],
  ['white space', '<p> a \n\t b&nbsp; c </p>', 'a b c'],
  ['inline elements', 'a<b>b</b> <i>c</i>d', 'ab cd'],
  ['blocks', '<div>a</div><div>b</div>c', 'a\nb\nc'],
  ['paragraphs', '<p>a</p><p>b</p>', 'a\n\nb'],
  ['unclosed paragraphs', '<p>a<p>b', 'a\n\nb'],
  ['nested blocks', '<div><div><div>a</div></div></div><div>b</div>', 'a\nb'],
  ['headings', '<h1>a</h1>b', 'a\n\nb'],
  ['breaks', 'a<br>b<br/><br />c', 'a\nb\n\nc'],
  ['rules', 'a<hr>b', 'a\n\nb'],
  ['a table', '<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>', 'a\tb\nc'],
  ['an unclosed table', '<table><tr><td>a<td>b<tr><td>c', 'a\tb\nc'],
  ['a list', '<ul><li>a</li><li></li><li>b<ul><li>c</ul></ul>', '- a\n- b\n\n- c'],
  ['images', '<img alt="a &amp; b" src="x"><img src="y"><img alt="">c', 'a & bc'],
  ['preformatted text', '<pre>\na  b\n  c\n</pre>d', 'a  b\n  c\n\nd'],
  ['text preformatted by style', '<p style="white-space:pre-wrap">a\n  b</p>', 'a\n  b'],
  ['entities', '&lt;b&gt; &copy; 2026', '<b> © 2026'],
  ['zero-width characters', 'a\u00adb\u200bc\ufeffd', 'abcd'],
  ['joiners, which change the shape of letters', 'نمی\u200cخواهم 👩\u200d💻', 'نمی\u200cخواهم 👩\u200d💻'],
  ['inline blocks', '<div style="display:inline-block">a</div><div style="display: inline">b</div>', 'ab'],
  ['spans with display:block', '<span style="display:block">a</span><span style="display:block">b</span>', 'a\nb'],
  ['scripts, styles and comments', 'a<script>b</script><style>c</style><!-- d -->e<title>f</title>', 'ae'],
  ['wrong nesting', '<b>a<i>b</b>c</i>d', 'abcd'],
  ['an unknown element', '<o:p>a</o:p><x-y>b</x-y>', 'ab'],
];

test.each(texts)('readPage returns the text of %s', (_, html, text) => {
  expect(readPage(html).text).toBe(text);
});

const hidden: [name: string, html: string][] = [
  ['display', '<p style="display:none">x</p>'],
  ['display in unusual spelling', '<p style="DISPLAY : none !important">x</p>'],
  ['visibility', '<p style="color:red;visibility:hidden">x</p>'],
  ['zero opacity', '<p style="opacity:0">x</p>'],
  ['zero height', '<p style="max-height:0px;overflow:hidden">x</p>'],
  ['zero font size', '<p style="font-size:0">x</p>'],
  ['an unreadable font size', '<p style="font-size:1px;color:#fff">x</p>'],
  ['the attribute hidden', '<p hidden>x</p>'],
  ['Outlook', '<p style="mso-hide:all">x</p>'],
  ['a hidden ancestor', '<div style="display:none"><p><b>x</b></p></div>'],
  ['a template element', '<template>x</template>'],
];

test.each(hidden)('readPage omits text hidden by %s', (_, html) => {
  expect(readPage(`a${html}b`).text.replace(/\s/g, '')).toBe('ab');
});

const shown: [name: string, html: string][] = [
  ['a child with its own font size', '<td style="font-size:0px"><p style="font-size:14px">x</p></td>'],
  ['partial opacity', '<p style="opacity:0.7">x</p>'],
  ['a maximum height', '<p style="max-height:0.5em">x</p>'],
  ['a property with a similar ending', '<p style="x-display:none">x</p>'],
  ['text after a hidden element', '<p style="display:none">a</p>x'],
  ['text after an unclosed hidden paragraph', '<p style="display:none">a<p>x</p>'],
];

test.each(shown)('readPage keeps text that is not hidden: %s', (_, html) => {
  expect(readPage(html).text).toBe('x');
});

describe('readPage returns the style of text', () => {
  const looks: [name: string, html: string, look: object][] = [
    ['without style', 'x', { fontSize: 16, bold: false, codeLike: false, footer: false, quoted: false }],
    ['in bold', '<strong>x</strong>', { bold: true }],
    ['bold by style', '<p style="font-weight:700">x</p>', { bold: true }],
    ['in bold that a style undoes', '<b><i style="font-weight:normal">x</i></b>', { bold: false }],
    ['in a heading', '<h1>x</h1>', { fontSize: 32, bold: true }],
    ['with a size in pixels', '<p style="font-size: 28PX">x</p>', { fontSize: 28 }],
    ['with a size in points', '<p style="font-size:18pt">x</p>', { fontSize: 24 }],
    ['with a relative size', '<p style="font-size:20px"><b style="font-size:150%">x</b></p>', { fontSize: 30 }],
    ['with a size in em', '<p style="font-size:20px"><b style="font-size:2em">x</b></p>', { fontSize: 40 }],
    ['in a code element', '<code>x</code>', { codeLike: true }],
    ['in a fixed-width font', '<p style="font-family:&quot;Courier New&quot;, monospace">x</p>', { codeLike: true }],
    ['with wide letter spacing', '<p style="letter-spacing:6px">x</p>', { codeLike: true }],
    ['in a footer, by its element', '<footer>x</footer>', { footer: true }],
    ['in a footer, by its class', '<div class="email-footer"><p>x</p></div>', { footer: true }],
    ['in a quotation, by its element', '<blockquote><p>x</p></blockquote>', { quoted: true }],
    ['in a quotation, by its class', '<div class="gmail_quote">x</div>', { quoted: true }],
    ['after the head of a quotation', '<div id="divRplyFwdMsg"></div><p>x</p>', { quoted: true }],
  ];
  test.each(looks)('%s', (_, html, look) => {
    expect(readPage(html).spans.map((span) => span.look)).toEqual([expect.objectContaining(look)]);
  });
});

describe('readPage returns links', () => {
  const links: [name: string, html: string, links: [href: string, text: string][]][] = [
    ['none', '<a name="x">a</a>', []],
    ['with their address and text', '<p>a <a href="http://x/?a=1&amp;b=2">b</a></p>', [['http://x/?a=1&b=2', 'b']]],
    ['with elements inside', '<a href="x"><b>a</b> <img alt="b"></a>', [['x', 'a b']]],
    [
      'without closing tags',
      '<a href="x">a<a href="y">b',
      [
        ['x', 'a'],
        ['y', 'b'],
      ],
    ],
    ['that their block closes', '<p><a href="x">a</p>b', [['x', 'a']]],
    ['of an image map', '<map><area href="x" alt="a"></map>', [['x', '']]],
  ];
  test.each(links)('%s', (_, html, expected) => {
    const page = readPage(html);
    expect(page.links.map(({ href, start, end }) => [href, page.text.slice(start, end).trim()])).toEqual(expected);
  });

  const traits: [name: string, html: string, traits: object][] = [
    ['without style', '<a href="x">a</a>', { button: false, footer: false, hidden: false, title: '' }],
    ['with a title', '<a href="x" title="a &amp; b">a</a>', { title: 'a & b' }],
    ['with a label', '<a href="x" aria-label="b">a</a>', { title: 'b' }],
    ['as buttons by their background', '<a href="x" style="background-color:#07c">a</a>', { button: true }],
    ['as buttons by their cell', '<table><tr><td bgcolor="#07c"><a href="x">a</a></td></tr></table>', { button: true }],
    ['as buttons by their class', '<a class="btn-primary" href="x">a</a>', { button: true }],
    ['as buttons by their content', '<a href="x"><span style="background:#07c">a</span></a>', { button: true }],
    ['not as buttons without a color', '<a href="x" style="background:none">a</a>', { button: false }],
    ['in a footer', '<div id="footer"><a href="x">a</a></div>', { footer: true }],
    ['as hidden', '<div style="display:none"><a href="x">a</a></div>', { hidden: true }],
  ];
  test.each(traits)('%s', (_, html, expected) => {
    expect(readPage(html).links).toEqual([expect.objectContaining(expected)]);
  });
});

describe('readPage, for a page that is too large', () => {
  test('returns at most 64 Ki characters of text', () => {
    expect(readPage('<p>abc</p>'.repeat(100_000)).text.length).toBeLessThanOrEqual(64 * 1024);
    expect(readPage('a'.repeat(500_000)).text.length).toBe(64 * 1024);
  });
  test('returns at most MAX_PAGE_LINKS links', () => {
    expect(readPage('<a href="x">a</a>'.repeat(5_000)).links.length).toBe(MAX_PAGE_LINKS);
  });
  test('ignores a style attribute of more than 2,000 characters', () => {
    const styled = (before: number) => `<p style="${' '.repeat(before)}display:none">a</p>b`;
    expect(readPage(styled(2_000 - 'display:none'.length)).text).toBe('b');
    expect(readPage(styled(2_000)).text).toBe('a\n\nb');
  });
  test('applies a style only to elements nested up to 255 levels deep', () => {
    const nested = (depth: number) => `${'<div>'.repeat(depth - 1)}<p style="display:none">a</p>b`;
    expect(readPage(nested(255)).text).toBe('b');
    expect(readPage(nested(256)).text).toBe('ab');
  });
  test('matches a closing tag only with the 32 innermost elements', () => {
    const unclosed = (count: number) => `<div style="display:none">${'<span>'.repeat(count)}a</div>b`;
    expect(readPage(unclosed(31)).text).toBe('b');
    expect(readPage(unclosed(32)).text).toBe('');
  });
  test('returns the text of elements nested 20,000 levels deep', () => {
    expect(readPage(`${'<div>'.repeat(20_000)}a${'</div>'.repeat(20_000)}<p>b</p>`).text).toBe('a\n\nb');
  });
  test('hides text nested 1,000 levels deep in a hidden element', () => {
    const deep = `<div style="display:none">${'<div>'.repeat(1_000)}x${'</div>'.repeat(1_000)}y</div>z`;
    expect(readPage(deep).text).toBe('z');
  });
});
