import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseMessage } from '../../src/mime/parse.js';
import { message } from './message-bytes.js';

/** Parses a message that consists only of a header. */
const withHeader = (...lines: string[]) => parseMessage(message([...lines, '', '']));

describe('parseMessage for a header', () => {
  test('returns ID, sender and subject', () => {
    const parts = withHeader('Message-ID: <1@app.test>', 'From: Anna <anna@app.test>', 'Subject: Hello');
    expect(parts).toEqual({
      messageId: '<1@app.test>',
      from: 'anna@app.test',
      fromName: 'Anna',
      subject: 'Hello',
      text: '',
      html: null,
      attachments: 0,
      fileNames: [],
      inlineFiles: 0,
    });
  });

  test('returns null, or an empty subject, for missing or empty fields', () => {
    expect(withHeader('X-Mailer: none')).toMatchObject({ messageId: null, from: null, subject: '' });
    expect(withHeader('Message-ID:', 'From: ', 'Subject:  ')).toMatchObject({
      messageId: null,
      from: null,
      subject: '',
    });
  });

  test.each(['Subject', 'From', 'Message-ID'])('uses the first of two %s fields', (name) => {
    expect(withHeader(`${name}: a@b.test`, `${name}: c@d.test`)).toEqual(withHeader(`${name}: a@b.test`));
  });

  test('ignores fields after the first 256 KiB, but finds the body after a header of any size', () => {
    const many = message([...Array<string>(100_000).fill('X-Filler: x'), 'Subject: late', '', 'body']);
    expect(parseMessage(many)).toMatchObject({ subject: '', text: 'body' });
    const long = message([`X-Filler: ${'x'.repeat(1_000_000)}`, 'Subject: late', '', 'body']);
    expect(parseMessage(long)).toMatchObject({ subject: '', text: 'body' });
  });
});

describe('parseMessage reads a Message-ID', () => {
  test.each([
    ['verbatim', 'Message-ID: <A.b+c/1@App.Test>', '<A.b+c/1@App.Test>'],
    ['without brackets', 'Message-ID: abc', 'abc'],
    ['with letters beyond ASCII', 'Message-ID: <à@app.test>', '<à@app.test>'],
    ['as null if it has control characters', 'Message-ID: <a\u001b[31m\u0007@app.test>', null],
    ['without blanks around it', 'Message-ID:  \t <1@app.test> \t ', '<1@app.test>'],
    ['on its own line', 'Message-ID:\r\n <1@app.test>', '<1@app.test>'],
    ['without decoding it', 'Message-ID: <=?utf-8?Q?a?=@app.test>', '<=?utf-8?Q?a?=@app.test>'],
    ['as UTF-8', 'Message-ID: <é@app.test>', '<é@app.test>'],
    ['with 998 characters', `Message-ID: ${'a'.repeat(998)}`, 'a'.repeat(998)],
    ['as null if it is longer', `Message-ID: ${'a'.repeat(999)}`, null],
  ])('%s', (_, line, messageId) => {
    expect(withHeader(line).messageId).toBe(messageId);
  });
});

describe('parseMessage reads the sender', () => {
  test.each([
    ['a name in encoded words', 'From: =?utf-8?Q?Anna_=C3=89k?= <anna@app.test>', 'anna@app.test'],
    [
      'an encoded name that looks like an address',
      'From: =?utf-8?Q?boss@app.test,_x?= <anna@app.test>',
      'anna@app.test',
    ],
    ['a folded field', 'From: "Anna\r\n Ek"\r\n\t<anna@app.test>', 'anna@app.test'],
    ['a field that is one encoded word', 'From: =?utf-8?B?QW5uYSA8YW5uYUBhcHAudGVzdD4=?=', 'anna@app.test'],
    ['an address beyond ASCII', 'From: <änna@büro.test>', 'änna@büro.test'],
  ])('%s', (_, line, from) => {
    expect(withHeader(line).from).toBe(from);
  });

  test.each([
    ['in encoded words', 'From: =?utf-8?Q?Anna_=C3=89k?= <anna@app.test>', 'Anna Ék'],
    ['in an encoded word next to plain words', 'From: =?utf-8?Q?=C3=89va?= Ek <anna@app.test>', 'Éva Ek'],
    ['in an encoded word within quotes', 'From: "=?utf-8?Q?=C3=89va?=, Inc." <anna@app.test>', 'Éva, Inc.'],
    ['with special characters of a field', 'From: =?utf-8?Q?=22Ek=22_(A)_<x>=3A?= <anna@app.test>', '"Ek" (A) <x>:'],
    ['with line ends and NUL', 'From: =?utf-8?Q?a=0D=0ABcc:=00b=7F?= <anna@app.test>', 'a Bcc: b'],
    ["with the parser's placeholders", 'From: Anna \x000\0 (\x000\0) =?utf-8?Q?Ek?= <anna@app.test>', 'Anna Ek Ek Ek'],
    ['in a field that is one encoded word', 'From: =?utf-8?Q?Anna_<anna=40app.test>?=', 'Anna'],
    ['in a comment', 'From: anna@app.test (=?utf-8?Q?=C3=89va?=)', 'Éva'],
    ['in a folded field', 'From: "Anna\r\n Ek"\r\n\t<anna@app.test>', 'Anna Ek'],
  ])('with a display name %s', (_, line, fromName) => {
    expect(withHeader(line)).toMatchObject({ from: 'anna@app.test', fromName });
  });
});

