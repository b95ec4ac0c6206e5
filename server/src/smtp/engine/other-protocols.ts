import { type SmtpError, smtpErrors } from '../../errors.js';

/** What HTTP requests begin with. A web page can make a browser post to this port, with commands in the body. */
const HTTP_METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT', 'PRI']);

/** The longest method and the blank behind it. */
const HTTP_START_BYTES = 8;

/**
 * What every TLS connection begins with: a record that holds a handshake (RFC 8446 section 5.1). No command begins so.
 */
const TLS_HANDSHAKE = 0x16;

/** Whether a line is the first of an HTTP request, given its verb. */
export function isHttpRequest(verb: string, line: string): boolean {
  return HTTP_METHODS.has(verb) && line.includes(' HTTP/');
}

/**
 * Whether a client begins with TLS, as one does whose settings say "SSL" or `secure`, by the first bytes that it sends.
 */
export function isTls(first: Buffer): boolean {
  return first[0] === TLS_HANDSHAKE;
}

/** What is wrong with a client that did not wait for the greeting, by the first bytes that it has sent. */
export function spokeTooSoon(first: Buffer): SmtpError {
  if (isTls(first)) return smtpErrors.notSmtps;
  const [verb = '', ...rest] = first.toString('latin1', 0, HTTP_START_BYTES).split(' ');
  return HTTP_METHODS.has(verb) && rest.length > 0 ? smtpErrors.notHttp : smtpErrors.spokeTooSoon;
}
