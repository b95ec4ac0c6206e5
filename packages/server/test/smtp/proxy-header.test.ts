/** The reader of PROXY headers: against a model written from the specification apart from it, whole and in random pieces. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type BadProxyHeader, beginsLikeHeader, ProxyHeaderReader } from '../../src/smtp/engine/proxy-header.js';

const SEED = 20_261_123;
const RUNS = 2_000;

const SIGNATURE = Buffer.from([0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a]);

/** What was found, and how many bytes that took; null where more must come. */
interface Read {
  readonly found: { readonly source: string | null } | BadProxyHeader | null;
  readonly bytes: number;
}

/** Reads some bytes in pieces, as long as a header is awaited. */
function read(bytes: Buffer, pieces: readonly number[] = []): Read {
  const reader = new ProxyHeaderReader();
  let at = 0;
  for (const length of [...pieces, bytes.length]) {
    if (reader.found === null) at += reader.read(bytes.subarray(at, at + length));
  }
  return { found: reader.found, bytes: at };
}

/** What the specification says of the whole of what came: section 2.1 for a text, 2.2 for what is binary. */
function model(bytes: Buffer): Read['found'] {
  const isPrefix = (start: Buffer) => bytes.subarray(0, start.length).equals(start.subarray(0, bytes.length));
  if (isPrefix(Buffer.from('PROXY '))) return modelText(bytes.toString('latin1'));
  if (isPrefix(SIGNATURE)) return modelBinary(bytes);
  return 'missing';
}

function modelText(text: string): Read['found'] {
  const line = /^[^\n]*\n/.exec(text.slice(0, 107))?.[0];
  if (line === undefined) return text.length < 107 ? null : 'malformed';
  if (/^PROXY UNKNOWN(?: .*)?\r\n$/s.test(line)) return { source: null };
  const [, family, source = '', target = '', ...ports] =
    /^PROXY TCP([46]) (\S+) (\S+) (0|[1-9]\d*) (0|[1-9]\d*)\r\n$/.exec(line) ?? [];
  const isGood = [source, target].every((address) => (family === '4' ? isFour(address) : isSix(address)));
  return family !== undefined && isGood && ports.every((port) => Number(port) < 65_536) ? { source } : 'malformed';
}

function isFour(text: string): boolean {
  const numbers = text.split('.');
  return numbers.length === 4 && numbers.every((number) => /^(?:0|[1-9]\d{0,2})$/.test(number) && Number(number) < 256);
}

/** A URL takes no address that is none. */
function isSix(text: string): boolean {
  return text.includes(':') && URL.canParse(`http://[${text}]/`) && !/[[\]/@?#%]/.test(text);
}

function modelBinary(bytes: Buffer): Read['found'] {
  if (bytes.length < 16) return null;
  const [command = 0, transport = 0, high = 0, low = 0] = bytes.subarray(12, 16);
  const length = high * 256 + low;
  if (length > 4_080) return 'malformed';
  if (bytes.length < 16 + length) return null;
  if (command === 0x20) return { source: null };
  if (command !== 0x21) return 'malformed';
  const [family, protocol] = [Math.floor(transport / 16), transport % 16];
  if (family > 3 || protocol > 1) return 'malformed';
  if (protocol === 0 || family === 0 || family === 3) return { source: null };
  if (length < (family === 1 ? 12 : 36)) return 'malformed';
  const octets = [...bytes.subarray(16, family === 1 ? 20 : 32)];
  if (family === 1) return { source: octets.map(String).join('.') };
  const hex = octets.map((octet) => octet.toString(16).padStart(2, '0')).join('');
  return { source: (hex.match(/.{4}/g) ?? []).map((group) => Number.parseInt(group, 16).toString(16)).join(':') };
}

const octet = fc.oneof(fc.nat(255), fc.constantFrom(0, 10, 13, 255));
const goodPort = fc.nat(65_535).map(String);

/** The fields of a header of version 1 as senders make it. */
const goodFields = fc.oneof(
  fc.tuple(fc.constant('PROXY'), fc.constant('TCP4'), fc.ipV4(), fc.ipV4(), goodPort, goodPort),
  fc.tuple(fc.constant('PROXY'), fc.constant('TCP6'), fc.ipV6(), fc.ipV6(), goodPort, goodPort),
  fc.tuple(fc.constant('PROXY'), fc.constant('UNKNOWN'), fc.ipV6(), fc.ipV4(), goodPort, goodPort),
);

/** What stands in place of one of them. */
const oddField = fc.constantFrom(
  ...[
    'PROXY',
    'proxy',
    'PROX',
    'PROXY ',
    '',
    ' ',
    'x',
    'TCP',
    'TCP4',
    'TCP6',
    'tcp4',
    'UDP4',
    'UNKNOWN',
    'UNKNOWNS',
    '__proto__',
  ],
  ...[
    '0.0.0.0',
    '01.2.3.4',
    '1.2.3',
    '1.2.3.256',
    '1.2.3.4.5',
    '1.2.3.4\t',
    '::',
    '::ffff:192.0.2.1',
    'fe80::1%eth0',
    ':::',
  ],
  ...[
    '1::2::3',
    '[::1]',
    'g::',
    '2001:DB8::1',
    '12345::',
    '0',
    '65535',
    '65536',
    '00',
    '080',
    '+1',
    '1e3',
    '999999',
    '1 ',
  ],
  ...['f'.repeat(60), '\n', '\r', '\0'],
);

const end = fc.oneof(
  { weight: 6, arbitrary: fc.constant('\r\n') },
  fc.constantFrom('\n', '\r', '\r\r\n', '', ' \r\n', '\0\r\n', ' x\r\n'),
);

/** One with a field that is odd, or one too many. */
const text = fc.tuple(goodFields, fc.option(fc.tuple(fc.nat(6), oddField)), end).map(([fields, odd, end]) => {
  const line: string[] = [...fields];
  if (odd !== null) line[odd[0]] = odd[1];
  return line.join(' ') + end;
});

/** Lines of which nothing but the length is to be looked at. */
const long = fc.integer({ min: 80, max: 100 }).map((length) => `PROXY UNKNOWN ${'f'.repeat(length)}\r\n`);

const binary = fc
  .record({
    command: fc.oneof(fc.constantFrom(0x20, 0x21, 0x21, 0x21), fc.nat(255)),
    transport: fc.oneof(fc.constantFrom(0x11, 0x21, 0x11, 0x21, 0, 0x12, 0x22, 0x31, 0x32, 0x10, 0x01), fc.nat(255)),
    length: fc.oneof(fc.constantFrom(12, 36, 36, 0, 11, 35, 216, 300, 4_080, 4_081, 0xffff), fc.nat(600)),
    block: fc.array(octet, { maxLength: 60 }),
    signature: fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, fc.nat(11)),
  })
  .map(({ command, transport, length, block, signature }) => {
    const start = Buffer.from([...SIGNATURE, command, transport, length >> 8, length & 0xff]);
    if (signature !== null) start[signature] = (start[signature] as number) ^ 1;
    const addresses = Buffer.alloc(Math.min(length, 4_200), 'EHLO\r\n');
    Buffer.from(block).copy(addresses);
    return Buffer.concat([start, addresses]);
  });

