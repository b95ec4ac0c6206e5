import fc from 'fast-check';

/** A well-formed message and what reading it must give. */
export interface ComposedMail {
  readonly raw: Buffer;
  readonly messageId: string;
  readonly from: string;
  readonly subject: string;
  readonly text: string | null;
  readonly html: string | null;
  readonly attachments: number;
}

/** A MIME part: its bytes, header included and without a last line end, and the texts and attachments in it. */
interface Part {
  readonly bytes: Buffer;
  readonly attachments: number;
  readonly plain: readonly string[];
  readonly html: readonly string[];
}

/** Text in a charset, as characters and as bytes. */
interface Encoded {
  readonly charset: string;
  readonly text: string;
  readonly bytes: Buffer;
}

const CRLF = '\r\n';

const CHARSETS = [
  ...['iso-8859-1', 'iso-8859-2', 'iso-8859-5', 'iso-8859-7', 'iso-8859-9', 'iso-8859-15', 'koi8-r', 'koi8-u'],
  ...['windows-1250', 'windows-1251', 'windows-1253', 'windows-1254', 'windows-1255', 'windows-1256', 'windows-1257'],
  ...['shift_jis', 'euc-jp', 'euc-kr', 'gbk', 'big5'],
];

/** Characters of a charset beyond ASCII and their bytes, found by decoding whatever one or two bytes may be. */
function alphabetOf(charset: string): Map<string, Buffer> {
  const alphabet = new Map<string, Buffer>();
  const add = (...bytes: number[]) => {
    const text = new TextDecoder(charset).decode(Buffer.from(bytes));
    if (/^[\p{L}\p{N}\p{P}]$/u.test(text) && !alphabet.has(text)) alphabet.set(text, Buffer.from(bytes));
  };
  // Letters alone of ISO 8859-1, which with its signs could make valid UTF-8: we read that as such, and postal-mime does not.
  for (let byte = charset === 'iso-8859-1' ? 0xc0 : 0xa0; byte <= 0xff; byte++) add(byte);
  for (let lead = 0x81; lead <= 0xfe; lead += 4) for (let trail = 0x40; trail <= 0xfe; trail += 3) add(lead, trail);
  return alphabet;
}

const ascii = fc.constantFrom(...'abcXYZ0189 .,:;=?_-()<>"\'\\/\t');

function encodedIn(charset: string, unit: fc.Arbitrary<string>): fc.Arbitrary<Encoded> {
  const alphabet = alphabetOf(charset);
  const bytesOf = (char: string) => alphabet.get(char) ?? Buffer.from(char);
  // In a row they could be Greek, say, and among letters of ASCII Polish, under the name of ISO 8859-1.
  const around = charset === 'iso-8859-1' ? ['-'] : [];
  const letter = fc.constantFrom(...alphabet.keys()).map((char) => [...around, char, ...around]);
  const ofUnit = unit.map((char) => [char]);
  return fc.array(fc.oneof(ofUnit, letter), { maxLength: 40 }).map((several) => {
    const chars = several.flat();
    return { charset, text: chars.join(''), bytes: Buffer.concat(chars.map(bytesOf)) };
  });
}

/** Text in any charset, made of `unit` (ASCII) and of what that charset has besides. */
function encoded(unit: fc.Arbitrary<string>): fc.Arbitrary<Encoded> {
  const utf8 = fc
    .array(fc.oneof(unit, fc.string({ unit: 'grapheme', minLength: 1, maxLength: 5 })), { maxLength: 40 })
    // postal-mime takes a replacement character for words that were joined wrongly.
    .map((pieces) => pieces.join('').replaceAll('\ufffd', ''))
    .map((text) => ({ charset: 'utf-8', text, bytes: Buffer.from(text) }));
  return fc.oneof({ weight: 5, arbitrary: utf8 }, ...CHARSETS.map((charset) => encodedIn(charset, unit)));
}

