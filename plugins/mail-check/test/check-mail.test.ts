import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkMail, GMAIL_CLIP_BYTES } from '../src/check-mail.js';

const check = (html: string, ...fields: string[]) =>
  checkMail(Buffer.from([...fields, 'Content-Type: text/html; charset=utf-8', '', html].join('\r\n')));

/** Returns the features in HTML that only some email clients support, each with its number of uses. */
const usesOf = (html: string) => Object.fromEntries(check(html).features.map(({ name, uses }) => [name, uses]));

describe('checkMail finds features that some email clients do not support', () => {
  test.each([
    ['a property in a style', '<p style="border-radius:3px">', { 'border-radius': 1 }],
    ['properties in style sheets', '<style>p{border-radius:3px}</style>', { 'border-radius': 1, '<style> element': 1 }],
    ['a property in capitals', '<p style="BORDER-RADIUS:1">', { 'border-radius': 1 }],
    ['a property with a character reference', '<p style="border&#45;radius:1">', { 'border-radius': 1 }],
    ['each use of a property', '<b style="gap:0"></b><b style="gap:0;row-gap:0">', { 'gap, column-gap, row-gap': 3 }],
    ['no property in a comment', '<p style="/*border-radius:1*/">', {}],
    ['no property in a string', '<p style="content:\';border-radius:1\'">', {}],
    ['no property in an HTML comment', '<!-- <p style="border-radius:1"> -->', {}],
    ['a value', '<p style="display:flex">', { 'display:flex': 1, display: undefined }],
    ['a function', '<p style="width:calc(1px)">', { 'CSS calc() function': 1 }],
    ['a unit', '<p style="width:2vmin">', { 'vmin unit': 1 }],
    ['a keyword', '<p style="width:fit-content">', { 'fit-content, min-content, max-content': 1 }],
    ['an important property', '<p style="color:red ! important">', { '!important keyword': 1 }],
    ['an element', '<video>', { '<video> element': 1 }],
    ['an attribute', '<img alt="" srcset="a 2x" src=a>', { 'srcset and sizes attributes': 1 }],
    ['an image by its file ending', '<img alt="" src="https://a.test/x.WEBP?1">', { 'webP image format': 1 }],
    ['an image by its data', '<img alt="" src="data:image/avif;base64,AA">', { 'AVIF image format': 1 }],
  ])('%s', (_, html, expected) => {
    const found = usesOf(html);
    for (const [name, uses] of Object.entries(expected)) {
      if (uses !== undefined) expect(found).toMatchObject({ [name]: uses });
    }
    if (Object.keys(expected).length === 0) expect(found).toEqual({});
  });

  test.each([
    ['a pseudo-class', 'a:hover{}', ':hover'],
    ['a pseudo-element', 'a::before{}', '::before'],
    ['a media feature', '@media (prefers-color-scheme:dark){p{}}', '@media (prefers-color-scheme)'],
    ['a rule within a block', '@media all{p{object-fit:cover}}', 'object-fit'],
    ['an at-rule', '@font-face{}', '@font-face'],
    ['a combinator', 'a>b{}', 'Child combinator'],
    ['an attribute in a selector', 'a[href]{}', 'Attribute selector'],
    ['a rule after a string with a brace', 'p{content:"}"}a:hover{}', ':hover'],
    ['an unclosed last rule', 'p{gap:1px', 'gap, column-gap, row-gap'],
  ])('in a style sheet: %s', (_, css, name) => {
    expect(Object.keys(usesOf(`<style>${css};</style>`))).toContain(name);
  });

  test('names the clients for each feature, the least supported feature first', () => {
    const { features } = check('<p style="border-radius:1px;mask-image:none">');
    const missing = features.map(({ unsupported }) => unsupported.length);
    expect(missing).toEqual(missing.toSorted((one, other) => other - one));
    const radius = features.find(({ name }) => name === 'border-radius');
    expect(radius?.unsupported).toContain('Outlook (Windows)');
    expect(radius?.url).toBe('https://www.caniemail.com/features/css-border-radius/');
  });

  test('names the first 20 tags that use a feature, each once, by their positions in the HTML', () => {
    const { features } = check(`<p>İ<b style="gap:0;row-gap:0"></b>${'<i style="gap:1px">'.repeat(50)}`);
    expect(features[0]).toMatchObject({ name: 'gap, column-gap, row-gap', uses: 52 });
    const tags = Array.from({ length: 19 }, (_, at) => 35 + at * 19);
    expect(features[0]?.places).toEqual([4, ...tags]);
  });

  test('scores the support in families of email clients, and gives 100 only for full support', () => {
    expect(check('<p>x')).toMatchObject({ score: 100 });
    expect(check('<p style="border-radius:1px">').score).toBeGreaterThan(check('<video>').score);
    const { clients, features, score } = check('<p style="border-radius:1px">');
    expect(clients.map(({ family }) => family)).toEqual(['Gmail', 'Outlook', 'Apple Mail', 'Others']);
    const sum = (way: 'supported' | 'partial' | 'unsupported') => clients.reduce((all, one) => all + one[way], 0);
    const lacking = features.flatMap(({ unsupported }) => unsupported);
    expect(sum('unsupported')).toBe(lacking.length);
    expect(sum('partial')).toBe(features.flatMap(({ partial }) => partial).length);
    expect(clients[1]?.unsupported).toBe(lacking.filter((name) => name.startsWith('Outlook')).length);
    const [all, half] = [sum('supported') + sum('partial') + lacking.length, sum('supported') + sum('partial') / 2];
    expect(score).toBe(Math.floor((100 * half) / all));
  });
});

