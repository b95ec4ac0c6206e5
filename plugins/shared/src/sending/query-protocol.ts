import { randomUUID } from 'node:crypto';
import type { Answer } from './answer.js';

/** The Query API of AWS: a form field names the action, and responses are XML. */

/** Keys and signatures that old clients send in the form. They are not stored with the message. */
export const QUERY_SECRETS = /^(?:AWSAccessKeyId|Signature|SecurityToken|X-Amz-|Timestamp$)/i;

export function queryResult(namespace: string, action: string, result: string): Answer {
  const metadata = `<ResponseMetadata>${requestId()}</ResponseMetadata>`;
  const content = `<${action}Result>${result}</${action}Result>${metadata}`;
  return xml(200, `<${action}Response xmlns="${namespace}">${content}</${action}Response>`);
}

export function queryError(namespace: string, status: number, code: string, message: string): Answer {
  const type = status < 500 ? 'Sender' : 'Receiver';
  const error = `<Error><Type>${type}</Type><Code>${code}</Code><Message>${escaped(message)}</Message></Error>`;
  return xml(status, `<ErrorResponse xmlns="${namespace}">${error}${requestId()}</ErrorResponse>`);
}

function requestId(): string {
  return `<RequestId>${randomUUID()}</RequestId>`;
}

function xml(status: number, body: string): Answer {
  return { status, type: 'text/xml; charset=utf-8', body: `<?xml version="1.0" encoding="UTF-8"?>\n${body}` };
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** XML 1.0 section 2.2 does not allow control characters. */
export function escaped(text: string): string {
  const allowed = text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd]/g, '?');
  return allowed.replace(/[&<>]/g, (char) => ESCAPES[char] as string);
}
