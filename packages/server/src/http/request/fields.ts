import { spellingOf } from 'mayfly-protocol/misspelled';
import { type HttpError, httpErrors } from '../../errors.js';
import { RequestError } from '../answer/request-error.js';

export interface Field {
  readonly schema: Readonly<Record<string, unknown>>;
  /** Absent: the error of a query. */
  readonly error?: HttpError;
  readonly rule?: string;
}

export type Fields = Readonly<Record<string, Field>>;

export interface Input {
  readonly path?: Fields;
  /** Other parameters are ignored, unless they look like a misspelling of one with a rule. */
  readonly query?: Fields;
  /** Parameters that would be harmful to ignore, and why. */
  readonly refused?: { readonly names: readonly string[]; readonly rule: string };
  readonly body?: { readonly schema: object; readonly error: HttpError };
}

/** Refuses harmful and misspelt parameters: ignoring `?hasotp=true` would return the wrong email. */
type CheckNames = (request: { readonly query: unknown }, reply: unknown, done: (error?: Error) => void) => void;

interface CheckingOptions<Limit> {
  readonly config: { readonly limit: Limit };
  readonly schema: { readonly params?: object; readonly querystring?: object; readonly body?: object };
  readonly preValidation?: CheckNames;
  schemaErrorFormatter(errors: readonly { readonly instancePath: string }[], part: string): RequestError;
}

export interface RouteInput {
  /** The options of a route that checks this input and names the wrong field. */
  options<Limit extends string>(limit: Limit): CheckingOptions<Limit>;
}

export function reading({ path, query, refused, body }: Input): RouteInput {
  const parts: Readonly<Record<string, Fields | undefined>> = { params: path, querystring: query };
  const schema = {
    ...(path && { params: { ...objectOf(path), required: Object.keys(path) } }),
    ...(query && { querystring: { ...objectOf(query), additionalProperties: false } }),
    ...(body && { body: body.schema }),
  };
  const checks = {
    ...((query ?? refused) && { preValidation: checkNames(query ?? {}, refused) }),
    schemaErrorFormatter([first], part) {
      if (part === 'body') return new RequestError(body?.error ?? httpErrors.badRequest);
      const name = first?.instancePath.split('/')[1] ?? '';
      const { error = httpErrors.badQuery, rule = '' } = parts[part]?.[name] ?? { error: httpErrors.badRequest };
      return new RequestError(error, { name, rule });
    },
  } satisfies Omit<CheckingOptions<string>, 'config' | 'schema'>;
  return {
    options: (limit) => ({ ...checks, config: { limit }, schema }),
  };
}

/** Parameters without a rule accept anything, so a misspelling changes nothing (D11). */
function checkNames(query: Fields, refused?: Input['refused']): CheckNames {
  const { names: harmful, rule } = refused ?? { names: [], rule: '' };
  const harmfulMeantBy = spellingOf(harmful);
  const ruledMeantBy = spellingOf(Object.keys(query).filter((name) => query[name]?.rule !== undefined));
  return (request, _reply, done) => {
    for (const name of Object.keys(request.query as object)) {
      if (Object.hasOwn(query, name)) continue;
      if (harmfulMeantBy(name) !== null) return done(new RequestError(httpErrors.badQuery, { name, rule }));
      const meant = ruledMeantBy(name);
      if (meant !== null) return done(new RequestError(httpErrors.misspelledQuery, { name, meant }));
    }
    done();
  };
}

function objectOf(fields: Fields): object {
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema])),
  };
}

/** Reads a query or form; repeated parameters become lists. Linear: a query may have thousands of names, uncounted. */
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
