import { type SmtpError, smtpErrors } from '../../errors.js';

const LF = 0x0a;
const CR = 0x0d;

/** Longest command line in bytes without its end. RFC 4954 section 4 asks for 12,288, for long credentials. */
export const MAX_COMMAND_BYTES = 16 * 1024;

const MAX_HELD_BYTES = MAX_COMMAND_BYTES + 1;

/** First allocation for a split line; it doubles from there. */
const FIRST_BYTES = 128;

/**
 * Finds command lines in input that is cut anywhere. A line ends with LF, and a CR before it is dropped. RFC 5321
 * section 2.3.8 knows only CRLF, but people type into netcat, and a bare LF is harmless in commands (not in content;
 * see DotDecoder).
 */
export class LineReader {
  /** The line that `read` found, without its end; null while incomplete. */
  line: string | null = null;
  #held: Buffer | null = null;
  #length = 0;
  #isTooLong = false;

  /** The incoming line is too long for a command; nothing can be read any more. */
  get isTooLong(): boolean {
    return this.#isTooLong;
  }

  /** Reads the line that continues at `start`, sets `line`, and returns where the next bytes begin. */
  read(bytes: Buffer, start: number): number {
    const lineFeed = bytes.indexOf(LF, start);
    if (lineFeed < 0) {
      this.#hold(bytes, start, bytes.length);
      this.line = null;
      return bytes.length;
    }
    if (this.#length === 0) {
      this.line = this.#text(bytes, start, lineFeed);
    } else {
      this.#hold(bytes, start, lineFeed);
      this.line = this.#held === null ? null : this.#text(this.#held, 0, this.#length);
    }
    if (this.line !== null) this.#forget();
    return lineFeed + 1;
  }

  #text(bytes: Buffer, start: number, end: number): string | null {
    const lineEnd = end > start && bytes[end - 1] === CR ? end - 1 : end;
    if (lineEnd - start <= MAX_COMMAND_BYTES) return bytes.toString('utf8', start, lineEnd);
    this.#isTooLong = true;
    return null;
  }

  #hold(bytes: Buffer, start: number, end: number): void {
    if (end === start) return;
    const before = this.#length;
    this.#length += end - start;
    if (this.#length > MAX_HELD_BYTES || (this.#length === MAX_HELD_BYTES && bytes[end - 1] !== CR)) {
      this.#isTooLong = true;
      this.#held = null;
      return;
    }
    if (this.#held === null || this.#held.length < this.#length) {
      const room = Math.min(Math.max(this.#length, before * 2, FIRST_BYTES), MAX_HELD_BYTES);
      const held = Buffer.allocUnsafeSlow(room);
      this.#held?.copy(held, 0, 0, before);
      this.#held = held;
    }
    bytes.copy(this.#held, before, start, end);
  }

  #forget(): void {
    this.#held = null;
    this.#length = 0;
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

/** Whether a client starts with TLS, as one set to "SSL" or `secure` does. */
export function isTls(first: Buffer): boolean {
  return first[0] === TLS_HANDSHAKE;
}

/** The error for a client that did not wait for the greeting, by its first bytes. */
export function spokeTooSoon(first: Buffer): SmtpError {
  if (isTls(first)) return smtpErrors.notSmtps;
  const [verb = '', ...rest] = first.toString('latin1', 0, HTTP_START_BYTES).split(' ');
  return HTTP_METHODS.has(verb) && rest.length > 0 ? smtpErrors.notHttp : smtpErrors.spokeTooSoon;
}
