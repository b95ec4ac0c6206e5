// The made part of docs/errors.md: every error of HTTP and SMTP, and which requests meet it.
import { httpErrors, rowName, smtpErrors } from '../../packages/server/dist/errors.js';
import { installedPlugins } from '../../packages/server/dist/plugin/installed.js';

/** The requests that meet an error besides the operations that list it. */
const WHERE = {
  'bad-url': 'a path whose percent-encoding is broken',
  'bad-request': 'a request that is malformed or incomplete',
  'plugin-refusal': 'with `--plugin`: a request that its route refuses, with the status of the refusal (400 to 499)',
  'agent-batch': 'a message to `/mcp`, with --mcp',
  'no-host': 'any request in HTTP/1.1',
  'several-hosts': 'any request',
  'unknown-transfer-coding': 'any request',
  'unframed-body': 'any request that waits for its response',
  'trailing-bytes': 'any request that waits for its response',
  'foreign-host': 'any request, while the service listens on loopback',
  'cross-site': 'any request except for the page, while the service listens on loopback',
  'public-host': 'with `--drop-in`: any request without a key from `--drop-in-callers`',
  'unsupported-content-encoding': 'with `--drop-in`: a request with a body',
  'too-much-sent': 'with `--drop-in`: `POST /api/v1/send`',
  'bad-space': 'with `--spaces`: any request with a bad pair',
  'no-spaces': 'without `--spaces`: any request with `USER:PASSWORD` as bearer',
  'too-many-space-mails': 'with `--spaces` and `--drop-in`: `POST /api/v1/send`',
  'key-needed': 'with `--drop-in`: any of its requests',
  'not-found': 'a path that does not exist',
  'method-not-allowed': 'a method that the path does not support',
  'request-timeout': 'any request that arrives too slowly',
  'too-many-connections': 'a new connection from a client with too many open: it is answered and closed',
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
  notFoundBelowRoot: 'an unknown path below the root of a plugin',
  optionIsOff: 'a path that needs an option',
  notMetrics: 'with `--metrics`: any other path of its listener',
  tooManyRequests: '`GET /api/inbox/{name}`, and any request with a wrong key',
  tooManyWorkspaceRequests: '`GET /api/inbox/{name}` with the key of a workspace',
  tooManyLooks:
    'any other request to an inbox except its stream, a request to a run, a list of attempts or of all mail, and a message to `/mcp`',
  tooManyOpenings: '`GET /api/inbox/{name}/stream`, `GET /api/emails/stream`',
  tooManyPosts: '`POST /api/waitlist`',
  tooManyMails: 'with `--drop-in`: `POST /api/v1/send`',
  tooManyAgentCalls: 'a message to `/mcp`, with --mcp',
};

/** The tables of docs/errors.md, from the tables of errors and the API document. */
export function errorTables(document) {
  const operations = operationsOf(document);
  const ours = Object.entries(httpErrors).map(([row, error]) => ({
    ...error,
    where: WHERE_OF_ROW[row] ?? whereOf(error, operations),
  }));
  const plugins = installedPlugins().map(({ plugin }) => plugin);
  const ofPlugins = plugins.flatMap(({ errors = {}, limits = {} }) => [
    ...Object.values(errors.http ?? {}),
    ...Object.values(limits).map(({ text, where }) => ({ ...httpErrors.tooManyLooks, text, where })),
  ]);
  const http = onceEach([...ours, ...ofPlugins]).map(({ code, status, text, hint, where }) => {
    const told = plain(text) + (hint === undefined ? '' : `<br>\`Mayfly-Hint\`: ${plain(hint)}`);
    return [`\`${code}\``, status, told, where];
  });
  const smtp = [smtpErrors, ...plugins.map(({ errors }) => errors?.smtp ?? {})]
    .flatMap((rows) => Object.values(rows))
    .map((error) => [error.code, error.enhanced, plain(error.text), `\`${rowName(error)}\``]);
  return [
    '## HTTP',
    table(['Code', 'Status', 'Text', 'Where'], http),
    '## SMTP',
    table(['Reply', 'Enhanced code', 'Text', 'In metrics'], smtp),
  ].join('\n\n');
}

/** Plugins may share a row. */
function onceEach(rows) {
  return [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()];
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

/** A table of Markdown. Cells hold Markdown; what would end a cell or a line of the table is escaped. */
export function table(head, rows) {
  const line = (cells) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function cell(text) {
  return String(text).replaceAll('|', '\\|').replaceAll('\n', ' ');
}

/** Text that holds no Markdown, such as that of an error. */
export function plain(text) {
  return text.replace(/[*_<>[\]`]/g, (character) => `\\${character}`);
}
