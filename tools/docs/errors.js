// The made part of docs/errors.md: every error of HTTP and SMTP, and which requests meet it.
import { httpErrors, smtpErrors } from '../../server/dist/errors.js';
import { rowName } from '../../server/dist/metrics/labels.js';
import { errorCodesOf, operationsOf } from './operations.js';
import { plain, table } from './tables.js';

/** What meets the errors that belong to no operation. */
const WHERE = {
  'bad-url': 'a path whose percent-encoding is broken',
  'bad-request': 'a request that is no valid HTTP, or breaks off',
  'agent-batch': 'a message to `/mcp`, with --mcp',
  'foreign-host': 'any request, while the service listens on loopback',
  'cross-site': 'any request but for the page, while the service listens on loopback',
  'bad-search': 'with `--drop-in`: a search',
  'bad-choice': 'with `--drop-in`: a request that names messages in its body',
  'bad-mail': 'with `--drop-in`: `POST /api/v1/send`',
  'key-needed': 'with `--drop-in`: any of its requests',
  'no-such-message': 'with `--drop-in`: a request for one message',
  'no-such-body': 'with `--drop-in`: `GET /view/{ID}.html`',
  'not-served': 'with `--drop-in`: what the other server has besides',
  'not-found': 'a path that does not exist',
  'method-not-allowed': 'a method that the path does not take',
  'request-timeout': 'any request that arrives too slowly',
  'too-many-connections': 'a connection of a client that has too many: it is answered and closed',
  'headers-too-large': 'any request',
  'unknown-method': 'a method that HTTP does not have, and CONNECT',
  internal: 'any request',
  stopping: 'any request, while the service stops',
  'store-away': 'any request to an inbox or the waitlist, while a store on another machine is out of reach',
};

/** The tables of docs/errors.md, from the tables of errors and the API document. */
export function errorTables(document) {
  const operations = operationsOf(document);
  const http = Object.values(httpErrors).map(({ code, status, text }) => [
    `\`${code}\``,
    status,
    plain(text),
    whereOf(code, operations),
  ]);
  const smtp = Object.values(smtpErrors).map((error) => [
    error.code,
    error.enhanced,
    plain(error.text),
    `\`${rowName(error)}\``,
  ]);
  return [
    '## HTTP',
    table(['Code', 'Status', 'Text', 'Where'], http),
    '## SMTP',
    table(['Reply', 'Enhanced code', 'Text', 'In metrics'], smtp),
  ].join('\n\n');
}

function whereOf(code, operations) {
  const meeting = operations.filter((operation) => errorCodesOf(operation).includes(code));
  if (meeting.length === operations.length) return 'any request';
  const where = meeting.map(({ method, path }) => `\`${method} ${path}\``).join(', ') || WHERE[code];
  if (where === undefined)
    throw new Error(`No operation answers ${code}, and tools/docs/errors.js does not say where it is met.`);
  return where;
}
