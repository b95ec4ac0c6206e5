// The made part of docs/errors.md: every error of HTTP and SMTP, and which requests meet it.
import { httpErrors, rowName, smtpErrors } from '../../packages/server/dist/errors.js';
import { plain, table } from './tables.js';

/** The requests that meet an error besides the operations that list it. */
const WHERE = {
  'bad-url': 'a path whose percent-encoding is broken',
  'bad-request': 'a request that is malformed or incomplete',
  'agent-batch': 'a message to `/mcp`, with --mcp',
  'no-host': 'any request in HTTP/1.1',
  'several-hosts': 'any request',
  'unknown-transfer-coding': 'any request',
  'unframed-body': 'any request that waits for its response',
  'trailing-bytes': 'any request that waits for its response',
  'foreign-host': 'any request, while the service listens on loopback',
  'cross-site': 'any request except for the page, while the service listens on loopback',
  'public-host': 'with `--drop-in`: any request without a key from `--drop-in-callers`',
  'bad-search': 'with `--drop-in`: a search',
  'bad-choice': 'with `--drop-in`: a request that selects messages in its body',
  'unsupported-content-encoding': 'with `--drop-in`: a request with a body',
  'bad-mail': 'with `--drop-in`: `POST /api/v1/send`',
  'too-much-sent': 'with `--drop-in`: `POST /api/v1/send`',
  'mail-too-large': 'with `--drop-in`: `POST /api/v1/send`',
  'bad-space': 'with `--spaces`: any request with a bad pair',
  'no-spaces': 'without `--spaces`: any request with `USER:PASSWORD` as bearer',
  'too-many-space-mails': 'with `--spaces` and `--drop-in`: `POST /api/v1/send`',
  'key-needed': 'with `--drop-in`: any of its requests',
  'no-such-message': 'with `--drop-in`: a request for one message',
  'no-such-body': 'with `--drop-in`: `GET /view/{ID}.html`',
  'not-served': 'with `--drop-in`: any other endpoint of the other server',
  'not-found': 'a path that does not exist',
  'method-not-allowed': 'a method that the path does not support',
  'request-timeout': 'any request that arrives too slowly',
  'too-many-connections': 'a new connection from a client with too many open: it is answered and closed',
  'web-socket-only': 'with `--drop-in mailpit`: `GET /api/events` without an upgrade',
  'headers-too-large': 'any request',
  'unknown-method': 'CONNECT, and any method unknown to HTTP',
  internal: 'any request',
  stopping: 'any request on an open connection while the service stops; new connections are refused',
  'store-away': 'any request to an inbox or the waitlist, while a store on another machine is unreachable',
};

/** The requests that meet a row whose code another row has, too. */
const WHERE_OF_ROW = {
  foreignHostOfProxy: 'any request to the API and the page, while the service listens on loopback',
  foreignHost: 'with `--metrics` on loopback: any request to its listener',
  crossOrigin: 'the same, from a page whose origin is known; a message to `/mcp`, wherever the service listens',
  namedKey: 'any request',
  optionIsOff: 'a path that needs an option',
  notMetrics: 'with `--metrics`: any other path of its listener',
  tooManyRequests: '`GET /api/inbox/{name}`, and any request with a wrong key',
  tooManyWorkspaceRequests: '`GET /api/inbox/{name}` with the key of a workspace',
  tooManyLooks:
    'any other request to an inbox except its stream, a request to a run, a list of attempts or of all mail, and a message to `/mcp`',
  tooManyOpenings: '`GET /api/inbox/{name}/stream`, `GET /api/emails/stream`',
  tooManyPosts: '`POST /api/waitlist`',
  tooManyDropInRequests: 'with `--drop-in`: any of its requests',
  tooManyMails: 'with `--drop-in`: `POST /api/v1/send`',
  tooManyAgentCalls: 'a message to `/mcp`, with --mcp',
};

/** The tables of docs/errors.md, from the tables of errors and the API document. */
export function errorTables(document) {
  const operations = operationsOf(document);
  const http = Object.entries(httpErrors).map(([row, error]) => {
    const { code, status, text, hint } = error;
    const told = plain(text) + (hint === undefined ? '' : `<br>\`Mayfly-Hint\`: ${plain(hint)}`);
    return [`\`${code}\``, status, told, WHERE_OF_ROW[row] ?? whereOf(error, operations)];
  });
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

function whereOf(error, operations) {
  const { code } = error;
  const meeting = operations.filter((operation) => errorsOf(operation, [error]).length > 0);
  if (meeting.length === operations.length) return 'any request';
  const listed = meeting.map(({ method, path }) => `\`${method} ${path}\``).join(', ');
  const where = [WHERE[code], listed].filter(Boolean).join('; ');
  if (where === '')
    throw new Error(`No operation answers ${code}, and tools/docs/errors.js does not say where it is met.`);
  return where;
}

/** Every operation of the API document with its method and path, in the document's order. */
export function operationsOf({ paths }) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );
}

/** The rows of `errors` that an operation may answer, by their texts: several may share a code. */
export function errorsOf({ responses }, errors) {
  return Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([status, { description }]) => {
      const texts = description.split('\n');
      return errors.filter((error) => error.status === Number(status) && texts.includes(error.text));
    });
}
