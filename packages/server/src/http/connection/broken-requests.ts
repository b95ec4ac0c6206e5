import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { httpErrors } from '../../errors.js';
import { clientFault, RequestError, type Tell, type ToldError, tellOurs } from '../answer/request-error.js';
import type { HttpEvents } from '../http-events.js';
import type { Pipeline, UnderWay } from './pipeline.js';

interface ParserError extends Error {
  readonly code?: string;
}

/** Clients that never close would keep their connections. */
const LINGER_MS = 2_000;

export interface BrokenRequestsOptions {
  readonly events?: HttpEvents | undefined;
  readonly tell?: Tell | undefined;
}

/** Answers what the framework does not see whole: broken HTTP, large headers, slow clients (D11). */
export class BrokenRequests {
  readonly #maxBodyBytes: number;
  readonly #underWay: UnderWay;
  readonly #events: HttpEvents | undefined;
  readonly #tell: Tell;

  constructor(maxBodyBytes: number, underWay: UnderWay, { events, tell = tellOurs }: BrokenRequestsOptions = {}) {
    this.#events = events;
    this.#tell = tell;
    this.#maxBodyBytes = maxBodyBytes;
    this.#underWay = underWay;
  }

  /** Answers a parser error if unambiguous, and closes. `bytes`: what was being parsed, and everything after. */
  answer(error: ParserError, socket: Duplex, bytes: Buffer | undefined): void {
    if (socket.writable && this.#mayAnswer(socket)) this.#end(socket, this.#fault(error, socket, bytes));
    else socket.destroy();
  }

  /** Answers a method with its own connection, such as CONNECT. Node released the socket: we close it. */
  refuseMethod(socket: Duplex): void {
    // Reading notices the end.
    socket.resume();
    if (this.#mayAnswer(socket)) this.#end(socket, new RequestError(httpErrors.unknownMethod));
    else socket.destroy();
  }

  /** Only a lone request is answered: a second answer would corrupt the first or pass for it. */
  #mayAnswer(socket: Duplex): boolean {
    const [first, second] = this.#underWay.of(socket);
    return second === undefined && !first?.headersSent;
  }

  #end(socket: Duplex, error: RequestError): void {
    const told = this.#tell(error, this.#underWay.of(socket)[0]?.req.url);
    this.#events?.answered(null, told.status, 'other');
    endWithError(socket, told, LINGER_MS);
  }

  #fault(error: ParserError, socket: Duplex, bytes: Buffer | undefined): RequestError {
    // Behind a waiting request only bytes that begin none are parsed (see `Pipeline`).
    const [first] = this.#underWay.of(socket);
    if (first?.req.complete)
      return new RequestError(isFramed(first.req) ? httpErrors.trailingBytes : httpErrors.unframedBody);
    if (error.code === 'HPE_INVALID_METHOD' && isRequestLine(bytes)) {
      return new RequestError(httpErrors.unknownMethod);
    }
    return clientFault(error, this.#maxBodyBytes) ?? new RequestError(httpErrors.badRequest);
  }
}

/** Whether a request says where its body ends (RFC 9112 section 6). */
function isFramed({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

/** How an SMTP client begins (RFC 5321 section 4.1.1.1). */
const SMTP_HELLO = /^(?:EHLO|HELO)[ \t]/i;

/** Whether it spoke SMTP, or waited in vain for a greeting. Browsers' spare connections say nothing, too. */
export function isMeantForSmtp({ code }: ParserError, { bytesRead, unparsed }: Pipeline): boolean {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return bytesRead === 0;
  return SMTP_HELLO.test(unparsed.toString('latin1', 0, 'EHLO '.length));
}

/** RFC 9112 section 3 with any method, within one read of Node's. */
function isRequestLine(bytes: Buffer | undefined): boolean {
  const text = bytes?.toString('latin1') ?? '';
  const [line = ''] = text.split('\r\n', 1);
  const [method = '', , version = '', ...more] = line.split(' ');
  return more.length === 0 && method !== '' && (version === 'HTTP/1.1' || version === 'HTTP/1.0');
}

/** Sends a last error, and cuts a client that does not close in time. */
export function endWithError(socket: Duplex, error: ToldError, lingerMs: number): void {
  const headers = {
    ...error.headers,
    'content-length': Buffer.byteLength(error.body),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(timer));
  socket.end(`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${lines.join('')}\r\n${error.body}`);
}
