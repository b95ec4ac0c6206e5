import { type SmtpError, smtpErrors } from '../errors.js';
import type { ReplyValues } from './replies.js';

const LF = 0x0a;
const CR = 0x0d;

/** Longest command line in bytes without its end. RFC 4954 section 4 asks for 12,288, for long credentials. */
export const MAX_COMMAND_BYTES = 16 * 1024;

/** First allocation for a split line; it doubles from there. */
const FIRST_BYTES = 128;

const NOTHING: Buffer = Buffer.alloc(0);

/**
 * Finds command lines in input that is cut anywhere. A line ends with LF, and a CR before it is dropped. RFC 5321
 * section 2.3.8 knows only CRLF, but people type into netcat, and a bare LF is harmless in commands (not in content;
 * see `DotDecoder`). A split line is copied: 128 bytes must not keep the 64 KiB that they came in.
 */
export class LineReader {
  /** The line that `read` found, without its end; null while incomplete. */
  line: string | null = null;
  /** The incoming line is too long for a command; nothing can be read any more. */
  isTooLong = false;
  #held = NOTHING;
  #length = 0;

  /** Reads the line that continues at `start`, sets `line`, and returns where the next bytes begin. */
  read(bytes: Buffer, start: number): number {
    const lineFeed = bytes.indexOf(LF, start);
    const end = lineFeed < 0 ? bytes.length : lineFeed;
    const last = end > start ? bytes[end - 1] : this.#held[this.#length - 1];
    const textLength = this.#length + end - start - (last === CR ? 1 : 0);
    this.line = null;
    if (textLength > MAX_COMMAND_BYTES) {
      this.isTooLong = true;
      return bytes.length;
    }
    if (lineFeed >= 0 && this.#length === 0) {
      this.line = bytes.toString('utf8', start, start + textLength);
      return lineFeed + 1;
    }
    this.#hold(bytes, start, end);
    if (lineFeed < 0) return end;
    this.line = this.#held.toString('utf8', 0, textLength);
    this.#held = NOTHING;
    this.#length = 0;
    return lineFeed + 1;
  }

  #hold(bytes: Buffer, start: number, end: number): void {
    const length = this.#length + end - start;
    if (this.#held.length < length) {
      const held = Buffer.allocUnsafeSlow(Math.max(length, this.#length * 2, FIRST_BYTES));
      this.#held.copy(held, 0, 0, this.#length);
      this.#held = held;
    }
    bytes.copy(this.#held, this.#length, start, end);
    this.#length = length;
  }
}

/** HTTP methods. A web page can make a browser post to this port, with commands in the body. */
const HTTP_METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT', 'PRI']);

/** The longest method and the space after it. */
const HTTP_START_BYTES = 8;

/** A TLS record of type handshake (RFC 8446 section 5.1). No command begins with this byte. */
const TLS_HANDSHAKE = 0x16;

export function isHttpRequest(verb: string, line: string): boolean {
  return HTTP_METHODS.has(verb) && line.includes(' HTTP/');
}

/**
 * What is wrong with a client's first bytes: of TLS where it begins on its own, of anything before the greeting, or of a
 * command. Null if nothing is.
 */
export function faultOfFirst(first: Buffer, expected: 'tls' | 'nothing' | 'command'): SmtpError | null {
  const isTls = first[0] === TLS_HANDSHAKE;
  const [verb = '', ...rest] = first.toString('latin1', 0, HTTP_START_BYTES).split(' ');
  const isHttp = HTTP_METHODS.has(verb) && rest.length > 0;
  if (expected === 'tls' && isTls) return null;
  if (expected === 'tls') return isHttp ? smtpErrors.notHttp : smtpErrors.tlsOnly;
  if (isTls) return smtpErrors.notSmtps;
  if (expected === 'command') return null;
  return isHttp ? smtpErrors.notHttp : smtpErrors.spokeTooSoon;
}

/** The ports that SMTP listens on: `tls` is for TLS from the first byte. */
export interface Ports {
  readonly plain: number;
  readonly tls: number | null;
}

/** What the refusal of a client says that took the wrong one of two ports. */
export function otherPort({ plain, tls }: Ports): ReplyValues {
  const cure =
    tls === null
      ? 'turn it off in the settings of the client, or start the service with --smtps-port'
      : `use port ${tls} for it, or turn it off in the settings of the client`;
  return { port: plain, cure };
}
