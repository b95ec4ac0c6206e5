// Generates the reference in docs/http.md: each operation with its parameters, response and errors, and shared types.
import { httpErrors } from '../../packages/server/dist/errors.js';
import { errorsOf, operationsOf, PLUGIN_ERRORS, table } from './errors.js';

/** All errors. Contains each text once, because the interface prescribes the same text for two limits. */
const ERRORS = [...new Map([...Object.values(httpErrors), ...PLUGIN_ERRORS].map((row) => [row.text, row])).values()];

/** Operations whose example the page shows. The API viewer shows all examples. */
const SHOWN = ['getInbox', 'streamInbox', 'streamEmails'];

/** Operations that mainly our own clients use. Only the API viewer describes them in full. */
const INTERNAL = 'reportRun getRun getSettings listSessions explainEmail previewEmailWithKey checkEmail'.split(' ');
const isDescribed = ({ operationId }) => !INTERNAL.includes(operationId);

/** The fields to list of some types. Their other fields serve only our own clients. */
const FIELDS = { InboxAttempts: ['attempts'] };

/** Types that other pages link to. */
const LINKED = ['Attempt'];

/** Groups of operations that have errors in common, the largest group first. */
const GROUPS = {
  all: () => true,
  'with `{name}`': ({ path }) => path.includes('/{name}'),
  'with `{receivedAt}`': ({ path }) => path.includes('/{receivedAt}'),
  'with query parameters': ({ parameters = [] }) => parameters.some((one) => one.in === 'query'),
};

/** Types that extend another type. The other type lists the common fields. */
const BASES = { EmailSummary: 'Email', ListedEmail: 'EmailSummary' };

/** Makes the reference of docs/http.md from the API document. */
export function httpReference(document) {
  const operations = operationsOf(document).map((operation) => ({ ...operation, errors: errorsOf(operation, ERRORS) }));
  const common = { parameters: commonParameters(operations.filter(isDescribed)), errors: commonErrors(operations) };
  const types = typesOf(document, operations);
  return [
    '## Parameters',
    'Several operations take these parameters. All are optional except those in the path.',
    parametersList(common.parameters),
    '## Errors',
    'Each operation lists only its further errors.',
    table(
      ['Operations', 'Errors'],
      common.errors.map((group) => [group.name, codesOf(group.errors)]),
    ),
    ...operations.map((operation) => describe(operation, { ...common, types })),
    '## Types',
    ...[...types.shared].map((name) => `### ${name}\n\n${types.all[name].description}\n\n${fieldsList(name, types)}`),
  ].join('\n\n');
}

/** Returns all types, and as `shared` the names of those that the page uses several times or that others extend. */
function typesOf(document, operations) {
  const all = document.components.schemas;
  const uses = new Map();
  const count = (part) => {
    for (const [, name] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      uses.set(name, (uses.get(name) ?? 0) + 1);
      if (uses.get(name) === 1) count(all[name]);
    }
  };
  count(operations.filter(isDescribed));
  const isShared = (name) => uses.get(name) > 1 || [...Object.values(BASES), ...LINKED].includes(name);
  return { all, shared: new Set(Object.keys(all).filter((name) => name !== 'ErrorResponse' && isShared(name))) };
}

/** Returns parameters that several operations take with the same meaning, one for each name. */
function commonParameters(operations) {
  const all = operations.flatMap(({ parameters = [] }) => parameters);
  const first = all.filter(({ name }, at) => all.findIndex((one) => one.name === name) === at);
  return first.filter((one) => all.filter((other) => isSame(one, other)).length > 1);
}

function isSame(one, other) {
  return one.name === other.name && one.description === other.description;
}

/** Returns the errors that are common to each group of operations, without those already listed for a larger group. */
function commonErrors(operations) {
  const known = new Set();
  return Object.entries(GROUPS).map(([name, isMember]) => {
    const members = operations.filter(isMember);
    const errors = ERRORS.filter((error) => !known.has(error) && members.every((one) => one.errors.includes(error)));
    for (const error of errors) known.add(error);
    return { name, isMember, errors };
  });
}

function describe(operation, shown) {
  const { operationId, method, path, summary, parameters = [], security, errors } = operation;
  const title = `## ${method} ${path}\n\n${summary}`;
  if (!isDescribed(operation)) return title;
  const isCommon = (one) => shown.parameters.some((other) => isSame(one, other));
  const own = parameters.filter((one) => !isCommon(one));
  const names = parameters.filter((one) => one.in === 'query' && isCommon(one)).map(({ name }) => `\`${name}\``);
  const shared = shown.errors.filter(({ isMember }) => isMember(operation)).flatMap((group) => group.errors);
  const others = errors.filter(({ code }) => !shared.some((error) => error.code === code));
  const lines = [
    names.length > 0 && `**Parameters**: ${names.join(', ')}`,
    security && !path.includes('/{name}') && "**Key**: a workspace's",
    others.length > 0 && `**Errors**: ${codesOf(others)}`,
  ];
  return [
    title,
    lines.filter(Boolean).join('<br>\n'),
    own.length > 0 && parametersList(own),
    ...bodyOf(operation, shown),
    ...answersOf(operation, shown),
    ...(SHOWN.includes(operationId) ? exampleOf(operation) : []),
  ]
    .filter(Boolean)
    .join('\n\n');
}