describe('checkMail', () => {
  test('reports that Gmail truncates a long message', () => {
    const length = GMAIL_CLIP_BYTES - '<p>'.length;
    expect(check(`<p>${'x'.repeat(length)}`)).toMatchObject({ htmlBytes: GMAIL_CLIP_BYTES, clippedByGmail: false });
    expect(check(`<p>${'x'.repeat(length + 1)}`)).toMatchObject({ clippedByGmail: true });
  });

  test('reports images without alternative text, and names the first of these images', () => {
    expect(check('<img src=a><img src=b alt=""><img src="c" alt=c>').images).toEqual({
      total: 3,
      withoutAlt: 1,
      sources: ['a'],
      places: [0],
    });
    const { images } = check(`<img src="${'x'.repeat(5_000)}">`.repeat(200));
    expect(images).toMatchObject({ total: 200, withoutAlt: 200 });
    expect(images.sources).toHaveLength(50);
    expect(images.sources[0]).toHaveLength(500);
    expect(images.places.slice(0, 2)).toEqual([0, 5_012]);
  });

  const POST = 'List-Unsubscribe-Post: List-Unsubscribe=One-Click';
  test.each([
    ['none', [], null],
    [
      'an address',
      ['List-Unsubscribe: <https://a.test/u>'],
      { urls: ['https://a.test/u'], oneClick: false, signed: null },
    ],
    [
      'one click',
      ['List-Unsubscribe: <mailto:u@a.test>,\r\n <https://a.test/u>', POST],
      { urls: ['mailto:u@a.test', 'https://a.test/u'], oneClick: true, signed: null },
    ],
    [
      'an address with http',
      ['List-Unsubscribe: <http://a.test/u>', POST],
      { urls: ['http://a.test/u'], oneClick: false, signed: null },
    ],
    ['a script', ['List-Unsubscribe: <javascript:x()>', POST], { urls: [], oneClick: false, signed: null }],
    [
      'a signature of both headers',
      [
        'List-Unsubscribe: <https://a.test/u>',
        POST,
        'DKIM-Signature: v=1; h=From:List-Unsubscribe:\r\n List-Unsubscribe-Post; b=x',
      ],
      { urls: ['https://a.test/u'], oneClick: true, signed: true },
    ],
    [
      'a signature of one header',
      ['List-Unsubscribe: <https://a.test/u>', POST, 'DKIM-Signature: v=1; h=From:List-Unsubscribe; b=x'],
      { urls: ['https://a.test/u'], oneClick: true, signed: false },
    ],
  ])('reports the unsubscribe links of a header: %s', (_, fields, expected) => {
    expect(check('<p>x', ...fields).unsubscribe).toEqual(expected);
  });

  test('reports no HTML and no unsupported features for a plain-text email', () => {
    expect(checkMail(Buffer.from('Subject: x\r\n\r\nHello'))).toMatchObject({ htmlBytes: 0, features: [] });
    expect(checkMail(Buffer.alloc(0))).toMatchObject({ htmlBytes: 0, unsubscribe: null });
  });

  test('checks any sequence of bytes without an error', () => {
    const piece = fc.constantFrom(
      '<a style="',
      '<style>',
      '@media',
      '{',
      '"',
      '\r\n\r\n',
      'Content-Type: text/html\r\n',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string({ maxLength: 5 })), { maxLength: 30 }), (pieces) => {
        expect(checkMail(Buffer.from(pieces.join(''))).htmlBytes).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
