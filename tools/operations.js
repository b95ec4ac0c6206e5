// What the API document says of each operation: operations.yaml of the server and of the plugins.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** On every 429. */
const RETRY_AFTER = {
  'Retry-After': { type: 'integer', minimum: 1, description: 'After how many seconds to try again.' },
};

export class Operations {
  /** Its other keys are the API document's own: `info` and so on. */
  #common;
  #rows;
  #operations = new Map();
  #described = new Set();

  /** `rows` are all errors over HTTP, by name. */
  constructor(rows) {
    this.#rows = rows;
    this.#common = read('packages/server/operations.yaml');
    const files = readdirSync('plugins').map((plugin) => `plugins/${plugin}/operations.yaml`);
    const ofPlugins = files.filter((file) => existsSync(file)).map(read);
    for (const { operations } of [this.#common, ...ofPlugins]) {
      for (const [name, operation] of Object.entries(operations)) this.#operations.set(name, operation);
    }
  }

  /** The document without paths and shapes. */
  get frame() {
    const { openapi, info, components } = this.#common;
    return { openapi, info, components };
  }

  /** Examples of bodies, by the name of the shape. */
  get bodies() {
    const named = [...this.#operations.values()].filter(({ body }) => body !== undefined);
    return new Map(named.map(({ body: { shape, example } }) => [shape, example]));
  }

  /** The names of operations that no route has. */
  get left() {
    return [...this.#operations.keys()].filter((name) => !this.#described.has(name));
  }

  /** The schema of a route, for @fastify/swagger. `refusal` is the error of its limit, if it has one. */
  describe({ method, url, schema }, refusal) {
    const name = `${method} ${url.replace(/\(.*?\)/g, '')}`;
    const operation = this.#operations.get(name);
    if (operation === undefined) throw new Error(`no operations.yaml describes ${name}`);
    this.#described.add(name);
    const { operationId, summary, security, consumes, errors = [] } = operation;
    return {
      ...{ ...schema, operationId, summary },
      ...(security && { security: this.#common.security[security] }),
      ...(consumes && { consumes }),
      response: { ...answerOf(operation), ...this.#errorAnswers([errors, 'any'], refusal) },
    };
  }

  #errorAnswers(names, refusal) {
    const rows = [...new Set(this.#rowsOf(names))];
    // Two limits may have one text, as the interface fixes it.
    if (refusal !== undefined && !rows.some(({ text }) => text === refusal.text)) rows.push(refusal);
    const statuses = [...new Set(rows.map(({ status }) => status))].sort((a, b) => a - b);
    return Object.fromEntries(statuses.map((status) => [status, errorAnswer(status, rows)]));
  }

  /** Rows by their names, by those of groups, and lists of these. */
  #rowsOf(names) {
    if (Array.isArray(names)) return names.flatMap((name) => this.#rowsOf(name));
    const group = this.#common.errors[names];
    if (group !== undefined) return this.#rowsOf(group);
    if (this.#rows[names] === undefined) throw new Error(`operations.yaml names an unknown error: ${names}`);
    return [this.#rows[names]];
  }
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
    description: 'What the error is called. It stays the same when the sentence changes.',
  };
  return {
    description: ofStatus.map(({ text }) => text).join('\n'),
    content: { 'application/json': { schema: { $ref: 'ErrorResponse#' } } },
    headers: { 'Mayfly-Error': code, ...(status === 429 && RETRY_AFTER) },
  };
}
