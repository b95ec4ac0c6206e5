import { isIPv4, isIPv6 } from 'node:net';

/**
 * Longest header of version 1 with its CRLF (section 2.1 of the specification of HAProxy, as are all sections here).
 */
const MAX_TEXT_BYTES = 107;

/**
 * Longest header of version 2. What senders add behind the addresses (TLVs) is to fit into the 536 bytes of the
 * smallest segment, but the names of a TLS certificate need not. So many are what NGINX takes; none of them is kept.
 */
const MAX_BINARY_BYTES = 4_096;

const TEXT_START = Buffer.from('PROXY ');
const BINARY_START = Buffer.from('\r\n\r\n\0\r\nQUIT\n');

/** Where the fields of version 2 are (section 2.2). */
const COMMAND_AT = 12;
const TRANSPORT_AT = 13;
const LENGTH_AT = 14;
const ADDRESSES_AT = 16;

const LOCAL = 0x20;
const PROXY = 0x21;
const MAX_FAMILY = 3;
const DATAGRAM = 2;

/**
 * Families over TCP whose addresses are read: how long the block is, and how it begins with the address of the client.
 */
const FAMILIES: ReadonlyMap<number, { readonly bytes: number; source(block: Buffer): string }> = new Map([
  [0x11, { bytes: 12, source: (block) => block.subarray(0, 4).join('.') }],
  [0x21, { bytes: 36, source: (block) => groups(block.subarray(0, 16)).join(':') }],
]);

const ADDRESS_TESTS: Readonly<Record<string, (text: string) => boolean>> = {
  __proto__: null as never,
  TCP4: isIPv4,
  // A zone is one of the proxy's machine, and no part of an address here.
  TCP6: (text) => isIPv6(text) && !text.includes('%'),
};

const LF = 0x0a;
const MAX_PORT = 65_535;

/** What a header tells: the client's address, or null where the proxy speaks for itself, as in a check of health. */
export interface ProxyHeader {
  readonly source: string | null;
}

/** What is wrong with what came: it is no header at all, or one that is malformed, too long, or not of TCP. */
export type BadProxyHeader = 'missing' | 'malformed';

/** Whether what somebody says first begins as a header does. */
export function beginsLikeHeader(bytes: Buffer): boolean {
  return [TEXT_START, BINARY_START].some((start) => bytes.subarray(0, start.length).equals(start));
}

/**
 * Reads the header of the PROXY protocol, version 1 or 2, which may be cut anywhere. It decides with the first byte
 * that fits neither version: the specification asks to close then, and not to guess (section 2).
 */
export class ProxyHeaderReader {
  /** What is read byte by byte: a whole header of version 1, or one of version 2 up to its addresses. */
  readonly #held = Buffer.allocUnsafeSlow(MAX_TEXT_BYTES);
  #length = 0;
  #found: ProxyHeader | BadProxyHeader | null = null;

  get found(): ProxyHeader | BadProxyHeader | null {
    return this.#found;
  }

  /** Reads on up to the end of the header, and returns where in `bytes` what follows begins. */
  read(bytes: Uint8Array): number {
    let at = 0;
    for (; at < bytes.length && this.#found === null; at += 1) {
      const byte = bytes[at] as number;
      if (this.#length < MAX_TEXT_BYTES) this.#held[this.#length] = byte;
      this.#length += 1;
      this.#found = this.#judge(byte);
    }
    return at;
  }

  #judge(byte: number): ProxyHeader | BadProxyHeader | null {
    const isText = this.#held[0] === TEXT_START[0];
    const start = isText ? TEXT_START : BINARY_START;
    if (this.#length <= start.length) return byte === start[this.#length - 1] ? null : 'missing';
    return isText ? this.#judgeText(byte) : this.#judgeBinary();
  }

  #judgeText(byte: number): ProxyHeader | BadProxyHeader | null {
    if (byte === LF) return readText(this.#held.toString('latin1', TEXT_START.length, this.#length));
    return this.#length === MAX_TEXT_BYTES ? 'malformed' : null;
  }

  #judgeBinary(): ProxyHeader | BadProxyHeader | null {
    if (this.#length < ADDRESSES_AT) return null;
    const whole = ADDRESSES_AT + this.#held.readUInt16BE(LENGTH_AT);
    if (whole > MAX_BINARY_BYTES) return 'malformed';
    return this.#length < whole ? null : readBinary(this.#held, whole - ADDRESSES_AT);
  }
}

/** Reads what follows `PROXY ` in version 1, with its end: `TCP4 192.0.2.1 198.51.100.1 56324 25`. */
function readText(line: string): ProxyHeader | BadProxyHeader {
  if (!line.endsWith('\r\n')) return 'malformed';
  const fields = line.slice(0, -2).split(' ');
  // Whatever stands behind it is to be ignored.
  if (fields[0] === 'UNKNOWN') return { source: null };
  const [family = '', source = '', target = '', ...ports] = fields;
  const isAddress = ADDRESS_TESTS[family];
  const isGood = isAddress?.(source) && isAddress(target) && ports.length === 2 && ports.every(isPort);
  return isGood ? { source } : 'malformed';
}

/** Heading zeroes are not permitted. */
function isPort(text: string): boolean {
  return /^(?:0|[1-9]\d{0,4})$/.test(text) && Number(text) <= MAX_PORT;
}

/** Reads a header of version 2 that has come in whole, with so many bytes behind its first sixteen. */
function readBinary(header: Buffer, length: number): ProxyHeader | BadProxyHeader {
  const command = header[COMMAND_AT];
  const transport = header[TRANSPORT_AT] as number;
  // Family and addresses of LOCAL are to be ignored, whatever they are.
  if (command === LOCAL) return { source: null };
  if (command !== PROXY || transport >> 4 > MAX_FAMILY || (transport & 0xf) >= DATAGRAM) return 'malformed';
  const family = FAMILIES.get(transport);
  if (family === undefined) return { source: null };
  if (length < family.bytes) return 'malformed';
  return { source: family.source(header.subarray(ADDRESSES_AT, ADDRESSES_AT + family.bytes)) };
}

function groups(address: Buffer): string[] {
  return Array.from({ length: 8 }, (_, group) => address.readUInt16BE(2 * group).toString(16));
}
