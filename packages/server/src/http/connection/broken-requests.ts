import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { httpErrors } from '../../errors.js';
import { clientFault, RequestError, type Tell } from '../answer/request-error.js';
import type { HttpEvents } from '../http-events.js';

/** What Node says of a request that is none (documented at its event `clientError`). */
export interface ParserError extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
}

/** Clients that never close would keep their connections. */
const LINGER_MS = 2_000;

export interface BrokenRequestsOptions {
  readonly maxBodyBytes: number;
  readonly tell: Tell;
  /** Absent without metrics. */
  readonly events?: HttpEvents | undefined;
}

/** Answers what Fastify does not see: broken HTTP, large headers, slow clients, tunnels (D11). */
export class BrokenRequests {
  readonly #options: BrokenRequestsOptions;

  constructor(options: BrokenRequestsOptions) {
    this.#options = options;
  }

  /** Answers a parser error, and closes. `response` is that of the connection's request under way, if there is one. */
  answer(error: ParserError, socket: Duplex, response: ServerResponse | null): void {
    this.#end(socket, this.#faultIn(error, response?.req), response);
  }

  /** Answers CONNECT, for which Node leaves the connection to us. */
  refuseTunnel(socket: Duplex, response: ServerResponse | null): void {
    // Reading notices the end.
    socket.on('error', () => {}).resume();
    this.#end(socket, new RequestError(httpErrors.unknownMethod), response);
  }

  #end(socket: Duplex, error: RequestError, response: ServerResponse | null): void {
    // A second answer would corrupt the first, or pass for it.
    if (!socket.writable || response?.headersSent) {
      socket.destroy();
      return;
    }
    const { tell, events } = this.#options;
    const { status, headers, body } = tell(error, response?.req.url);
    events?.answered(null, status, 'other');
    const fields = { ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' };
    const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
    const timer = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('close', () => clearTimeout(timer));
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  }

  #faultIn(error: ParserError, request: IncomingMessage | undefined): RequestError {
    if (request?.complete)
      return new RequestError(isFramed(request) ? httpErrors.trailingBytes : httpErrors.unframedBody);
    if (error.code === 'HPE_INVALID_METHOD' && isRequestLine(error.rawPacket))
      return new RequestError(httpErrors.unknownMethod);
    return clientFault(error, this.#options.maxBodyBytes) ?? new RequestError(httpErrors.badRequest);
  }
}

/** Whether a request says where its body ends (RFC 9112 section 6). */
function isFramed({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

/** How an SMTP client begins (RFC 5321 section 4.1.1.1). */
const SMTP_HELLO = /^(?:EHLO|HELO)[ \t]/i;

/** Whether a client spoke SMTP, or waited in vain for a greeting. Browsers' spare connections say nothing, too. */
export function isMeantForSmtp({ code, rawPacket }: ParserError, bytesRead: number): boolean {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return bytesRead === 0;
  return SMTP_HELLO.test(rawPacket?.toString('latin1', 0, 'EHLO '.length) ?? '');
}

/** RFC 9112 section 3 with any method, within one read of Node's. */
function isRequestLine(bytes: Buffer | undefined): boolean {
  const [line = ''] = (bytes?.toString('latin1') ?? '').split('\r\n', 1);
  const [method = '', , version = '', ...more] = line.split(' ');
  return more.length === 0 && method !== '' && (version === 'HTTP/1.1' || version === 'HTTP/1.0');
}
