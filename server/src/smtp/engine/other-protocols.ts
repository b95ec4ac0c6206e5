import { type SmtpError, smtpErrors } from '../../errors.js';

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
