import { isIPv4, isIPv6 } from 'node:net';

/** Longest version 1 header with CRLF (section 2.1 of HAProxy's specification, as all sections here). */
const MAX_TEXT_BYTES = 107;

/**
 * Longest version 2 header, NGINX's limit. Its TLVs should fit 536 bytes, but certificate names may not. None are kept.
 */
const MAX_BINARY_BYTES = 4_096;

const TEXT_START = Buffer.from('PROXY ');
const BINARY_START = Buffer.from('\r\n\r\n\0\r\nQUIT\n');

/** Offsets of version 2's fields (section 2.2). */
const COMMAND_AT = 12;
const TRANSPORT_AT = 13;
const LENGTH_AT = 14;
const ADDRESSES_AT = 16;

const LOCAL = 0x20;
const PROXY = 0x21;
const MAX_FAMILY = 3;
const DATAGRAM = 2;

/** TCP families that are read: the block's length, and the client's address at its start. */
const FAMILIES: ReadonlyMap<number, { readonly bytes: number; source(block: Buffer): string }> = new Map([
  [0x11, { bytes: 12, source: (block) => block.subarray(0, 4).join('.') }],
  [0x21, { bytes: 36, source: (block) => groups(block.subarray(0, 16)).join(':') }],
]);

const ADDRESS_TESTS: Readonly<Record<string, (text: string) => boolean>> = {
  __proto__: null as never,
  TCP4: isIPv4,
  // A zone names an interface of the proxy's machine.
  TCP6: (text) => isIPv6(text) && !text.includes('%'),
};

const LF = 0x0a;
const MAX_PORT = 65_535;

/** The client's address; null if the proxy speaks for itself, as in a health check. */
export interface ProxyHeader {
  readonly source: string | null;
}

/** Not a header at all; or malformed, too long, or not TCP. */
export type BadProxyHeader = 'missing' | 'malformed';

export function beginsLikeHeader(bytes: Buffer): boolean {
  return [TEXT_START, BINARY_START].some((start) => bytes.subarray(0, start.length).equals(start));
}

/** Reads a PROXY header, version 1 or 2, cut anywhere. The first byte that fits neither decides (section 2). */
export class ProxyHeaderReader {
  readonly #held = Buffer.allocUnsafeSlow(MAX_TEXT_BYTES);
  #length = 0;
  #found: ProxyHeader | BadProxyHeader | null = null;

  get found(): ProxyHeader | BadProxyHeader | null {
    return this.#found;
  }

  /** Reads up to the header's end, and returns where the next bytes begin. */
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

/** Reads version 1 after `PROXY `: `TCP4 192.0.2.1 198.51.100.1 56324 25`. */
function readText(line: string): ProxyHeader | BadProxyHeader {
  if (!line.endsWith('\r\n')) return 'malformed';
  const fields = line.slice(0, -2).split(' ');
  // What follows UNKNOWN is to be ignored.
  if (fields[0] === 'UNKNOWN') return { source: null };
  const [family = '', source = '', target = '', ...ports] = fields;
  const isAddress = ADDRESS_TESTS[family];
  const isGood = isAddress?.(source) && isAddress(target) && ports.length === 2 && ports.every(isPort);
  return isGood ? { source } : 'malformed';
}

/** Leading zeros are not permitted. */
function isPort(text: string): boolean {
  return /^(?:0|[1-9]\d{0,4})$/.test(text) && Number(text) <= MAX_PORT;
}

/** Reads a complete version 2 header; `length` counts the bytes after its first sixteen. */
function readBinary(header: Buffer, length: number): ProxyHeader | BadProxyHeader {
  const command = header[COMMAND_AT];
  const transport = header[TRANSPORT_AT] as number;
  // LOCAL's family and addresses are to be ignored.
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
