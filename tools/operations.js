// Reads descriptions of operations (operations.yaml of server and plugins), and makes JSON schemas of wire types.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createGenerator } from 'ts-json-schema-generator';
import { parse } from 'yaml';

const RETRY_AFTER = {
  'Retry-After': { type: 'integer', minimum: 1, description: 'Seconds until the next request is accepted.' },
};

/** Reads the descriptions of all operations. `rows` are all HTTP errors, by name. */
export function readOperations(rows) {
  const common = read('packages/server/operations.yaml');
  const files = readdirSync('plugins').map((plugin) => `plugins/${plugin}/operations.yaml`);
  const all = [common, ...files.filter((file) => existsSync(file)).map(read)];
  const operations = new Map(all.flatMap((one) => Object.entries(one.operations)));
  const bodies = [...operations.values()].flatMap(({ body }) => body ?? []);
  const left = new Set(operations.keys());
  /** Returns the errors for the name of an error or of a group of errors, or for a list of such names. */
  const rowsOf = (names) => {
    if (Array.isArray(names)) return names.flatMap(rowsOf);
    if (common.errors[names] !== undefined) return rowsOf(common.errors[names]);
    if (rows[names] === undefined) throw new Error(`operations.yaml names an unknown error: ${names}`);
    return [rows[names]];
  };
  const { openapi, info, components, parameters } = common;
  return {
    /** The API document without paths and schemas. */
    frame: { openapi, info, components },
    /** Examples of response bodies, by the name of their wire type. */
    bodies: new Map(bodies.map(({ shape, example }) => [shape, example])),
    left,
    /** Returns the schema of a route, for @fastify/swagger. `refusal` is the error of the route's limit, if any. */
    describe({ method, url, schema }, refusal) {
      const name = `${method} ${url.replace(/\(.*?\)/g, '')}`;
      const operation = operations.get(name);
      if (operation === undefined) throw new Error(`operations.yaml lacks ${name}`);
      left.delete(name);
      const { operationId, summary, security, consumes, errors = [] } = operation;
      const meanings = { ...parameters, ...operation.parameters };
      const parts = Object.entries(schema ?? {}).map(([part, of]) => [part, described(of, meanings)]);
      return {
        ...{ ...Object.fromEntries(parts), operationId, summary },
        ...(security && { security: common.security[security] }),
        ...(consumes && { consumes }),
        response: { ...answerOf(operation), ...errorAnswers(rowsOf([errors, 'any']), refusal) },
      };
    },
  };
}

/** Adds descriptions to the fields of a part of the request, such as the query. */
function described(part, meanings) {
  const fields = Object.entries(part.properties ?? {});
  const described = fields.map(([name, schema]) => [name, { description: meanings[name], ...schema }]);
  return fields.length === 0 ? part : { ...part, properties: Object.fromEntries(described) };
}

function errorAnswers(listed, refusal) {
  // Two limits have the same text, as the interface prescribes. Compares texts, to list this text only once.
  const isListed = refusal === undefined || listed.some(({ text }) => text === refusal.text);
  const rows = [...new Set(isListed ? listed : [...listed, refusal])];
  const statuses = [...new Set(rows.map(({ status }) => status))].sort((a, b) => a - b);
  return Object.fromEntries(statuses.map((status) => [status, errorAnswer(status, rows)]));
}

function read(file) {
  return parse(readFileSync(file, 'utf8'), { merge: true });
}

function answerOf({ status = 200, answer, shape, type = 'application/json', format, example }) {
  if (status === 204) return { 204: { description: answer, type: 'null' } };
  const plain = type === 'application/json' ? { type: 'object' } : { type: 'string', ...(format && { format }) };
  const schema = shape === undefined ? plain : { $ref: `${shape}#` };
  return { [status]: { description: answer, content: { [type]: { schema, example } } } };
}

function errorAnswer(status, rows) {
  const ofStatus = rows.filter((row) => row.status === status);
  const code = {
    type: 'string',
    enum: [...new Set(ofStatus.map((row) => row.code))],
    description: 'Stable code of the error.',
  };
  return {
    description: ofStatus.map(({ text }) => text).join('\n'),
    content: { 'application/json': { schema: { $ref: 'ErrorResponse#' } } },
    headers: { 'Mayfly-Error': code, ...(status === 429 && RETRY_AFTER) },
  };
}

/**
 * Returns the schemas of all wire types by name, with references as in Fastify: `Email#`. Comments become descriptions,
 * and tags such as `@maxLength 300` become keywords. All numbers on the wire are integers.
 */
export function wireSchemas() {
  const { definitions } = createGenerator({
    path: 'packages/protocol/src/wire*.ts',
    tsconfig: 'packages/protocol/tsconfig.json',
    additionalProperties: true,
    skipTypeCheck: true,
  }).createSchema('*');
  const written = JSON.stringify(definitions).replaceAll('"number"', '"integer"');
  const whole = JSON.parse(written.replace(/"const":("[^"]*")/g, '"enum":[$1]'));
  const isShape = (name) => whole[name].properties !== undefined;
  const linked = JSON.stringify(whole, (_, value) => {
    const name = value?.$ref?.split('/').at(-1);
    if (name === undefined) return value;
    const { $ref, ...rest } = value;
    return isShape(name) ? { ...rest, $ref: `${name}#` } : { ...whole[name], ...rest };
  });
  const shapes = Object.entries(JSON.parse(linked)).filter(([name]) => isShape(name));
  return new Map(shapes.sort(([one], [other]) => (one < other ? -1 : 1)));
}