/** Lists the codes of errors by their status. */
function codesOf(errors) {
  const statuses = [...new Set(errors.map(({ status }) => status))].sort();
  const named = statuses.map((status) => {
    const codes = new Set(errors.filter((error) => error.status === status).map(({ code }) => `\`${code}\``));
    return `${status} ${[...codes].join(', ')}`;
  });
  return named.join('; ');
}

function parametersList(parameters) {
  return parameters
    .map(({ name, in: place, description }) => `- \`${name}\`${place === 'path' ? ' (path)' : ''}: ${description}`)
    .join('\n');
}

function bodyOf({ requestBody }, { types }) {
  return Object.entries(requestBody?.content ?? {}).flatMap(([type, { schema }]) => [
    `**Body** (\`${type}\`)`,
    fieldsList(schema, types),
  ]);
}

/** Describes an operation's response: by its fields, a link to its type, or its description. */
function answersOf({ responses }, { types }) {
  const [[status, { description, content = {} }]] = Object.entries(responses);
  const [[type, media] = []] = Object.entries(content);
  const name = nameOf(media?.schema);
  if (name !== undefined && !types.shared.has(name)) return ['**Response**', fieldsList(name, types)];
  if (name !== undefined) return [`**Response**: ${linkTo(name)}`];
  return [`**Response** (${type ? `\`${type}\`` : status}): ${description}`];
}

function exampleOf({ path, responses }) {
  const answers = Object.entries(responses[200].content).map(([type, { example }]) =>
    type === 'application/json' ? fence('json', JSON.stringify(example, null, 2)) : fence('text', example.trimEnd()),
  );
  return [fence('sh', `curl http://127.0.0.1:8080${path.replace('{name}', 'demo')}`), ...answers];
}

function fence(language, text) {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

/** Lists the fields of a type, given by its name or schema. Describes in place any type that only this list uses. */
function fieldsList(type, types, indent = '') {
  const name = nameOf(type) ?? type;
  const { properties, required = [] } = types.all[name] ?? type;
  const base = types.all[BASES[name]]?.properties ?? {};
  const fields = Object.entries(properties).filter(([field]) => FIELDS[name]?.includes(field) ?? true);
  const isKnown = ([field, schema]) => JSON.stringify(base[field]) === JSON.stringify(schema);
  const known = fields.filter(isKnown);
  const lines = fields
    .filter((one) => !isKnown(one))
    .map(([field, schema]) => {
      const kind = `${typeOf(schema, types)}${required.includes(field) ? '' : ', optional'}`;
      const inner = [schema, schema.items, ...(schema.anyOf ?? [])]
        .map(nameOf)
        .find((one) => one && !types.shared.has(one));
      const text = schema.description ?? types.all[inner]?.description;
      const nested = inner === undefined ? '' : `\n${fieldsList(inner, types, `${indent}  `)}`;
      return `${indent}- \`${field}\`${kind === 'string' ? '' : ` (${kind})`}${text ? `: ${text}` : ''}${nested}`;
    });
  const names = known.length > 6 ? 'All fields' : known.map(([field]) => `\`${field}\``).join(', ');
  return [...(known.length > 0 ? [`${indent}- ${names} of ${linkTo(BASES[name])}`] : []), ...lines].join('\n');
}

function nameOf(schema) {
  return schema?.$ref?.split('/').at(-1);
}

function linkTo(name) {
  return `[${name}](#${name.toLowerCase()})`;
}

/** Returns the type of a field in the notation of TypeScript. */
function typeOf(schema, types) {
  const { type, enum: values, items, anyOf } = schema;
  const name = nameOf(schema);
  if (anyOf !== undefined) return anyOf.map((one) => typeOf(one, types)).join('|');
  if (name !== undefined) return types.shared.has(name) ? linkTo(name) : 'object';
  if (values !== undefined) return values.map((value) => (value === null ? 'null' : `\`"${value}"\``)).join('|');
  if (items?.enum !== undefined) return `(${typeOf(items, types)})[]`;
  if (items !== undefined) return `${typeOf(items, types)}[]`;
  return [type ?? 'any'].flat().join('|');
}
