/** A JSON schema, as far as this file looks into one. */
interface Schema {
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly [keyword: string]: unknown;
}

/** What a route says of itself, in the form of OpenAPI where that knows one. */
export interface OperationSchema {
  readonly operationId?: string;
  readonly summary?: string;
  readonly security?: readonly object[];
  /** Media types of the body. */
  readonly consumes?: readonly string[];
  readonly params?: unknown;
  readonly querystring?: unknown;
  readonly body?: unknown;
  readonly response?: unknown;
}

/** One route: `/api/inbox/:name`, `GET`, and what it says of itself. */
export interface DescribedRoute {
  readonly url: string;
  readonly method: string;
  readonly schema: OperationSchema;
}

const JSON_TYPES = ['application/json'];

/**
 * The OpenAPI 3.1 document of an interface, as JSON: the rest of the document, with the routes and the shared schemas put in.
 * A schema refers to a shared one as `{ $ref: 'NAME#' }`, the way that the framework reads it.
 */
export function apiDocument(
  { components, ...frame }: Readonly<Record<string, unknown>>,
  routes: readonly DescribedRoute[],
  schemas: Readonly<Record<string, unknown>>,
): string {
  const paths: Record<string, Record<string, object>> = {};
  for (const { url, method, schema } of routes) {
    const path = url.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(schema) };
  }
  const named = Object.entries(schemas).map(([name, schema]) => [name, { ...(schema as object), $id: undefined }]);
  const document = { ...frame, components: { ...(components as object), schemas: Object.fromEntries(named) }, paths };
  return JSON.stringify(document, (key, value) =>
    key === '$ref' ? `#/components/schemas/${String(value).replace(/#$/, '')}` : value,
  );
}

function operationOf({
  operationId,
  summary,
  security,
  consumes,
  params,
  querystring,
  body,
  response,
}: OperationSchema) {
  const parameters = [...parametersOf('query', querystring), ...parametersOf('path', params)];
  return {
    operationId,
    summary,
    requestBody: body === undefined ? undefined : requestBodyOf(body, consumes ?? JSON_TYPES),
    parameters: parameters.length === 0 ? undefined : parameters,
    security,
    responses: Object.fromEntries(Object.entries((response ?? {}) as Record<string, object>).map(withoutBodyType)),
  };
}

function parametersOf(place: 'query' | 'path', schema: unknown): object[] {
  const { properties = {}, required = [] } = (schema ?? {}) as Schema;
  return Object.entries(properties).map(([name, { description, examples, ...rules }]) => ({
    schema: rules,
    examples: examples && Object.fromEntries(examples.map((value) => [value, { value }])),
    in: place,
    name,
    required: required.includes(name),
    description,
  }));
}

function requestBodyOf(schema: unknown, types: readonly string[]): object {
  const { examples, ...rules } = schema as Schema;
  const media = { schema: rules, example: examples?.[0] };
  return { required: true, content: Object.fromEntries(types.map((type) => [type, media])) };
}

/** The framework is told by `type` that an answer has no body; OpenAPI, by saying nothing. */
function withoutBodyType([status, answer]: [string, object]): [string, object] {
  return [status, { ...answer, type: undefined }];
}
