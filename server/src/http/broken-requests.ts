import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { httpErrors } from '../errors.js';
import { clientFault } from './framework-errors.js';
import type { HttpEvents } from './http-events.js';
import { JSON_TYPE, RequestError } from './request-error.js';
import type { UnderWay } from './under-way.js';

/** What Node's parser says of a request that it gave up, with the bytes at which it did. */
interface ParserError extends Error {
  readonly code?: string;
  /** A buffer. */
  readonly rawPacket?: unknown;
}

/** How long a client may take to read the answer and to close. Then it is cut, for one that never does would keep its connection. */
const LINGER_MS = 2_000;

/**
 * Answers what the framework never sees or never sees the end of: broken HTTP, header fields that are too large, a client that is
 * too slow, a chunk that is none. Each is JSON with its sentence, as every error is (D11).
 */
export class BrokenRequests {
  readonly #maxBodyBytes: number;
  readonly #underWay: UnderWay;
  readonly #events: HttpEvents | undefined;

  /** `events` is left out where nobody counts. */
  constructor(maxBodyBytes: number, underWay: UnderWay, events?: HttpEvents) {
    this.#events = events;
    this.#maxBodyBytes = maxBodyBytes;
    this.#underWay = underWay;
  }

  /** Answers what was wrong with the bytes of a connection, where an answer can have only one meaning, and closes it. */
  answer(error: ParserError, socket: Duplex): void {
    if (socket.writable && this.#mayAnswer(socket)) this.#end(socket, this.#fault(error));
    else socket.destroy();
  }

  /** Answers a method that needs a connection of its own, such as CONNECT. Node has let go of the connection: it is ours to close. */
  refuseMethod(socket: Duplex): void {
    // What still comes is read and dropped, so that its end is noticed.
    socket.resume();
    if (this.#mayAnswer(socket)) this.#end(socket, new RequestError(httpErrors.unknownMethod));
    else socket.destroy();
  }

  /**
   * An answer that is under way would be corrupted by another one, and one that is due would be taken for it. So only the request
   * that broke may be answered: the one that has not come in whole, behind which there is none, where no other is before it.
   */
  #mayAnswer(socket: Duplex): boolean {
    const [first] = this.#underWay.of(socket);
    return first === undefined || (!first.req.complete && !first.headersSent);
  }

  #end(socket: Duplex, error: RequestError): void {
    this.#events?.answered(null, error.status, 'other');
    endWithError(socket, error, LINGER_MS);
  }

  #fault(error: ParserError): RequestError {
    if (error.code === 'HPE_INVALID_METHOD' && isRequestLine(error.rawPacket)) {
      return new RequestError(httpErrors.unknownMethod);
    }
    return clientFault(error, this.#maxBodyBytes) ?? new RequestError(httpErrors.badRequest);
  }
}

/** Whether bytes, which are no more than what Node reads at once, begin with a request line (RFC 9112 section 3), whatever its method. */
function isRequestLine(bytes: unknown): boolean {
  const text = bytes instanceof Uint8Array ? Buffer.from(bytes).toString('latin1') : '';
  const [line = ''] = text.split('\r\n', 1);
  const [method = '', , version = '', ...more] = line.split(' ');
  return more.length === 0 && method !== '' && (version === 'HTTP/1.1' || version === 'HTTP/1.0');
}

/** Sends an error as the last thing on a connection, and cuts that when the client takes longer to read it and to close. */
export function endWithError(socket: Duplex, error: RequestError, lingerMs: number): void {
  const headers = {
    ...error.headers,
    'content-type': JSON_TYPE,
    'content-length': Buffer.byteLength(error.body),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(timer));
  socket.end(`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${lines.join('')}\r\n${error.body}`);
}
