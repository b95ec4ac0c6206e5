import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { shown, shownLine, shownUrl } from '../src/shown.js';

describe('a text shown to an agent', () => {
  test.each([
    ['two\nlines\tand a tab', 'two\nlines\tand a tab'],
    ['\u001b[31mred', '\\u{1b}[31mred'],
    ['\u202eturned\u2066', '\\u{202e}turned\\u{2066}'],
    ['tag \u{e0041}\u{e007f}', 'tag \\u{e0041}\\u{e007f}'],
    ['half \ud800 and \udc00', 'half \\u{d800} and \\u{dc00}'],
    ['\u{1f468}\u200d\u{1f469} é 漢', '\u{1f468}\u200d\u{1f469} é 漢'],
  ])('%j becomes %j', (text, expected) => {
    expect(shown(text, 100)).toEqual({ text: expected, isCut: false });
  });

  test('is truncated at the limit, but never in the middle of a character or an escape sequence', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.nat(200), (text, max) => {
        const { text: part, isCut } = shown(text, max);
        expect([...part].length).toBeLessThanOrEqual(max);
        expect(part).not.toMatch(/[\p{Cs}\p{Zl}\p{Zp}]/u);
        const back = part.replace(/\\u\{([0-9a-f]+)\}/g, (_written, hex) =>
          String.fromCodePoint(Number.parseInt(hex, 16)),
        );
        expect(text.startsWith(back)).toBe(true);
        expect(isCut).toBe(back.length < text.length);
      }),
    );
  });

  test.each([
    ['https://app.test/verify?t=1&x=é%20漢', 'https://app.test/verify?t=1&x=é%20漢'],
    ['https://app.test/\u202e\u001b\ud800\u{e0041}', 'https://app.test/%E2%80%AE%1B%EF%BF%BD%F3%A0%81%81'],
  ])('is percent-encoded if it is a URL: %j becomes %j', (url, expected) => {
    expect(shownUrl(url)).toBe(expected);
    expect(new URL(shownUrl(url)).pathname).toBe(new URL(url).pathname);
  });

  test('is on a single line if it is in a list', () => {
    expect(shownLine('a\r\n\tb', 10)).toBe('a b');
    expect(shownLine('abcdef', 3)).toBe('abc…');
  });
});
