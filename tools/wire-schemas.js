// Makes JSON schemas from the wire types of packages/protocol, for the API document and the checks of bodies. A comment
// becomes the description; its tags, such as `@maxLength 300`, become keywords. Every number on the wire is whole.
import { readdirSync, readFileSync } from 'node:fs';
import { parseSync } from 'vite';

const FOLDER = 'packages/protocol/src';

const KEYWORDS = {
  TSStringKeyword: { type: 'string' },
  TSNumberKeyword: { type: 'integer' },
  TSBooleanKeyword: { type: 'boolean' },
  TSNullKeyword: { type: 'null' },
  TSUnknownKeyword: {},
};

/** The schemas of all interfaces, by name. They refer to each other as Fastify expects it: `Email#`. */
export function wireSchemas() {
  const types = readTypes();
  const interfaces = [...types].filter(([, { node }]) => node.type === 'TSInterfaceDeclaration');
  return new Map(interfaces.map(([name, type]) => [name, objectOf(type, types)]));
}

/** The types, by name, each with its comment. */
function readTypes() {
  const types = new Map();
  for (const name of readdirSync(FOLDER).filter((file) => file.startsWith('wire'))) {
    const source = readFileSync(`${FOLDER}/${name}`, 'utf8');
    const { program, comments, errors } = parseSync(name, source);
    if (errors.length > 0) throw new Error(`${name}: ${errors[0].message}`);
    const commentOf = ({ start }) => {
      const last = comments.findLast(({ end }) => end <= start);
      return last !== undefined && source.slice(last.end, start).trim() === '' ? keywordsOf(last.value) : {};
    };
    for (const statement of program.body) {
      const node = statement.declaration ?? statement;
      if (node.id) types.set(node.id.name, { node, comment: commentOf(statement), commentOf });
    }
  }
  return types;
}

/** `* Why it failed. @maxLength 300` as `{ description: 'Why it failed.', maxLength: 300 }`. */
function keywordsOf(comment) {
  const words = comment.replace(/(?:^|\n\s*)\*/g, ' ').replace(/\s+/g, ' ');
  const [text, ...tags] = words.split(/(?<= )@(?=[a-zA-Z]+ )/);
  const keywords = tags.map((tag) => [tag.split(' ', 1)[0], tag.slice(tag.indexOf(' ')).trim()]);
  return {
    ...(text.trim() && { description: text.trim() }),
    ...Object.fromEntries(keywords.map(([name, value]) => [name, /^\d+$/.test(value) ? Number(value) : value])),
  };
}

function objectOf(type, types) {
  const fields = fieldsOf(type, types);
  return {
    type: 'object',
    ...type.comment,
    properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
    required: fields.filter(({ optional }) => !optional).map(({ name }) => name),
  };
}

function fieldsOf({ node, commentOf }, types) {
  const inherited = node.extends.flatMap(({ expression, typeArguments }) => {
    const [of, names] = typeArguments?.params ?? [];
    const fields = fieldsOf(types.get(of?.typeName.name ?? expression.name), types);
    if (of === undefined) return fields;
    const chosen = schemaOf(names, types).enum;
    return fields.filter(({ name }) => chosen.includes(name) === (expression.name === 'Pick'));
  });
  const own = node.body.body.map((field) => ({
    name: field.key.name,
    optional: field.optional,
    schema: { ...schemaOf(field.typeAnnotation.typeAnnotation, types), ...commentOf(field) },
  }));
  return [...inherited, ...own];
}

function schemaOf(node, types) {
  if (node.type === 'TSUnionType') return unionOf(node.types.map((one) => schemaOf(one, types)));
  if (node.type === 'TSLiteralType') return { type: 'string', enum: [node.literal.value] };
  if (node.type === 'TSArrayType') return { type: 'array', items: schemaOf(node.elementType, types) };
  if (node.type === 'TSTypeOperator') return schemaOf(node.typeAnnotation, types);
  if (node.type === 'TSTypeReference') return referenceOf(node, types);
  if (KEYWORDS[node.type] === undefined) throw new Error(`a wire type has an unexpected ${node.type}`);
  return KEYWORDS[node.type];
}

/** A list of types and values where JSON schema has one, so that a nullable text reads as such. */
function unionOf(schemas) {
  if (schemas.some(({ $ref, items, properties }) => $ref ?? items ?? properties)) return { anyOf: schemas };
  const types = [...new Set(schemas.flatMap(({ type }) => type))];
  const hasValues = schemas.some((schema) => schema.enum !== undefined);
  const values = schemas.flatMap((schema) => schema.enum ?? [null]);
  return { type: types.length === 1 ? types[0] : types, ...(hasValues && { enum: values }) };
}

function referenceOf({ typeName: { name }, typeArguments }, types) {
  const [key, value] = (typeArguments?.params ?? []).map((one) => schemaOf(one, types));
  if (name === 'Readonly') return key;
  if (name === 'Record' && key.enum === undefined) return { type: 'object', additionalProperties: value };
  if (name === 'Record') {
    const properties = Object.fromEntries(key.enum.map((one) => [one, value]));
    return { type: 'object', properties, required: key.enum };
  }
  const { node, comment } = types.get(name);
  if (node.type === 'TSInterfaceDeclaration') return { $ref: `${name}#` };
  return { ...schemaOf(node.typeAnnotation, types), ...comment };
}
