import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { httpErrors } from '../../errors.js';
import { clientFault, RequestError, type Tell } from '../answer/request-error.js';
import type { HttpEvents } from '../http-events.js';

/** Node's error for a malformed request (documented at its event `clientError`). */
export interface ParserError extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
}

/** Time for a client to close its connection. Without this limit, a client could keep its connection forever. */
const LINGER_MS = 2_000;

/** Answers a request that Fastify does not see (D11), and closes the connection. `response` is that of the request. */
export function answerBroken(
  error: RequestError,
  socket: Duplex,
  response: ServerResponse | null,
  { tell, events }: { readonly tell: Tell; readonly events?: HttpEvents | undefined },
): void {
  // A second answer would corrupt the first one, or the client would take it for the first.
  if (!socket.writable || response?.headersSent) {
    socket.destroy();
    return;
  }
  const { status, headers, body } = tell(error, response?.req.url);
  events?.answered(null, status, 'other');
  const fields = { ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
}

/** The error for a request that Node's parser refused; null if the current request is answered anyway. */
export function faultIn(error: ParserError, request: IncomingMessage | undefined, maxBodyBytes: number) {
  const { code, rawPacket } = error;
  const packet = rawPacket?.toString('latin1') ?? '';
  if (request?.complete) {
    // Ignores a request that follows a request with `Connection: close` (RFC 9112 section 9.6).
    const [, ...behindHead] = packet.split('\r\n\r\n');
    if (code === 'HPE_CLOSED_CONNECTION' && isRequestLine(behindHead.join('\r\n\r\n') || packet)) return null;
    const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
    return new RequestError(
      length === undefined && coding === undefined ? httpErrors.unframedBody : httpErrors.trailingBytes,
    );
  }
  if (code === 'HPE_INVALID_METHOD' && isRequestLine(packet)) return new RequestError(httpErrors.unknownMethod);
  return clientFault(error, maxBodyBytes) ?? new RequestError(httpErrors.badRequest);
}

/** The beginning of an SMTP session (RFC 5321 section 4.1.1.1). */
const SMTP_HELLO = /^(?:EHLO|HELO)[ \t]/i;

/** Whether a client spoke SMTP, or said nothing, as if it waited for a greeting. A browser may also say nothing. */
export function isMeantForSmtp({ code, rawPacket }: ParserError, bytesRead: number): boolean {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return bytesRead === 0;
  return SMTP_HELLO.test(rawPacket?.toString('latin1', 0, 'EHLO '.length) ?? '');
}

/** A request line (RFC 9112 section 3) with any method. Not recognized if it arrives in more than one read of Node. */
function isRequestLine(packet: string): boolean {
  return /^[^ \r]+ [^ \r]* HTTP\/1\.[01](?:\r\n|$)/.test(packet);
}
