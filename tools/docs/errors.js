// Generates the lists of docs/errors.md: every error of HTTP and SMTP.
import { httpErrors, rowName, smtpErrors } from '../../packages/server/dist/errors.js';
import { installedPlugins } from '../../packages/server/dist/plugin/installed.js';

const PLUGINS = installedPlugins().map(({ plugin }) => plugin);

export const PLUGIN_ERRORS = PLUGINS.flatMap(({ errors }) => Object.values(errors?.http ?? {}));

/** Which requests get an error, for errors where neither the error's text nor docs/http.md mentions this. */
const WHERE = {
  tooManyRequests: 'fetches and wrong keys',
  tooManyWorkspaceRequests: "fetches with a workspace's key",
  tooManyAgentCalls: '`/mcp`',
};

const SENTENCE_END = /(?<=[\w)}"][.?]) /;
/** Matches what ends the cause in an SMTP reply: the end of a sentence, or a colon other than that of "MAIL FROM:". */
const SMTP_CAUSE_END = /(?<!FROM|TO): |(?<=[\w)}][.?]) /;

/** Makes the lists of docs/errors.md from the tables of errors. docs/http.md lists which operations return an error. */
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

/** Describes an error: where it occurs, the options in its fix, and its cause, with which its text begins. */
function causeOf({ text, hint = '', where }, causeEnd) {
  const [cause] = hint === '' ? text.split(causeEnd) : [text];
  const options = (text.slice(cause.length) + hint).match(/(?<!as )--[a-z][a-z-]+[a-z]/g) ?? [];
  const notes = [...new Set([where, ...options.map((option) => `\`${option}\``)])].filter(Boolean);
  return `${notes.length > 0 ? ` (${notes.join(', ')})` : ''}: ${plain(cause)}`;
}

/**
 * Lists errors under their HTTP status or SMTP reply code, in numerical order. Lists a repeated line only once: plugins
 * may share an error, and variants of an error differ only in the fix.
 */
function byNumber(errors) {
  const numbers = [...new Set(errors.map(({ number }) => number))].sort();
  return numbers
    .map((number) => {
      const lines = errors.filter((one) => one.number === number).map(({ name, cause }) => `- ${name}${cause}`);
      return `### ${number}\n\n${[...new Set(lines)].join('\n')}`;
    })
    .join('\n\n');
}

/** Returns every operation of the API document with its method and path, in the document's order. */
export function operationsOf({ paths }) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );
}

/** Returns the errors that an operation may respond with. Compares texts, because several errors may share a code. */
export function errorsOf({ responses }, errors) {
  return Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([status, { description }]) => {
      const texts = description.split('\n');
      return errors.filter((error) => error.status === Number(status) && texts.includes(error.text));
    });
}

/** Makes a Markdown table. Cells contain Markdown; characters that would end a cell or row are escaped. */
export function table(head, rows) {
  const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
  const line = (cells) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Escapes Markdown in plain text such as that of an error. */
function plain(text) {
  return text.replace(/[*_<>[\]`]/g, (character) => `\\${character}`);
}
