import { isIPv4, isIPv6, type Socket } from 'node:net';
import { type SmtpError, smtpErrors } from '../errors.js';
import { clientKey, isInRanges, isLoopback } from '../limits/client-address.js';
import type { Settings } from '../settings/table.js';
import { greeting } from './replies.js';

export interface Peer {
  readonly client: string;
  /** Whether credentials are accepted without TLS: from loopback and trusted addresses (D21). */
  readonly isTrusted: boolean;
  /** When the proxy sends its header: first, or after our greeting with the client's first bytes. Null if no proxy. */
  readonly header: 'first' | 'lazily' | null;
  /** Whether the peer connected to the port for TLS from the first byte (RFC 8314 section 3). */
  readonly beginsWithTls: boolean;
}

/** A proxy in both proxy settings is lazy. `proxy` is the address that connected, if its header named `address`. */
export function peerAt(address: string, beginsWithTls: boolean, settings: Settings, proxy = address): Peer {
  const isIn = (name: 'smtp-proxy' | 'smtp-proxy-lazy' | 'trust-proxy') => isInRanges(address, settings[name]);
  // A loopback address in a remote proxy's header refers to the proxy's machine, not to ours.
  const isLocal = isLoopback(address) && isLoopback(proxy);
  const header = isIn('smtp-proxy') ? 'first' : null;
  return {
    client: clientKey(address),
    isTrusted: isLocal || isIn('trust-proxy'),
    header: isIn('smtp-proxy-lazy') ? 'lazily' : header,
    beginsWithTls,
  };
}

/** A connection after its PROXY header: bytes read that follow the header, and whether the client was greeted. */
export interface Opening {
  readonly received: Buffer;
  readonly isGreeted: boolean;
}

/** Time limit for a header sent first. Allows a retransmission after 3 s (HAProxy's specification, section 2). */
const HEADER_MS = 5_000;

/** Maximum number of connections that wait for a header. With more, the oldest is dropped, because it has stalled. */
const MAX_AWAITED = 500;

/** Reads proxies' headers, before the client is known (D29). `refuse` sends the reason and closes the socket. */
export function awaitHeaders(
  settings: Settings,
  hostname: string,
  refuse: (socket: Socket, error: SmtpError, proxy: Peer) => void,
) {
  const waiting = new Map<Socket, (error: SmtpError) => void>();
  return {
    /** Takes over an unread socket. `source` is the client's address; null if the proxy itself is the client. */
    add(socket: Socket, proxy: Peer, serve: (source: string | null, opening: Opening) => void): void {
      const [oldest] = waiting.values();
      if (waiting.size >= MAX_AWAITED) oldest?.(smtpErrors.tooManyAwaited);
      const isLazy = proxy.header === 'lazily';
      // With implicit TLS the client speaks first, and the header arrives with its first bytes.
      const isGreeted = isLazy && !proxy.beginsWithTls;
      let received = Buffer.alloc(0);
      const read = (bytes: Buffer) => {
        received = Buffer.concat([received, bytes]);
        const found = readProxyHeader(received);
        if (found === null) return;
        if (!('end' in found)) return end(found);
        release();
        serve(found.source, { received: received.subarray(found.end), isGreeted });
      };
      const late = () => {
        // A lazy proxy sends its header with the client's first bytes, so silence is the client's fault.
        if (waiting.has(socket)) end(isLazy ? smtpErrors.idleTooLong : smtpErrors.proxyHeaderTooLate);
      };
      const over = () => {
        waiting.delete(socket);
        clearTimeout(timer);
      };
      // A client that leaves is no error: health checks do that. Keeps the listeners, because errors may still follow.
      const left = () => {
        over();
        socket.destroy();
      };
      const release = () => {
        over();
        socket.pause().off('data', read).off('end', left).off('error', left).off('close', left);
      };
      const end = (error: SmtpError) => {
        release();
        refuse(socket, error, proxy);
      };
      // One deadline for the whole header, which single bytes do not extend. After a stall of the event loop, first
      // reads what has arrived, because the delay is ours and not the proxy's.
      const timer = setTimeout(() => setImmediate(late), isLazy ? settings['smtp-idle'] : HEADER_MS).unref();
      waiting.set(socket, end);
      socket.on('data', read).on('end', left).on('error', left).on('close', left);
      if (isGreeted) socket.write(greeting(hostname));
    },
    stop(): void {
      for (const end of [...waiting.values()]) end(smtpErrors.stopping);
    },
  };
}

