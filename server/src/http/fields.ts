import { type HttpError, httpErrors } from '../errors.js';
import { RequestError } from './request-error.js';

/** One parameter of a path or a query: its schema, and the error that says what is wrong with it. */
export interface Field {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly error: HttpError;
  /** The rule that it broke, where the error's text asks for one. */
  readonly rule?: string;
}

export type Fields = Readonly<Record<string, Field>>;

/** What a route reads of a request. */
export interface Input {
  /** Parameters of the path. */
  readonly path?: Fields;
  /** Parameters of the query. Any others are ignored. */
  readonly query?: Fields;
  readonly body?: { readonly schema: object; readonly error: HttpError };
}

/** The part of a route's options that checks a request against what the route reads, and tells which field is wrong. */
export interface InputOptions {
  readonly schema: { readonly params?: object; readonly querystring?: object; readonly body?: object };
  schemaErrorFormatter(errors: readonly { readonly instancePath: string }[], part: string): RequestError;
}

export function reading({ path, query, body }: Input): InputOptions {
  const parts: Readonly<Record<string, Fields | undefined>> = { params: path, querystring: query };
  return {
    schema: {
      ...(path && { params: { ...objectOf(path), required: Object.keys(path) } }),
      ...(query && { querystring: { ...objectOf(query), additionalProperties: false } }),
      ...(body && { body: body.schema }),
    },
    schemaErrorFormatter([first], part) {
      if (part === 'body') return new RequestError(body?.error ?? httpErrors.badRequest);
      // A JSON pointer such as `/hasOtp`.
      const name = first?.instancePath.split('/')[1] ?? '';
      const { error, rule = '' } = parts[part]?.[name] ?? { error: httpErrors.badRequest };
      return new RequestError(error, { name, rule });
    },
  };
}

function objectOf(fields: Fields): object {
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema])),
  };
}