describe('parseMessage reads the subject', () => {
  test.each([
    ['in folded encoded words', 'Subject: =?utf-8?Q?Best=C3?=\r\n =?utf-8?Q?=A4tigen?= now', 'Bestätigen now'],
    ['over folded lines', 'Subject: one\r\n two\r\n\tthree', 'one two three'],
    ['with blanks, which it keeps', 'Subject:   a   b  ', 'a   b'],
    ['with encoded control characters as spaces', 'Subject: =?utf-8?Q?a=0D=0ABcc:=00b=7F?=', 'a  Bcc: b'],
    ['with a bare CR as a space', 'Subject: a\rBcc: b', 'a Bcc: b'],
    ['in raw UTF-8', 'Subject: Grüße 😀', 'Grüße 😀'],
    ['that ends in the byte of a no-break space', 'Subject: voilà', 'voilà'],
  ])('%s', (_, line, subject) => {
    // Needs a line before the tested one, because the end of the first line decides which line ends the parser expects.
    expect(withHeader('X-First: x', line).subject).toBe(subject);
  });
});

describe('parseMessage accepts line ends', () => {
  const lines = [
    'From: a@b.test',
    'Subject: one',
    ' two',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    'x',
    'y',
    '--b--',
    '',
  ];
  test.each([
    ['CRLF', '\r\n'],
    ['bare LF', '\n'],
    ['bare CR', '\r'],
    ['CR CR LF', '\r\r\n'],
  ])('%s', (_, lineEnd) => {
    const parts = parseMessage(Buffer.from(lines.join(lineEnd)));
    expect(parts).toMatchObject({
      from: 'a@b.test',
      subject: expect.stringMatching(/^one +two$/),
      text: expect.stringMatching(/^x\n+y\n?$/),
    });
  });
});

describe('parseMessage reads a single part', () => {
  const single = (type: string, content: string, ...more: string[]) => {
    const header = type === '' ? more : [`Content-Type: ${type}`, ...more];
    const { text, html } = parseMessage(message([...header, '', content], 'latin1'));
    return { text, html };
  };

  test.each([
    ['plain text', 'text/plain', { text: 'x', html: null }],
    ['HTML', 'text/html; charset=utf-8', { text: null, html: 'x' }],
    ['no type', '', { text: 'x', html: null }],
    ['parameters without a type', 'charset=utf-8', { text: 'x', html: null }],
    ['capital letters and comments', '(a) TEXT/HTML (b) ; x=y', { text: null, html: 'x' }],
    ['a type without a semicolon', 'text/html charset=utf-8', { text: null, html: 'x' }],
    ['another text type', 'text/calendar', { text: null, html: null }],
    ['a multipart without a boundary', 'multipart/mixed', { text: 'x', html: null }],
    ['an embedded message', 'message/rfc822', { text: null, html: null }],
  ])('of type %s', (_, type, parts) => {
    expect(single(type, 'x')).toEqual(parts);
  });

  test.each([
    ['Content-Disposition: attachment', null],
    ['Content-Disposition: ATTACHMENT; filename=a.txt', null],
    ['Content-Disposition: x-other', null],
    ['Content-Disposition: inline; filename=a.txt', 'x'],
    ['Content-Disposition:', 'x'],
  ])('with the header %s', (disposition, text) => {
    expect(single('text/plain', 'x', disposition).text).toBe(text);
  });

  test.each([
    ['7bit', 'caf=C3=A9', 'caf=C3=A9'],
    ['Quoted-Printable', 'caf=C3=A9', 'café'],
    ['"quoted-printable" (really)', 'caf=C3=A9', 'café'],
    ['BASE64', 'Y2Fmw6k=', 'café'],
    ['8bit', 'caf\xe9', 'café'],
    ['x-unknown', 'x', 'x'],
  ])('in the transfer encoding %s', (encoding, content, text) => {
    expect(single('text/plain', content, `Content-Transfer-Encoding: ${encoding}`).text).toBe(text);
  });

  test('and normalizes the line ends of its text to LF', () => {
    expect(single('text/plain', 'a\r\nb\rc\nd').text).toBe('a\nb\nc\nd');
  });

  test.each([
    ['flowed', 'https://app.test/ \r\nverify', 'https://app.test/ verify'],
    ['Flowed; DelSp=Yes', 'https://app.test/ \r\nverify', 'https://app.test/verify'],
    ['fixed', 'a \r\nb', 'a \nb'],
  ])('of format=%s', (format, content, text) => {
    expect(single(`text/plain; format=${format}`, content).text).toBe(text);
  });

  test.each([
    ['<meta charset="koi8-r"><p>\xf0', '<meta charset="koi8-r"><p>П'],
    ["<META content='text/html; charset=koi8-r'><p>\xf0", "<META content='text/html; charset=koi8-r'><p>П"],
    ['<meta charset=utf-16><p>\xc3\xa9', '<meta charset=utf-16><p>é'],
    [`${' '.repeat(1_024)}<meta charset=koi8-r>\xe9`, `${' '.repeat(1_024)}<meta charset=koi8-r>é`],
  ])('in the charset that its HTML declares: %s', (content, html) => {
    expect(single('text/html', content).html).toBe(html);
  });
});