const quotedPrintable = (bytes: Buffer): string =>
  bytes
    .toString('latin1')
    .split(CRLF)
    .map((line) => line.replace(/[^!-<>-~ \t]|[ \t]$/g, octet).replace(/.{70}(?<!=.?)/g, `$&=${CRLF}`))
    .join(CRLF);

const octet = (char: string): string => `=${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;

const base64 = (bytes: Buffer): string => bytes.toString('base64').replace(/.{76}/g, `$&${CRLF}`);

const encodings: [name: string, encode: (bytes: Buffer) => Buffer][] = [
  ['8bit', (bytes) => bytes],
  ['quoted-printable', (bytes) => Buffer.from(quotedPrintable(bytes))],
  ['Base64', (bytes) => Buffer.from(base64(bytes))],
];

function textPart(kind: 'plain' | 'html'): fc.Arbitrary<Part> {
  const content = encoded(fc.oneof(ascii, fc.constant('\n')));
  return fc
    .tuple(content, fc.constantFrom(...encodings), fc.boolean())
    .map(([{ charset, text, bytes }, [name, encode], quoted]) => {
      const header = [
        `Content-Type: text/${kind};${quoted ? `${CRLF} charset="${charset}"` : ` charset=${charset}`}`,
        `Content-Transfer-Encoding: ${name}`,
      ];
      const lines = Buffer.from(bytes.toString('latin1').replaceAll('\n', CRLF), 'latin1');
      return { attachments: 0, plain: [], html: [], [kind]: [text], bytes: partOf(header, encode(lines)) };
    });
}

const attachment: fc.Arbitrary<Part> = fc
  .tuple(
    fc.constantFrom('image/png', 'text/plain', 'text/html', 'application/octet-stream'),
    fc.uint8Array({ maxLength: 300 }),
  )
  .map(([type, content]) => {
    const header = [
      `Content-Type: ${type}`,
      'Content-Disposition: attachment; filename="a;b.bin"',
      'Content-Transfer-Encoding: base64',
    ];
    return { attachments: 1, plain: [], html: [], bytes: partOf(header, Buffer.from(base64(Buffer.from(content)))) };
  });

const partOf = (header: readonly string[], content: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${header.join(CRLF)}${CRLF}${CRLF}`), content]);

let boundaries = 0;

function multipart(subtype: string, parts: readonly Part[], around: string): Part {
  const boundary = `=_${++boundaries}'()+_,-./:=?`;
  const header = [`Content-Type: multipart/${subtype}; boundary="${boundary}"`];
  const delimited = parts.flatMap(({ bytes }) => [Buffer.from(`--${boundary}${CRLF}`), bytes, Buffer.from(CRLF)]);
  const content = [Buffer.from(around), ...delimited, Buffer.from(`--${boundary}--${CRLF}${around}`)];
  return {
    attachments: parts.reduce((count, { attachments }) => count + attachments, 0),
    plain: parts.flatMap(({ plain }) => plain),
    html: parts.flatMap(({ html }) => html),
    bytes: partOf(header, Buffer.concat(content)),
  };
}

/** Trees of parts whose leaves are `text` and attachments. */
function tree(text: fc.Arbitrary<Part>): fc.Arbitrary<Part> {
  const around = fc.constantFrom('', CRLF, `not shown${CRLF}`);
  return fc.letrec<{ node: Part }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      text,
      attachment,
      fc
        .tuple(
          fc.constantFrom('mixed', 'related', 'signed', 'x-new'),
          fc.array(tie('node'), { minLength: 1, maxLength: 4 }),
          around,
        )
        .map(([subtype, parts, text]) => multipart(subtype, parts, text)),
    ),
  })).node;
}

const alternative = fc.tuple(textPart('plain'), textPart('html')).map((parts) => multipart('alternative', parts, ''));

