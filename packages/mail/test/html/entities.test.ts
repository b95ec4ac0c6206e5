import { decodeHTML, decodeHTMLAttribute } from 'entities/decode';
import { describe, expect, test } from 'vitest';

const both: [written: string, decoded: string][] = [
  ['a &amp; b', 'a & b'],
  ['&lt;&gt;&quot;&apos;&AMP;', '<>"\'&'],
  ['&#65;&#x42;&#X43;', 'ABC'],
  ['&#65 &#x42', 'A B'],
  ['&nbsp;&eacute;&Ouml;&yuml;', '\u00a0éÖÿ'],
  ['&Alpha;&sigma;&sigmaf;&tau;&Omega;', 'ΑσςτΩ'],
  ['&lbrack;&sung;&fjlig;', '[♪fj'],
  ['&euro;&ndash;&hellip;&zwnj;', '€–…\u200c'],
  ['&#128273;', '🔑'],
  ['&#150;&#x80;', '–€'],
  ['&#0;&#xD800;&#x110000;&#99999999;', '\ufffd\ufffd\ufffd\ufffd'],
  ['&amp;amp;', '&amp;'],
  ['&unknown; &; & &#; &#x;', '&unknown; &; & &#; &#x;'],
  ['&constructor;&toString;', '&constructor;&toString;'],
];

describe.each([
  ['text', decodeHTML],
  ['an attribute', decodeHTMLAttribute],
] as const)('in %s', (_, decode) => {
  test.each(both)('%s', (written, decoded) => {
    expect(decode(written)).toBe(decoded);
  });
});

const differing: [written: string, inText: string, inAttribute: string][] = [
  ['&copy 2026', '© 2026', '© 2026'],
  ['a&copy=1', 'a©=1', 'a&copy=1'],
  ['a&copyb', 'a©b', 'a&copyb'],
  ['?a=1&reg=2&not=3', '?a=1®=2¬=3', '?a=1&reg=2&not=3'],
  ['&notit;', '¬it;', '&notit;'],
];

test.each(differing)('without a semicolon: %s', (written, inText, inAttribute) => {
  expect([decodeHTML(written), decodeHTMLAttribute(written)]).toEqual([inText, inAttribute]);
});