const anything = fc.oneof(
  { weight: 5, arbitrary: text.map((line) => Buffer.from(line, 'latin1')) },
  long.map((line) => Buffer.from(line)),
  { weight: 5, arbitrary: binary },
  fc.array(octet, { maxLength: 200 }).map((octets) => Buffer.from(octets)),
);

/** A header, perhaps cut off, with what may stand behind it, and where its pieces end. */
const cases = fc.record({
  header: anything,
  left: fc.oneof({ weight: 3, arbitrary: fc.constant(Number.POSITIVE_INFINITY) }, fc.nat(120)),
  behind: fc.constantFrom('', 'EHLO app.test\r\n', '\n', '\r\n', '\0'),
  pieces: fc.array(fc.nat(40), { maxLength: 20 }),
});

test('headers, good, bad and cut off, are read as the model says, however they come', () => {
  const seen = { good: 0, own: 0, bad: 0, missing: 0, waiting: 0 };
  fc.assert(
    fc.property(cases, ({ header, left, behind, pieces }) => {
      const bytes = Buffer.concat([header.subarray(0, left), Buffer.from(left > header.length ? behind : '')]);
      const whole = read(bytes);
      expect(whole.found).toEqual(model(bytes));
      expect(read(bytes, pieces)).toEqual(whole);
      if (whole.found === null) seen.waiting += 1;
      else if (typeof whole.found === 'string') seen[whole.found === 'missing' ? 'missing' : 'bad'] += 1;
      else seen[whole.found.source === null ? 'own' : 'good'] += 1;
    }),
    { numRuns: RUNS, seed: SEED },
  );
  // What is never generated is never tried.
  for (const [kind, times] of Object.entries(seen)) expect(times, kind).toBeGreaterThan(RUNS / 50);
});

test('what stands behind a header is not touched, wherever the packet is cut', () => {
  const behind = Buffer.from('EHLO app.test\r\nQUIT\r\n');
  const binaryOf = (length: number) => {
    const header = Buffer.alloc(16 + length, 'PROXY \r\n');
    SIGNATURE.copy(header);
    header.set([0x21, 0x11, length >> 8, length & 0xff], SIGNATURE.length);
    return header;
  };
  for (const header of [Buffer.from('PROXY TCP4 192.0.2.1 192.0.2.2 1 2\r\n'), binaryOf(12), binaryOf(12 + 60)]) {
    const bytes = Buffer.concat([header, behind]);
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      const { found, bytes: taken } = read(bytes, [cut]);
      expect(found).toHaveProperty('source', expect.any(String));
      expect(taken).toBe(header.length);
    }
  }
});

describe('that something else came is known at the first byte that does not fit', () => {
  test.each([
    ['EHLO app.test', 1],
    ['PRIVATE', 3],
    ['PROXYING', 6],
    ['\r\n\r\nEHLO', 5],
    ['\x16\x03\x01', 1],
  ])('%j: the byte %i', (bytes, first) => {
    expect(read(Buffer.from(bytes))).toEqual({ found: 'missing', bytes: first });
  });
});

test.each([
  ['PROXY TCP4 192.0.2.1 192.0.2.2 1 2\r\n', true],
  [SIGNATURE, true],
  ['PROXY\r\n', false],
  ['\r\n', false],
  ['EHLO app.test\r\n', false],
])('whether %j looks like a header: %s', (bytes, isOne) => {
  expect(beginsLikeHeader(Buffer.from(bytes))).toBe(isOne);
});