describe('parseMessage reads multiparts', () => {
  const read = (...lines: string[]) => {
    const { text, html } = parseMessage(message(['Content-Type: multipart/mixed; boundary="b"', '', ...lines]));
    return { text, html };
  };
  const plain = (text: string) => ['Content-Type: text/plain', '', text];
  const html = (text: string) => ['Content-Type: text/html', '', text];
  const multipart = (subtype: string, boundary: string) => [
    `Content-Type: multipart/${subtype}; boundary=${boundary}`,
    '',
  ];
  const attachment = ['Content-Type: text/plain', 'Content-Disposition: attachment', '', 'attached'];

  test.each([
    ['two texts', ['--b', ...plain('x'), '--b', ...plain('y'), '--b--'], { text: 'x\ny', html: null }],
    ['an attachment', ['--b', ...attachment, '--b', ...plain('x'), '--b--'], { text: 'x', html: null }],
    ['a part without a header', ['--b', '', 'x', '--b--'], { text: 'x', html: null }],
    ['a part without a header and an empty line', ['--b', 'the code', '--b--'], { text: 'the code', html: null }],
    ['empty parts', ['--b', '--b', '', '--b', ...plain('x'), '--b--'], { text: 'x', html: null }],
    ['a multipart without its last delimiter', ['--b', ...plain('x')], { text: 'x', html: null }],
    ['an opening delimiter at the end', ['--b', ...html('x'), '--b', ''], { text: null, html: 'x' }],
    ['blanks after delimiters', ['--b \t', ...plain('x'), '--b-- ', 'post'], { text: 'x', html: null }],
    [
      'lines that resemble delimiters',
      ['--b', ...plain('--bb\r\n --b\r\n-b\r\n--\r\n--b-\r\n--B'), '--b--'],
      { text: '--bb\n --b\n-b\n--\n--b-\n--B', html: null },
    ],
    [
      'a digest, whose parts are messages',
      ['--b', ...multipart('digest', 'd'), '--d', '', 'From: a@b.test', '', 'x', '--d--', '--b--'],
      { text: null, html: null },
    ],
    [
      'an alternative with an inline image',
      [
        '--b',
        ...multipart('alternative', 'a'),
        '--a',
        ...plain('x'),
        '--a',
        ...multipart('related', 'r'),
        '--r',
        ...html('y'),
        '--r',
        'Content-Type: image/png',
        '',
        'PNG',
        '--r--',
        '--a--',
        '--b--',
      ],
      { text: 'x', html: 'y' },
    ],
    [
      'a boundary that begins like the outer boundary',
      ['--b', ...multipart('mixed', 'bb'), '--bb', ...plain('x'), '--bb--', '--b', ...plain('y'), '--b--'],
      { text: 'x\ny', html: null },
    ],
    [
      'the same boundary within itself',
      ['--b', ...multipart('mixed', 'b'), '--b', ...plain('x'), '--b--', '--b', ...plain('y'), '--b--'],
      { text: 'x\ny', html: null },
    ],
    [
      'only an embedded message, as in a bounce',
      [
        '--b',
        'Content-Type: message/rfc822',
        '',
        ...multipart('mixed', 'c'),
        '--c',
        ...plain('code 123456'),
        '--c--',
        '--b--',
      ],
      { text: null, html: null },
    ],
  ])('%s', (_, lines, parts) => {
    expect(read(...lines)).toEqual(parts);
  });

  test.each([
    ['quoted', 'boundary="=_ (a):?b"', '=_ (a):?b'],
    ['bare, with an equals sign', 'boundary=----=_Part_1', '----=_Part_1'],
    ['in RFC 2231 sections', 'boundary*0="ab"; boundary*1="cd"', 'abcd'],
    ['longer than the standard allows', `boundary=${'x'.repeat(500)}`, 'x'.repeat(500)],
    ['declared with a blank at its end', 'boundary="b "', 'b'],
    ['with bytes beyond ASCII', 'boundary="bé"', 'bé'],
  ])('with a boundary %s', (_, declaration, boundary) => {
    const lines = [
      `Content-Type: multipart/mixed; ${declaration}`,
      '',
      `--${boundary}`,
      '',
      'x',
      `--${boundary}--`,
      '',
    ];
    expect(parseMessage(message(lines)).text).toBe('x');
  });
});

