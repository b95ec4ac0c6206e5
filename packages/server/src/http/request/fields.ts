import { spellingOf } from 'mayfly-protocol/misspelled';
import { type HttpError, httpErrors } from '../../errors.js';
import { RequestError } from '../answer/request-error.js';

export interface Field {
  readonly schema: Readonly<Record<string, unknown>>;
  /** If absent, a wrong value gets the error for queries. */
  readonly error?: HttpError;
  readonly rule?: string;
}

export type Fields = Readonly<Record<string, Field>>;

export interface Input {
  readonly path?: Fields;
  /** Other parameters are ignored, unless they look like a misspelling of a parameter with a rule. */
  readonly query?: Fields;
  /** Why parameters that select emails in other requests are refused here. If ignored, they would seem to work. */
  readonly elsewhere?: string;
  readonly body?: { readonly schema: object; readonly error: HttpError };
}

/** Parameters that select emails in some request (D9). */
const SELECTING = ['after', 'from', 'subject', 'body', 'hasOtp', 'hasMagicLink', 'before', 'limit', 'search'];

/** Makes route options that check the inputs of a request. An error names the invalid field. */
export function reading({ path, query, elsewhere, body }: Input) {
  const parts: Readonly<Record<string, Fields | undefined>> = { params: path, querystring: query };
  const schema = {
    ...(path && { params: { ...objectOf(path), required: Object.keys(path) } }),
    ...(query && { querystring: { ...objectOf(query), additionalProperties: false } }),
    ...(body && { body: body.schema }),
  };
  const checks = {
    ...((query ?? elsewhere) && { preValidation: checkNames(query ?? {}, elsewhere) }),
    schemaErrorFormatter([first]: readonly { readonly instancePath: string }[], part: string) {
      if (part === 'body') return new RequestError(body?.error ?? httpErrors.badRequest);
      const name = first?.instancePath.split('/')[1] ?? '';
      const { error = httpErrors.badQuery, rule = '' } = parts[part]?.[name] ?? { error: httpErrors.badRequest };
      return new RequestError(error, { name, rule });
    },
  };
  return { options: <Limit extends string>(limit: Limit) => ({ ...checks, config: { limit }, schema }) };
}

/** Refuses misspelt parameters, because ignoring `?hasotp=true` would return the wrong email (D11). */
function checkNames(query: Fields, elsewhere?: string) {
  const harmful = SELECTING.filter((name) => elsewhere !== undefined && !Object.hasOwn(query, name));
  const harmfulMeantBy = spellingOf(harmful);
  const ruledMeantBy = spellingOf(Object.keys(query).filter((name) => query[name]?.rule !== undefined));
  return async ({ query: given }: { readonly query: unknown }): Promise<void> => {
    for (const name of Object.keys(given as object)) {
      if (Object.hasOwn(query, name)) continue;
      if (harmfulMeantBy(name) !== null) throw new RequestError(httpErrors.badQuery, { name, rule: elsewhere ?? '' });
      const meant = ruledMeantBy(name);
      if (meant !== null) throw new RequestError(httpErrors.misspelledQuery, { name, meant });
    }
  };
}

function objectOf(fields: Fields): object {
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema])),
  };
}

/** Reads a query or form in linear time, because it may have thousands of names. Repeated parameters become lists. */
export function readQuery(text: string): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null);
  if (text === '') return query;
  for (const [name, value] of new URLSearchParams(text)) {
    const known = query[name];
    if (known === undefined) query[name] = value;
    else if (typeof known === 'string') query[name] = [known, value];
    else known.push(value);
  }
  return query;
}
