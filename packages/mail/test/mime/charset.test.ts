import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import { decodeCharset } from '../../src/mime/charset.js';

const hex = (digits: string) => Buffer.from(digits.replaceAll(' ', ''), 'hex');

describe('decodeCharset', () => {
  test.each([
    ['utf-8', 'c3a9 e282ac', 'é€'],
    ['iso-8859-1', 'e9', 'é'],
    ['iso-8859-8-i', 'e0', 'א'],
    ['windows-1251', 'cf', 'П'],
    ['windows-1252', '80 92 97 e9 9f', '€’—éŸ'],
    ['windows-1255', 'e0', 'א'],
    ['koi8-r', 'f0', 'П'],
    ['shift_jis', '82a0 b1', 'あｱ'],
    ['iso-2022-jp', '1b2442 2422 1b2842 41', 'あA'],
    ['gbk', 'c4e3 80', '你€'],
    ['utf-16le', '4100 e900', 'Aé'],
    ['utf-16be', '0041 00e9', 'Aé'],
  ])('decodes %s', (label, bytes, text) => {
    expect(decodeCharset(hex(bytes), label, 'whole')).toBe(text);
  });

  test.each([null, '', 'x-unknown', 'replacement', 'utf-7', 'us-ascii', 'utf-8', 'x'.repeat(1_000)])(
    'decodes as UTF-8 or windows-1252, depending on the bytes, if the label is %s',
    (label) => {
      expect(decodeCharset(Buffer.from('Grüße'), label, 'whole')).toBe('Grüße');
      expect(decodeCharset(Buffer.from('Grüße', 'latin1'), label, 'whole')).toBe('Grüße');
      expect(decodeCharset(hex('80 31 30 30'), label, 'whole')).toBe('€100');
    },
  );

  test.each([
    ['windows-1251', 'c2e0f820 eaeee420 efeee4f2e2e5f0e6e4e5ede8ff3a20 343832393133', 'Ваш код подтверждения: 482913'],
    ['windows-1251', 'c2e0f820 eaeee420 efb3e4f2e2e5f0e4e6e5ededff', 'Ваш код підтвердження'],
    ['koi8-r', 'f7c1db20 cbcfc420 d0cfc4d4d7c5d2d6c4c5cec9d1', 'Ваш код подтверждения'],
  ])('recognizes Cyrillic in %s by its letters', (_, bytes, text) => {
    for (const label of [null, 'us-ascii', 'iso-8859-1', 'utf-8'])
      expect(decodeCharset(hex(bytes), label, 'whole')).toBe(text);
  });

  test.each([
    ['utf-16le', 'Ваш код: 482913'],
    ['utf-16be', 'Votre code : 482913'],
  ])('recognizes %s without a byte order mark by its NULs', (charset, text) => {
    const bytes = iconv.encode(text, charset, { addBOM: false });
    for (const label of [null, 'utf-16']) expect(decodeCharset(bytes, label, 'whole')).toBe(text);
  });

  test('does not read single-byte text with a NUL as UTF-16', () => {
    expect(decodeCharset(Buffer.from(`Your code\0 ${'is 482913 '.repeat(8)}`), null, 'whole')).toContain('Your code');
  });

  test.each([null, 'us-ascii', 'utf-8'])('recognizes ISO-2022-JP by its escapes despite the label %s', (label) => {
    expect(decodeCharset(hex('1b2442 4727 3e5a 1b2842 3438'), label, 'whole')).toBe('認証48');
  });

  test.each(['windows-1251', 'iso-8859-2', 'shift_jis', 'gbk'])('recognizes UTF-8 despite the label %s', (label) => {
    expect(decodeCharset(Buffer.from('Ваш код подтверждения'), label, 'whole')).toBe('Ваш код подтверждения');
    expect(decodeCharset(Buffer.from('認証コード'), label, 'whole')).toBe('認証コード');
  });

  test.each([
    ['utf-7', 'Hi Mom +Jjo--!', 'Hi Mom ☺-!'],
    ['UTF-7', 'A+ImIDkQ.', 'A≢Α.'],
    ['unicode-1-1-utf-7', '+ZeVnLIqe-', '日本語'],
    ['utf-7', '1 +- 1 = 2', '1 + 1 = 2'],
    ['utf-7', '+2D3eCg-', '😊'],
    ['utf-7', 'a+b', 'a'],
  ])('decodes UTF-7 (RFC 2152): %s %s', (label, bytes, text) => {
    expect(decodeCharset(Buffer.from(bytes), label, 'whole')).toBe(text);
  });

  test.each(['iso-8859-1', 'latin1', 'windows-1252'])('recognizes UTF-8 despite the common label %s', (label) => {
    expect(decodeCharset(Buffer.from('Seu código é 482913'), label, 'whole')).toBe('Seu código é 482913');
    expect(decodeCharset(Buffer.from('Ваш код 482913'), label, 'whole')).toBe('Ваш код 482913');
    expect(decodeCharset(Buffer.from('é Ã©', 'latin1'), label, 'whole')).toBe('é Ã©');
  });

  test('reads UTF-8 with one broken character as UTF-8', () => {
    const broken = Buffer.concat([Buffer.from('パスワードを再設定'), hex('e3 81'), Buffer.from(' 123456')]);
    expect(decodeCharset(broken, 'utf-8', 'whole')).toBe('パスワードを再設定\ufffd 123456');
  });

  test.each([
    ['utf-8', 'efbbbf c3a9', 'é'],
    ['utf-16', 'feff 00e9', 'é'],
    ['utf-16', 'fffe e900', 'é'],
    ['us-ascii', 'fffe e900', 'é'],
    [null, 'fffe e900', 'é'],
    ['windows-1251', 'fffe e9', 'яюй'],
  ])('uses the encoding of a byte order mark unless the mark is text in the charset %s', (label, bytes, text) => {
    expect(decodeCharset(hex(bytes), label, 'whole')).toBe(text);
  });

  test('drops an incomplete East Asian character at the end of a truncated text', () => {
    expect(decodeCharset(hex('82a0 82'), 'shift_jis', 'cut')).toBe('あ');
    expect(decodeCharset(hex('82a0 82'), 'shift_jis', 'whole')).toBe('あ\ufffd');
  });
});