describe('parseMessage repairs a multipart without a delimiter', () => {
  const read = (type: string, ...lines: string[]) => {
    const { text, html } = parseMessage(message([type, ...lines]));
    return { text, html };
  };
  const parts = (boundary: string) => [
    '',
    `--${boundary}`,
    'Content-Type: text/plain',
    '',
    'x',
    `--${boundary}`,
    'Content-Type: text/html',
    '',
    '<p>y</p>',
    `--${boundary}--`,
    '',
  ];

  test.each([
    ['without a boundary, with text', ['Content-Type: multipart/mixed', '', 'x'], 'x', null],
    ['without a boundary, with HTML', ['Content-Type: multipart/alternative', '', '<p>y</p>'], null, '<p>y</p>'],
    ['with an empty boundary', ['Content-Type: multipart/mixed; boundary=""', '', 'x'], 'x', null],
    [
      'with a boundary in no line',
      ['Content-Type: multipart/mixed; boundary=b', '', 'x', '-----', 'z'],
      'x\n-----\nz',
      null,
    ],
    ['with only a closing delimiter', ['Content-Type: multipart/mixed; boundary=b', '', 'x', '--b--', ''], 'x', null],
    ['with a mistyped boundary', ['Content-Type: multipart/alternative; boundary=c', ...parts('b')], 'x', '<p>y</p>'],
    ['with an undeclared boundary', ['Content-Type: multipart/alternative', ...parts('=_b 1')], 'x', '<p>y</p>'],
    ['with headerless parts', ['Content-Type: multipart/mixed; boundary=c', '', '--b', '', 'x', '--b--'], 'x', null],
    [
      'with the header of a part instead',
      ['Content-Type: multipart/mixed', '', 'Content-Type: text/html', '', '<p>y</p>'],
      null,
      '<p>y</p>',
    ],
    ['with a signature after dashes', ['Content-Type: multipart/mixed', '', 'x', '-- ', 'Ann'], 'x\n-- \nAnn', null],
    ['with a name after dashes', ['Content-Type: multipart/mixed', '', 'x', '--Ann', 'Shop'], 'x\n--Ann\nShop', null],
  ])('%s', (_, [type = '', ...lines], text, html) => {
    expect(read(type, ...lines)).toEqual({ text, html });
  });

  test('within another multipart, and keeps the later parts of the outer multipart', () => {
    const outer = [
      '',
      '--o',
      'Content-Type: multipart/alternative; boundary=c',
      ...parts('b'),
      '--o',
      '',
      'z',
      '--o--',
    ];
    expect(read('Content-Type: multipart/mixed; boundary=o', ...outer)).toEqual({ text: 'x\nz', html: '<p>y</p>' });
  });

  test('with the Content-Transfer-Encoding base64, and decodes its content', () => {
    const lines = ['Content-Transfer-Encoding: base64', '', Buffer.from('<p>y</p>').toString('base64')];
    expect(read('Content-Type: multipart/mixed', ...lines)).toEqual({ text: null, html: '<p>y</p>' });
  });
});

