import fc from 'fast-check';
import { expect, test } from 'vitest';
import { extract } from '../../src/extract/extraction.js';
import { seenText } from '../../src/extract/text/seen.js';

/** Text composed of patterns that extraction looks for, markup, and arbitrary text. */
const scraps = fc.oneof(
  fc.constantFrom(
    'code',
    ' ',
    '\n',
    ':',
    '-',
    '4829',
    '482 913',
    '٤٨٢٩',
    '１２３４',
    '12345678',
    '123456789',
    '2026',
    '$',
    '.',
    '#',
    '@',
    '©',
    'https://app.test/verify',
    'https://app.test:99999/reset',
    '?token=a1b2c3d4',
    '?token=',
    '%4',
    '\u0001',
    'http://',
    '(',
    ')',
    '[',
    ']',
    '<',
    '>',
    '](',
    '"',
    '&amp;',
    '&',
    'İ',
    '验证码',
    '<a href="https://app.test/reset/1">',
    "<a href='",
    '</a>',
    '<b>',
    '</b>',
    '<p style="display:none">',
    '</p>',
    '<td>',
    '<!--',
    '-->',
    '<style>',
    '</style>',
    '<br>',
    '<img alt="',
    'one-',
    'unsubscribe',
  ),
  fc.string({ unit: 'binary', maxLength: 8 }),
);
const text = fc.array(scraps, { maxLength: 60 }).map((parts) => parts.join(''));

test('for any input, a code has 4 to 8 digits and a magic link is a URL with a keyword', () => {
  fc.assert(
    fc.property(text, fc.option(text), fc.option(text), (subject, plain, html) => {
      const { otp, magicLink } = extract({ subject, text: plain, html });
      if (otp !== null) expect(otp).toMatch(/^[0-9]{4,8}$/);
      if (magicLink !== null) {
        expect(magicLink).toMatch(/^https?:\/\/\S/i);
        expect(URL.canParse(magicLink)).toBe(true);
        expect([...magicLink].every((character) => character >= ' ')).toBe(true);
        expect(magicLink).toMatch(/verify|confirm|reset|token|activate|auth/i);
      }
    }),
    { numRuns: 3_000 },
  );
});

test('for any text, the magic link appears in the displayed text', () => {
  fc.assert(
    fc.property(text, (plain) => {
      const { magicLink } = extract({ subject: '', text: plain, html: null });
      if (magicLink !== null) expect(seenText(plain).replace(/\s/g, '').replaceAll('&amp;', '&')).toContain(magicLink);
    }),
    { numRuns: 3_000 },
  );
});

const word = fc.constantFrom('verify', 'confirm', 'reset', 'token', 'activate', 'auth', 'Verify', 'CONFIRM', 'ReSeT');
const letters = fc.stringMatching(/^[a-z0-9]{0,12}$/);

test('a single URL with a keyword is the magic link, wherever the keyword is', () => {
  fc.assert(
    fc.property(letters, word, letters, (before, key, after) => {
      const url = `https://app.test/${before}${key}${after}`;
      expect(extract({ subject: '', text: `Hello, ${url} is yours.`, html: null }).magicLink).toBe(url);
      expect(extract({ subject: '', text: null, html: `<p>Hello <a href="${url}">Maya</a></p>` }).magicLink).toBe(url);
    }),
  );
});

test('a number after "Your code" is extracted only if it has 4 to 8 digits', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[0-9]{1,12}$/), (digits) => {
      const expected = digits.length >= 4 && digits.length <= 8 ? digits : null;
      expect(extract({ subject: '', text: `Your code is ${digits}`, html: null }).otp).toBe(expected);
      expect(extract({ subject: '', text: null, html: `<h1>Your code</h1><h2>${digits}</h2>` }).otp).toBe(expected);
    }),
  );
});

test.each(['482-913', '482 913', '4-8-2-9-1-3'])(
  '%s in a table cell is extracted as one code, even if the previous cell contains a number',
  (code) => {
    const html = `<table><tr><th>Order<th>Code<tr><td>91654059<td>${code}</table>`;
    expect(extract({ subject: 'Sign in', text: null, html }).otp).toBe('482913');
  },
);
