// The made part of docs/http.md: each operation with its parameters, answers and errors, and the shapes that travel.
import { httpErrors } from '../../packages/server/dist/errors.js';
import { errorsOf, operationsOf, plain, table } from './errors.js';

/** Each text once: those of two limits are the same, as the interface fixes them. */
const ERRORS = Object.values(httpErrors).filter(
  ({ text }, position, all) => all.findIndex((other) => other.text === text) === position,
);

/** What an example calls the parts of a path. */
const EXAMPLES = { name: 'demo', receivedAt: '2026-01-31T09:30:00.000Z', path: '1', run: 'k3v2x7m5q4tpk3v2x7m5q4tpk3' };

/** Operations that have errors in common, the largest group first. */
const GROUPS = {
  all: () => true,
  'with the path of an inbox': ({ path }) => path.includes('/{name}'),
  'with the path of one email': ({ path }) => path.includes('/{receivedAt}'),
};

/** The reference of docs/http.md, from the API document. */
export function httpReference(document) {
  const operations = operationsOf(document).map((operation) => ({ ...operation, errors: errorsOf(operation, ERRORS) }));
  const parameters = commonParameters(operations);
  const errors = commonErrors(operations);
  const shapes = Object.entries(document.components.schemas);
  return [
    '## Parameters',
    'Several operations take these. Each operation lists their names, and describes only its own.',
    parametersTable(parameters),
    '## Errors',
    'Operations share these errors, and each lists only its others. [Errors](errors.md) has the texts of all.',
    table(
      ['Operations', 'Errors'],
      errors.map((group) => [group.name, codesOf(group.errors)]),
    ),
    ...operations.map((operation) => describe(operation, document, { parameters, errors })),
    '## Shapes',
    ...shapes.map(([name, schema]) => `### ${name}\n\n${schema.description}\n\n${fieldsList(schema)}`),
  ].join('\n\n');
}

/** Parameters that several operations take with the same meaning, the first of each name. */
function commonParameters(operations) {
  const all = operations.flatMap(({ parameters = [] }) => parameters);
  const first = all.filter(({ name }, at) => all.findIndex((one) => one.name === name) === at);
  return first.filter((one) => all.filter((other) => isSame(one, other)).length > 1);
}

function isSame(one, other) {
  return one.name === other.name && one.description === other.description;
}

/** The errors that all operations of a group may answer, beside those of larger groups. */
function commonErrors(operations) {
  const known = new Set();
  return Object.entries(GROUPS).map(([name, isMember]) => {
    const members = operations.filter(isMember);
    const errors = ERRORS.filter((error) => !known.has(error) && members.every((one) => one.errors.includes(error)));
    for (const error of errors) known.add(error);
    return { name, isMember, errors };
  });
}

function describe(operation, document, common) {
  const { method, path, summary, parameters = [], requestBody, security, errors } = operation;
  const isCommon = (one) => common.parameters.some((other) => isSame(one, other));
  const own = parameters.filter((one) => !isCommon(one));
  // Those of the path are in the heading.
  const names = parameters.filter((one) => one.in === 'query' && isCommon(one)).map(({ name }) => `\`${name}\``);
  const shared = common.errors.filter(({ isMember }) => isMember(operation)).flatMap((group) => group.errors);
  const others = errors.filter(({ code }) => !shared.some((error) => error.code === code));
  const lines = [
    names.length > 0 && `**Parameters**: ${names.join(', ')}`,
    security && `**Key**: ${keysOf(security)}`,
    others.length > 0 && `**Errors**: ${codesOf(others)}`,
  ];
  return [
    `## ${method} ${path}`,
    summary,
    lines.filter(Boolean).join('<br>\n'),
    own.length > 0 && parametersTable(own),
    requestBody && bodyOf(requestBody, document),
    answersOf(operation),
    `\`\`\`sh\n${example(operation, document)}\n\`\`\``,
  ]
    .filter(Boolean)
    .join('\n\n');
}

function keysOf(security) {
  return `a workspace's${security.some(({ inboxSecret }) => inboxSecret) ? ", or a private inbox's secret" : ''}`;
}

/** The codes of errors by their status. */
function codesOf(errors) {
  const statuses = [...new Set(errors.map(({ status }) => status))].sort();
  const named = statuses.map((status) => {
    const codes = new Set(errors.filter((error) => error.status === status).map(({ code }) => `\`${code}\``));
    return `${status} ${[...codes].join(', ')}`;
  });
  return named.join('; ');
}

function parametersTable(parameters) {
  const ordered = parameters.toSorted((a, b) => Number(b.in === 'path') - Number(a.in === 'path'));
  const rows = ordered.map(({ name, in: place, required, description }) => [
    `\`${name}\``,
    required || place === 'path' ? place : `${place}, optional`,
    description,
  ]);
  return table(['Parameter', 'In', 'Description'], rows);
}

function bodyOf({ content }, document) {
  return Object.entries(content)
    .map(([type, { schema }]) => `The body is \`${type}\`:\n\n${fieldsList(resolved(schema, document))}`)
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
      const what = shape === undefined ? (type ? `\`${type}\`` : 'no body') : linkTo(shape);
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

/** A field whose type is a shape leaves the description to it. */
function fieldsList({ properties, required = [] }) {
  return Object.entries(properties)
    .map(([name, schema]) => {
      const type = required.includes(name) ? typeOf(schema) : `${typeOf(schema)}, optional`;
      return `- \`${name}\` (${type})${schema.$ref === undefined ? `: ${schema.description}` : ''}`;
    })
    .join('\n');
}

function linkTo(shape) {
  return `[${shape}](#${shape.toLowerCase()})`;
}

/** The type of a field in words; that of an object with its fields, since these have no name of their own. */
function typeOf({ type, enum: values, items, properties, anyOf, $ref }) {
  if (anyOf !== undefined) return anyOf.map(typeOf).join(' or ');
  if ($ref !== undefined) return linkTo($ref.split('/').at(-1));
  if (values !== undefined) return values.map((value) => (value === null ? 'null' : `\`"${value}"\``)).join(' or ');
  if (items !== undefined) return `list of ${typeOf(items)}`;
  const names = [type ?? 'any value'].flat().join(' or ');
  if (properties === undefined) return names;
  const fields = Object.entries(properties).map(([name, schema]) => `\`${name}\`: ${typeOf(schema)}`);
  return `${names} {${fields.join(', ')}}`;
}
