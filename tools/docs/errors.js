// The generated part of docs/errors.md: every error of HTTP and SMTP.
import { httpErrors, rowName, smtpErrors } from '../../packages/server/dist/errors.js';
import { installedPlugins } from '../../packages/server/dist/plugin/installed.js';

const PLUGINS = installedPlugins().map(({ plugin }) => plugin);

export const PLUGIN_ERRORS = PLUGINS.flatMap(({ errors }) => Object.values(errors?.http ?? {}));

/** The requests that get an error, if neither its text nor docs/http.md mentions them. */
const WHERE = {
  tooManyRequests: 'fetches, and any request with a wrong key',
  tooManyWorkspaceRequests: "fetches with a workspace's key",
  tooManyAgentCalls: '`/mcp`',
};

const SENTENCE_END = /(?<=[\w)}"][.?]) /;
/** SMTP replies name the fix after a colon, which the names of commands also contain ("MAIL FROM: takes"). */
const SMTP_CAUSE_END = /(?<!FROM|TO): |(?<=[\w)}][.?]) /;

/** The lists of docs/errors.md, from the tables of errors. docs/http.md lists the operations of each. */
export function errorLists(document) {
  const ours = Object.entries(httpErrors).map(([row, error]) => ({ ...error, where: WHERE[row] }));
  const inApi = new Set(operationsOf(document).flatMap((operation) => errorsOf(operation, PLUGIN_ERRORS)));
  const added = PLUGIN_ERRORS.map((error) => (inApi.has(error) ? { ...error, where: '' } : error));
  const limits = PLUGINS.flatMap((plugin) => Object.values(plugin.limits ?? {}));
  const http = [...ours, ...added, ...limits].map(({ status = 429, code = 'too-many-requests', ...error }) => ({
    ...{ number: status, name: `\`${code}\`` },
    cause: causeOf(error, SENTENCE_END),
  }));
  const smtp = [smtpErrors, ...PLUGINS.map(({ errors }) => errors?.smtp ?? {})]
    .flatMap((rows) => Object.values(rows))
    .map((error) => ({
      number: error.code,
      name: `${error.enhanced} \`${rowName(error)}\``,
      cause: causeOf(error, SMTP_CAUSE_END),
    }));
  return ['## HTTP', byNumber(http), '## SMTP', byNumber(smtp)].join('\n\n');
}

/** The cause that an error's text begins with, where it occurs, and the options that its fix names. */
function causeOf({ text, hint = '', where }, causeEnd) {
  const [cause] = hint === '' ? text.split(causeEnd) : [text];
  const options = (text.slice(cause.length) + hint).match(/(?<!as )--[a-z][a-z-]+[a-z]/g) ?? [];
  const notes = [...new Set([where, ...options.map((option) => `\`${option}\``)])].filter(Boolean);
  return `${notes.length > 0 ? ` (${notes.join(', ')})` : ''}: ${plain(cause)}`;
}

/** Errors below their status or reply, in numerical order. */
function byNumber(errors) {
  const numbers = [...new Set(errors.map(({ number }) => number))].sort();
  return numbers
    .map((number) => `### ${number}\n\n${linesOf(errors.filter((one) => one.number === number))}`)
    .join('\n\n');
}

/** A line for each cause, because plugins may share a row, and variants of an error differ only in the fix. */
function linesOf(errors) {
  return [...new Set(errors.map(({ name, cause }) => `- ${name}${cause}`))].join('\n');
}

/** Every operation of the API document with its method and path, in the document's order. */
export function operationsOf({ paths }) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );
}

/** The rows of `errors` that an operation may answer with, by their texts, because several may share a code. */
export function errorsOf({ responses }, errors) {
  return Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([status, { description }]) => {
      const texts = description.split('\n');
      return errors.filter((error) => error.status === Number(status) && texts.includes(error.text));
    });
}

/** A Markdown table. Cells contain Markdown; characters that would end a cell or row are escaped. */
export function table(head, rows) {
  const line = (cells) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function cell(text) {
  return String(text).replaceAll('|', '\\|').replaceAll('\n', ' ');
}

/** Escapes Markdown in plain text such as that of an error. */
function plain(text) {
  return text.replace(/[*_<>[\]`]/g, (character) => `\\${character}`);
}