/** Longest version 1 header with CRLF (section 2.1 of HAProxy's specification, as all sections here). */
const MAX_TEXT_BYTES = 107;

/** Longest version 2 header (NGINX's limit). TLVs are skipped, but those with certificate names need some room. */
const MAX_BINARY_BYTES = 4_096;

const TEXT_START = Buffer.from('PROXY ');
const BINARY_START = Buffer.from('\r\n\r\n\0\r\nQUIT\n');

/** Offsets of the command and of the addresses in version 2 (section 2.2). */
const COMMAND_AT = 12;
const ADDRESSES_AT = 16;

const LOCAL = 0x20;
const PROXY = 0x21;
const MAX_FAMILY = 3;
const DATAGRAM = 2;

/** TCP families: the length of both addresses and ports, and how to read the client's address at their start. */
const FAMILIES: ReadonlyMap<number, { readonly bytes: number; source(block: Buffer): string }> = new Map([
  [0x11, { bytes: 12, source: (block) => block.subarray(0, 4).join('.') }],
  [0x21, { bytes: 36, source: (block) => block.toString('hex', 0, 16).replace(/.{4}(?!$)/g, '$&:') }],
]);

/** Tests of the addresses in version 1. A zone is invalid, because it names an interface of the proxy's machine. */
const TEXT_FAMILIES: ReadonlyMap<string, (address: string) => boolean> = new Map([
  ['TCP4', isIPv4],
  ['TCP6', (text) => isIPv6(text) && !text.includes('%')],
]);

interface ProxyHeader {
  readonly source: string | null;
  readonly end: number;
}

export function beginsLikeHeader(bytes: Buffer): boolean {
  return [TEXT_START, BINARY_START].some((start) => bytes.subarray(0, start.length).equals(start));
}

/** Reads a PROXY header, version 1 or 2. Returns an error for an invalid header, and null for an incomplete one. */
function readProxyHeader(bytes: Buffer): ProxyHeader | SmtpError | null {
  const start = bytes[0] === TEXT_START[0] ? TEXT_START : BINARY_START;
  const begun = bytes.subarray(0, start.length);
  // A header is refused at the first byte that fits neither form (section 2).
  if (!begun.equals(start.subarray(0, begun.length))) return smtpErrors.proxyHeaderMissing;
  return start === TEXT_START ? readText(bytes) : readBinary(bytes);
}

function readText(bytes: Buffer): ProxyHeader | SmtpError | null {
  const header = bytes.toString('latin1', 0, MAX_TEXT_BYTES);
  const end = header.indexOf('\n') + 1;
  if (end === 0) return header.length < MAX_TEXT_BYTES ? null : smtpErrors.badProxyHeader;
  const [, family = '', source = '', target = '', ...ports] = header.slice(0, end - 2).split(' ');
  if (header[end - 2] !== '\r') return smtpErrors.badProxyHeader;
  // The rest of an UNKNOWN header must be ignored.
  if (family === 'UNKNOWN') return { source: null, end };
  const isAddress = TEXT_FAMILIES.get(family);
  const isGood = isAddress?.(source) && isAddress(target) && ports.length === 2 && ports.every(isPort);
  return isGood ? { source, end } : smtpErrors.badProxyHeader;
}

/** Leading zeros are not permitted. */
function isPort(text: string): boolean {
  return /^(?:0|[1-9]\d{0,4})$/.test(text) && Number(text) < 2 ** 16;
}

function readBinary(header: Buffer): ProxyHeader | SmtpError | null {
  if (header.length < ADDRESSES_AT) return null;
  const length = header.readUInt16BE(ADDRESSES_AT - 2);
  const end = ADDRESSES_AT + length;
  if (end > MAX_BINARY_BYTES) return smtpErrors.badProxyHeader;
  if (header.length < end) return null;
  const [command, transport = 0] = header.subarray(COMMAND_AT);
  // The family and addresses of LOCAL must be ignored.
  if (command === LOCAL) return { source: null, end };
  const isWrong = command !== PROXY || transport >> 4 > MAX_FAMILY || (transport & 0xf) >= DATAGRAM;
  const family = FAMILIES.get(transport);
  if (isWrong || length < (family?.bytes ?? 0)) return smtpErrors.badProxyHeader;
  return { source: family?.source(header.subarray(ADDRESSES_AT)) ?? null, end };
}
