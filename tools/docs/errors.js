// The generated part of docs/errors.md: every error of HTTP and SMTP.
import { httpErrors, rowName, smtpErrors } from '../../packages/server/dist/errors.js';
import { installedPlugins } from '../../packages/server/dist/plugin/installed.js';

/** Which requests get an error, where neither its text nor docs/http.md says so. */
const WHERE = {
  foreignHost: 'the listener of `--metrics` on loopback',
  foreignHostOfProxy: 'on loopback',
  crossSite: 'on loopback',
  agentBatch: '`/mcp`',
  tooManyRequests: 'fetches, and any request with a wrong key',
  tooManyWorkspaceRequests: "fetches with a workspace's key",
  tooManyMails: '`POST /api/v1/send`',
  tooManySpaceMails: '`POST /api/v1/send`',
  tooMuchSent: '`POST /api/v1/send`',
  tooManyAgentCalls: '`/mcp`',
  tooManyConnections: 'answered and closed',
  stopping: 'on open connections; new ones are refused',
};

/** The lists of docs/errors.md, from the tables of errors. */
export function errorLists() {
  const ours = Object.entries(httpErrors).map(([row, error]) => ({ ...error, where: WHERE[row] }));
  const plugins = installedPlugins().map(({ plugin }) => plugin);
  const added = plugins.flatMap(({ errors = {}, limits = {} }) => [
    ...Object.values(errors.http ?? {}),
    ...Object.values(limits).map(({ text, where }) => ({ ...httpErrors.tooManyLooks, text, where })),
  ]);
  const http = [...ours, ...added].map(({ status, code, text, hint, where }) => {
    const hinted = hint === undefined ? '' : ` \`Mayfly-Hint\`: ${plain(hint)}`;
    return [status, `\`${code}\`${where ? ` (${where})` : ''}: ${plain(text)}${hinted}`];
  });
  const smtp = [smtpErrors, ...plugins.map(({ errors }) => errors?.smtp ?? {})]
    .flatMap((rows) => Object.values(rows))
    .map((error) => [error.code, `${error.enhanced} \`${rowName(error)}\`: ${plain(error.text)}`]);
  return ['## HTTP', byNumber(http), '## SMTP', byNumber(smtp)].join('\n\n');
}

/** Lines below their status or reply, in numerical order, each once: plugins may share a row. */
function byNumber(rows) {
  const numbers = [...new Set(rows.map(([number]) => number))].sort();
  const linesOf = (number) => [...new Set(rows.filter(([one]) => one === number).map(([, line]) => `- ${line}`))];
  return numbers.map((number) => `### ${number}\n\n${linesOf(number).join('\n')}`).join('\n\n');
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

/** A Markdown table. Cells contain Markdown; whatever would end a cell or row is escaped. */
export function table(head, rows) {
  const line = (cells) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function cell(text) {
  return String(text).replaceAll('|', '\\|').replaceAll('\n', ' ');
}

/** Escapes Markdown in plain text such as that of an error. */
export function plain(text) {
  return text.replace(/[*_<>[\]`]/g, (character) => `\\${character}`);
}
