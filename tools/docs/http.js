// The made part of docs/http.md: each operation with its parameters, answers and errors, and the shapes that travel.
import { httpErrors } from '../../packages/server/dist/errors.js';
import { errorsOf, operationsOf, plain, table } from './errors.js';

/** Each text once: those of two limits are the same, as the interface fixes them. */
const ERRORS = Object.values(httpErrors).filter(
  ({ text }, position, all) => all.findIndex((other) => other.text === text) === position,
);

/** What an example calls the parts of a path. */
const EXAMPLES = { name: 'demo', receivedAt: '2026-01-31T09:30:00.000Z', path: '1', run: 'k3v2x7m5q4tpk3v2x7m5q4tpk3' };

/** The reference of docs/http.md, from the API document. */
export function httpReference(document) {
  const shapes = Object.entries(document.components.schemas);
  return [
    ...operationsOf(document).map((operation) => describe(operation, document)),
    '## Shapes',
    ...shapes.map(([name, schema]) => `### ${name}\n\n${schema.description}\n\n${fieldsTable(schema, document)}`),
  ].join('\n\n');
}

function describe(operation, document) {
  const { method, path, summary, parameters = [], requestBody, security } = operation;
  return [
    `## ${method} ${path}`,
    summary,
    security && keysOf(security),
    parameters.length > 0 && parametersTable(parameters),
    requestBody && bodyOf(requestBody, document),
    answersOf(operation),
    `\`\`\`sh\n${example(operation, document)}\n\`\`\``,
    errorsTable(operation),
  ]
    .filter(Boolean)
    .join('\n\n');
}

function keysOf(security) {
  const key = 'An inbox that belongs to a workspace needs its key, as `Authorization: Bearer <API_KEY>`.';
  return security.some(({ inboxSecret }) => inboxSecret) ? `${key} A private inbox needs its secret there.` : key;
}

function parametersTable(parameters) {
  const ordered = parameters.toSorted((a, b) => Number(b.in === 'path') - Number(a.in === 'path'));
  const rows = ordered.map(({ name, in: place, required, description }) => [
    `\`${name}\``,
    place,
    required ? 'yes' : 'no',
    description,
  ]);
  return table(['Parameter', 'In', 'Required', 'What it is'], rows);
}

function bodyOf({ content }, document) {
  return Object.entries(content)
    .map(([type, { schema }]) => `The body is \`${type}\`:\n\n${fieldsTable(resolved(schema, document), document)}`)
    .join('\n\n');
}

function resolved(schema, { components }) {
  return schema.$ref === undefined ? schema : components.schemas[schema.$ref.split('/').at(-1)];
}

function answersOf({ responses }) {
  return Object.entries(responses)
    .filter(([status]) => Number(status) < 400)
    .map(([status, { description, content = {} }]) => {
      const [[type, media] = []] = Object.entries(content);
      const shape = media?.schema.$ref?.split('/').at(-1);
      const what = shape === undefined ? (type ? `\`${type}\`` : 'no body') : `[${shape}](#${shape.toLowerCase()})`;
      return [`**${status}**: ${plain(description)} (${what})`, media?.example && exampleAnswer(type, media.example)]
        .filter(Boolean)
        .join('\n\n');
    })
    .join('\n\n');
}

function exampleAnswer(type, value) {
  const isJson = type === 'application/json';
  return `\`\`\`${isJson ? 'json' : 'text'}\n${isJson ? JSON.stringify(value, null, 2) : value.trimEnd().replaceAll('\r\n', '\n')}\n\`\`\``;
}

function example({ method, path, requestBody }, document) {
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const [sent] = media === undefined ? [] : (resolved(media.schema, document).examples ?? [media.example]);
  const body = type === 'application/json' ? JSON.stringify(sent) : String(new URLSearchParams(sent));
  const url = `http://127.0.0.1:8080${path.replace(/\{(\w+)\}/g, (_, name) => EXAMPLES[name])}`;
  const flags = [
    method === 'GET' || type !== undefined ? '' : ` -X ${method}`,
    type === undefined ? '' : ` -H 'Content-Type: ${type}' -d '${body}'`,
  ].join('');
  return `curl${flags} ${url}`;
}

function errorsTable(operation) {
  const rows = errorsOf(operation, ERRORS).map(({ code, status, text }) => [
    status,
    `[\`${code}\`](errors.md)`,
    plain(text),
  ]);
  return table(['Status', 'Error', 'Text'], rows);
}

function fieldsTable({ properties, required = [] }, document) {
  const rows = Object.entries(properties).map(([name, schema]) => [
    `\`${name}\``,
    typeOf(schema),
    required.includes(name) ? 'yes' : 'no',
    resolved(schema, document).description,
  ]);
  return table(['Field', 'Type', 'Required', 'What it is'], rows);
}

/** The type of a field in words; that of an object with its fields, since these have no name of their own. */
function typeOf({ type, enum: values, items, properties, anyOf, $ref }) {
  if (anyOf !== undefined) return anyOf.map(typeOf).join(' or ');
  if ($ref !== undefined) return `[${$ref.split('/').at(-1)}](#${$ref.split('/').at(-1).toLowerCase()})`;
  if (values !== undefined) return values.map((value) => (value === null ? 'null' : `\`"${value}"\``)).join(' or ');
  if (items !== undefined) return `list of ${typeOf(items)}`;
  const names = [type ?? 'any value'].flat().join(' or ');
  if (properties === undefined) return names;
  const fields = Object.entries(properties).map(([name, schema]) => `\`${name}\`: ${typeOf(schema)}`);
  return `${names} {${fields.join(', ')}}`;
}