/** An encoded word or, where it is long, several: cut between any two bytes, as many senders do. */
function encodedWords({ charset, bytes }: Encoded, encoding: 'B' | 'Q', maxBytes: number): string {
  const words: string[] = [];
  for (let start = 0; start < bytes.length; start += maxBytes) {
    const piece = bytes.subarray(start, start + maxBytes);
    const text = encoding === 'B' ? piece.toString('base64') : piece.toString('latin1').replace(/[^A-Za-z0-9]/g, octet);
    words.push(`=?${charset}?${encoding}?${text}?=`);
  }
  return words.join(`${CRLF} `);
}

/** A piece of an unstructured field: as it is written, and what it means. */
interface FieldPiece {
  readonly written: string;
  readonly means: string;
  readonly isEncoded: boolean;
}

const fieldPiece: fc.Arbitrary<FieldPiece> = fc.oneof(
  fc.stringMatching(/^[A-Za-z0-9.,!:;-]{1,10}$/).map((word) => ({ written: word, means: word, isEncoded: false })),
  fc
    .tuple(encoded(fc.constantFrom('a', ' ', '_', '?', '=')), fc.constantFrom('B', 'Q'), fc.constantFrom(3, 9, 30))
    .filter(([{ text }]) => text !== '')
    .map(([content, encoding, maxBytes]) => ({
      written: encodedWords(content, encoding, maxBytes),
      means: content.text,
      isEncoded: true,
    })),
);

/** A field of several pieces. The blank between two encoded ones means nothing (RFC 2047 section 6.2). */
const unstructured = fc.array(fieldPiece, { maxLength: 5 }).map((pieces) => ({
  written: pieces.map(({ written }) => written).join(`${CRLF} `),
  means: pieces
    .map(({ means, isEncoded }, index) =>
      index === 0 || (isEncoded && pieces[index - 1]?.isEncoded) ? means : ` ${means}`,
    )
    .join('')
    .trim(),
}));

const address = fc
  .tuple(
    fc.stringMatching(/^[a-z0-9!#$%&'*+/=?^_`{|}~-]{1,12}(\.[A-Za-z0-9]{1,5})?$/),
    fc.stringMatching(/^[a-z0-9]{1,9}\.test$/),
  )
  .map(([local, domain]) => `${local}@${domain}`);

const sender = fc
  .tuple(
    address,
    fc.oneof(
      fc.constant(''),
      fc.stringMatching(/^[A-Za-z ]{0,20}$/),
      fc.stringMatching(/^[A-Za-z@,;:<>()[\] .]{0,20}$/).map((name) => `"${name}"`),
      // These may not stand in a phrase (RFC 5322 section 3.2.5).
      unstructured.map(({ written }) => written.replace(/[.,:;@]/g, '')),
    ),
  )
  .map(([mailbox, name]) => ({ mailbox, field: name === '' ? mailbox : `${name} <${mailbox}>` }));

const body = fc.oneof(tree(textPart('plain')), tree(textPart('html')), tree(alternative));

/** Well-formed messages: trees of parts in many charsets and encodings, encoded subjects, senders of all shapes. */
export const composedMail: fc.Arbitrary<ComposedMail> = fc
  .record({ body, sender, subject: unstructured, id: fc.uuid() })
  .map(({ body, sender, subject, id }) => {
    const header = [
      `Message-ID: <${id}@app.test>`,
      `From: ${sender.field}`,
      `Subject: ${subject.written}`,
      'MIME-Version: 1.0',
    ];
    return {
      raw: Buffer.concat([Buffer.from(header.join(CRLF) + CRLF), body.bytes, Buffer.from(CRLF)]),
      messageId: `<${id}@app.test>`,
      from: sender.mailbox,
      subject: subject.means,
      text: joined(body.plain),
      html: joined(body.html),
      attachments: body.attachments,
    };
  });

function joined(texts: readonly string[]): string | null {
  return texts.length === 0 ? null : texts.filter((text) => text !== '').join('\n');
}