test.each([
  ['quoted printable', '=78'],
  ['Quoted_Printable', '=78'],
  ['"quoted-printable"', '=78'],
  ['quotedprintable (by us); x=y', '=78'],
  ['base-64', 'eA=='],
  ['BASE 64', 'eA=='],
  ['base64', 'eA=='],
  ['x uuencode', 'begin 644 x\r\n!>```\r\n`\r\nend'],
])('parseMessage recognizes the Content-Transfer-Encoding %s by its letters and digits', (encoding, content) => {
  const lines = ['Content-Type: text/plain', `Content-Transfer-Encoding: ${encoding}`, '', content];
  expect(parseMessage(message(lines)).text?.trim()).toBe('x');
});

describe('parseMessage within its bounds', () => {
  const nested = (depth: number) =>
    message([
      ...Array.from({ length: depth }, (_, level) => [
        `Content-Type: multipart/mixed; boundary=b${level}`,
        '',
        `--b${level}`,
      ]).flat(),
      '',
      'x',
    ]);

  test('reads multiparts nested up to 64 levels deep', () => {
    expect(parseMessage(nested(64)).text).toBe('x');
    expect(parseMessage(nested(65)).text).toBeNull();
  });

  test("reads only the first 16 KiB of each part's header", () => {
    const isText = (bytes: number) => {
      const filler = `X-Filler: ${'x'.repeat(bytes - 'X-Filler: \r\n'.length)}`;
      const part = ['--b', filler, 'Content-Type: text/html', '', 'x'];
      const { html } = parseMessage(message(['Content-Type: multipart/mixed; boundary=b', '', ...part]));
      return html === null;
    };
    expect(isText(15 * 1024)).toBe(false);
    expect(isText(16 * 1024)).toBe(true);
  });

  test('reads 1,000 parts and ignores further ones', () => {
    const parts = Array.from({ length: 5_000 }, (_, index) => ['--b', '', `${index + 1}`]).flat();
    const { text } = parseMessage(message(['Content-Type: multipart/mixed; boundary=b', '', ...parts]));
    expect(text?.split('\n')).toEqual(Array.from({ length: 999 }, (_, index) => `${index + 1}`));
  });

  test('decodes at most 1 MiB of text in total from all text/plain parts, and splits no character', () => {
    const part = ['--b', 'Content-Type: text/plain; charset=utf-8', '', 'あ'.repeat(300_000)];
    const { text } = parseMessage(message(['Content-Type: multipart/mixed; boundary=b', '', ...part, ...part]));
    const charsInAll = Math.floor((1024 * 1024) / 3);
    // The first part has 900,000 bytes, so the limit leaves 148,576 for the second, which would split a character.
    expect(text).toMatch(/^あ+\nあ+$/);
    expect(text?.replace('\n', '').length).toBe(charsInAll);
  });
});

describe('for any bytes, parseMessage', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      ...['\r\n', '\n', '\r', ' ', '--', '--b', '--b--', '\r\n--b\r\n', ':', ';', '=', '"', '(', ')', '<', '>'],
      ...['@', '\\', '=?utf-8?Q?', '?=', '=?', 'From: ', 'Subject: ', 'Message-ID: ', 'Content-Type: ', 'text/html'],
      ...['multipart/mixed', '; boundary=b', '; charset=', 'utf-16', 'iso-2022-jp', '; format=flowed', '\r\n\r\n'],
      ...['Content-Transfer-Encoding: base64', 'Content-Transfer-Encoding: quoted-printable', 'message/rfc822'],
    ),
    fc.string({ unit: 'binary', maxLength: 8 }),
  );
  const anyMessage = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.array(piece, { maxLength: 60 }).map((pieces) => Buffer.from(pieces.join(''))),
  );

  test('never throws, and returns neither a subject with line ends nor an address with blanks', () => {
    fc.assert(
      fc.property(anyMessage, (bytes) => {
        const parts = parseMessage(bytes);
        expect(parts.subject).not.toMatch(/[\r\n\0]/);
        expect(parts.messageId ?? '').not.toMatch(/[\r\n]/);
        expect(parts.from ?? 'a@b').toMatch(/^[^<>\r\n]+@[^<>@\s]+$/);
        expect(parts.text ?? '').not.toContain('\r');
      }),
      { numRuns: 2_000 },
    );
  });

  test('returns the same result if the message is part of a larger buffer, and does not modify that buffer', () => {
    fc.assert(
      fc.property(anyMessage, (bytes) => {
        const larger = Buffer.concat([Buffer.from('Subject: no\r\n'), bytes, Buffer.from('\r\n--b--\r\n')]);
        const before = Buffer.from(larger);
        expect(parseMessage(larger.subarray(13, 13 + bytes.length))).toEqual(parseMessage(bytes));
        expect(larger).toEqual(before);
      }),
    );
  });
});
