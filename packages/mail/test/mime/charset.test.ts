import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import { decodeCharset } from '../../src/mime/charset.js';

/** Bytes from hexadecimal digits. */
const hex = (digits: string) => Buffer.from(digits.replaceAll(' ', ''), 'hex');

describe('decodeCharset', () => {
  test.each([
    ['utf-8', 'c3a9 e282ac', 'é€'],
    ['iso-8859-1', 'e9', 'é'],
    ['iso-8859-2', 'b1', 'ą'],
    ['iso-8859-5', 'd0', 'а'],
    ['iso-8859-7', 'e1', 'α'],
    ['iso-8859-8-i', 'e0', 'א'],
    ['iso-8859-9', 'fd', 'ı'],
    ['iso-8859-15', 'a4', '€'],
    ['windows-1250', '9c', 'ś'],
    ['windows-1251', 'cf', 'П'],
    ['windows-1252', '80 92 97 e9 9f', '€’—éŸ'],
    ['windows-1253', 'e1', 'α'],
    ['windows-1254', 'fe', 'ş'],
    ['windows-1255', 'e0', 'א'],
    ['windows-1256', 'c7', 'ا'],
    ['windows-1257', 'e0', 'ą'],
    ['windows-1258', 'd0', 'Đ'],
    ['windows-874', 'a1', 'ก'],
    ['koi8-r', 'f0', 'П'],
    ['koi8-u', 'a4', 'є'],
    ['shift_jis', '82a0 b1', 'あｱ'],
    ['euc-jp', 'a4a2', 'あ'],
    ['iso-2022-jp', '1b2442 2422 1b2842 41', 'あA'],
    ['euc-kr', 'b0a1', '가'],
    ['gb2312', 'c4e3', '你'],
    ['gbk', 'c4e3 80', '你€'],
    ['gb18030', 'c4e3 8130 8130', '你\u0080'],
    ['big5', 'a741', '你'],
    ['utf-16le', '4100 e900', 'Aé'],
    ['utf-16be', '0041 00e9', 'Aé'],
  ])('%s', (label, bytes, text) => {
    expect(decodeCharset(hex(bytes), label, 'whole')).toBe(text);
  });

  test.each([
    ['UTF8', 'c3a9', 'é'],
    ['utf_8', 'c3a9', 'é'],
    ['"utf-8"', 'c3a9', 'é'],
    ["'UTF-8'", 'c3a9', 'é'],
    [' utf-8 ', 'c3a9', 'é'],
    ['cp65001', 'c3a9', 'é'],
    ['latin1', 'e9', 'é'],
    ['ISO8859-1', 'e9', 'é'],
    ['iso8859_15', 'a4', '€'],
    ['8859-2', 'b1', 'ą'],
    ['latin-9', 'a4', '€'],
    ['CP1252', '80', '€'],
    ['win-1251', 'cf', 'П'],
    ['windows1251', 'cf', 'П'],
    ['cp-1250', '9c', 'ś'],
    ['cp932', '82a0', 'あ'],
    ['Windows-31J', '82a0', 'あ'],
    ['x-sjis', '82a0', 'あ'],
    ['Shift-JIS', '82a0', 'あ'],
    ['cp50220', '1b2442 2422 1b2842', 'あ'],
    ['iso-2022-jp-1', '1b2442 2422 1b2842', 'あ'],
    ['ks_c_5601-1987', 'b0a1', '가'],
    ['cp949', 'b0a1', '가'],
    ['x-windows-949', 'b0a1', '가'],
    ['uhc', 'b0a1', '가'],
    ['cp936', 'c4e3', '你'],
    ['gb-18030', 'c4e3', '你'],
    ['euc-cn', 'c4e3', '你'],
    ['cp950', 'a741', '你'],
    ['big5-hkscs', 'a741', '你'],
    ['tis-620', 'a1', 'ก'],
    ['ansi_x3.4-1968', 'c3a9', 'é'],
    ['iso646-us', 'c3a9', 'é'],
  ])('another name: %s', (label, bytes, text) => {
    expect(decodeCharset(hex(bytes), label, 'whole')).toBe(text);
  });

  test.each([null, '', 'x-unknown', 'replacement', 'utf-7', 'us-ascii', 'utf-8', 'x'.repeat(1_000)])(
    'the bytes decide between UTF-8 and windows-1252 for %s',
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
  ])('Cyrillic of %s is told by its letters', (_, bytes, text) => {
    for (const label of [null, 'us-ascii', 'iso-8859-1', 'utf-8'])
      expect(decodeCharset(hex(bytes), label, 'whole')).toBe(text);
  });

  test.each([
    ['windows-1250', 'Twój kod: łączność jest już ważna'],
    ['windows-1250', 'Váš ověřovací kód: číslo'],
    ['windows-1250', 'Az ellenőrző kód'],
    ['windows-1250', 'Vaš kôd za prijavu: želimo ugodan dan, vaš račun čeka'],
    ['iso-8859-2', 'Zamówienie: śledź przesyłkę'],
    ['iso-8859-2', 'Îţi mulţumim că eşti'],
    ['windows-1254', 'Giriş için kodunuz'],
    ['windows-1257', 'Užsakymo numeris, ačiū'],
    ['windows-874', 'รหัสยืนยันของคุณคือ 482913'],
    ['iso-8859-5', 'Введите код, чтобы войти'],
    ['iso-8859-6', 'أدخل الرمز لتسجيل الدخول'],
    ['koi8-u', 'Ваш код для входу: підтвердження'],
    ['windows-1251', 'Ваш код для входу: 482913'],
    ['windows-1251', 'Ваш код: 4829'],
    ['windows-1253', 'Ο κωδικός σας είναι 482913'],
  ])('so is a short text of %s: %s', (charset, text) => {
    for (const label of [null, 'us-ascii', 'iso-8859-1', 'utf-8', 'x-unknown', 'ansi'])
      expect(decodeCharset(iconv.encode(text, charset), label, 'whole')).toBe(text);
  });

  test.each([
    ['utf-16le', 'Ваш код: 482913'],
    ['utf-16be', 'Votre code : 482913'],
  ])('%s without a byte order mark is told by its NUL bytes', (charset, text) => {
    const bytes = iconv.encode(text, charset, { addBOM: false });
    for (const label of [null, 'utf-16']) expect(decodeCharset(bytes, label, 'whole')).toBe(text);
  });

  test('a NUL in a text of single bytes makes it no UTF-16', () => {
    expect(decodeCharset(Buffer.from(`Your code\0 ${'is 482913 '.repeat(8)}`), null, 'whole')).toContain('Your code');
  });

  test.each([null, 'us-ascii', 'utf-8'])('Japanese in seven bits is told by its escapes for %s', (label) => {
    expect(decodeCharset(hex('1b2442 4727 3e5a 1b2842 3438'), label, 'whole')).toBe('認証48');
  });

  test.each(['windows-1251', 'iso-8859-2', 'shift_jis', 'gbk'])('UTF-8 that is called %s is UTF-8, too', (label) => {
    expect(decodeCharset(Buffer.from('Ваш код подтверждения'), label, 'whole')).toBe('Ваш код подтверждения');
    expect(decodeCharset(Buffer.from('認証コード'), label, 'whole')).toBe('認証コード');
  });

  test.each([
    ['German', 'Größe, Füße, Übermäßigkeit, Äußerung: schöne Grüße'],
    ['French', 'Élève née à Noël, où créée, çà et là'],
    ['Icelandic', 'Þú ert að breyta lykilorðinu þínu, það er í lagi'],
    ['Portuguese', 'Ação não é à toa: códigos, exceções, às três'],
    ['capitals', 'ÄÖÜ ÉÈÀ'],
  ])('Western text stays Western: %s', (_, text) => {
    for (const label of [null, 'iso-8859-1'])
      expect(decodeCharset(Buffer.from(text, 'latin1'), label, 'whole')).toBe(text);
  });

  test.each([
    ['windows-1253', 'ef20 eaf9e4e9eafcf220 f3e1f220 e5dfede1e9', 'ο κωδικός σας είναι'],
    ['windows-1255', 'f7e5e320 e4e0e9eee5fa20 f9ecea20 e4e5e0', 'קוד האימות שלך הוא'],
    ['windows-1256', 'd1e3d220 c7e1cacddede20 c7e1cec7d520 c8df20 e5e6', 'رمز التحقق الخاص بك هو'],
    ['shift_jis', '94468fd8 8352815b 836882cd 82b182bf 82e7', '認証コードはこちら'],
    ['euc-jp', 'c7a7beda a5b3a1bc a5c9a4cf a4b3a4c1 a4e9', '認証コードはこちら'],
    ['euc-kr', 'c0cec1f5 b9f8c8a3 b8a620 c0d4b7c2', '인증번호를 입력'],
    ['gbk', 'c4fab5c4 d1e9d6a4 c2eb', '您的验证码'],
    ['big5', 'b17aaaba c5e7c3d2 bd58ac4f', '您的驗證碼是'],
  ])('so is text of %s', (_, bytes, text) => {
    for (const label of [null, 'us-ascii', 'iso-8859-1', 'utf-8'])
      expect(decodeCharset(hex(bytes), label, 'whole')).toBe(text);
  });

  test.each([
    ['utf-7', 'Hi Mom +Jjo--!', 'Hi Mom ☺-!'],
    ['UTF-7', 'A+ImIDkQ.', 'A≢Α.'],
    ['unicode-1-1-utf-7', '+ZeVnLIqe-', '日本語'],
    ['utf-7', '1 +- 1 = 2', '1 + 1 = 2'],
    ['utf-7', '+2D3eCg-', '😊'],
    ['utf-7', 'a+b', 'a'],
  ])('UTF-7 (RFC 2152): %s %s', (label, bytes, text) => {
    expect(decodeCharset(Buffer.from(bytes), label, 'whole')).toBe(text);
  });

  test.each(['iso-8859-1', 'latin1', 'windows-1252'])('UTF-8 that is called %s is UTF-8', (label) => {
    expect(decodeCharset(Buffer.from('Seu código é 482913'), label, 'whole')).toBe('Seu código é 482913');
    expect(decodeCharset(Buffer.from('Ваш код 482913'), label, 'whole')).toBe('Ваш код 482913');
    expect(decodeCharset(Buffer.from('é Ã©', 'latin1'), label, 'whole')).toBe('é Ã©');
  });

  test('a text that is UTF-8 but for one broken character stays UTF-8', () => {
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
  ])('a byte order mark goes and decides, where the label %s lets it', (label, bytes, text) => {
    expect(decodeCharset(hex(bytes), label, 'whole')).toBe(text);
  });

  test.each([
    ['utf-8', 'あ€😀é'],
    ['utf-16le', 'あ😀é'],
  ] as const)('a cut within a character of %s leaves nothing behind', (label, text) => {
    const encoded = Buffer.from(text, label);
    for (let cut = 0; cut <= encoded.length; cut++) {
      const decoded = decodeCharset(encoded.subarray(0, cut), label, 'cut');
      expect(text.startsWith(decoded), `cut at ${cut}: ${decoded}`).toBe(true);
    }
  });

  test('a cut within a character of a charset of the Far East leaves nothing behind', () => {
    expect(decodeCharset(hex('82a0 82'), 'shift_jis', 'cut')).toBe('あ');
    expect(decodeCharset(hex('82a0 82'), 'shift_jis', 'whole')).toBe('あ\ufffd');
  });
});
