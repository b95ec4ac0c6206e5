/** A JSON schema of what a request may carry. */
export type CheckedSchema = Readonly<Record<string, unknown>>;

/** What is wrong with a value: where in it, as a JSON pointer. */
export interface Fault {
  readonly instancePath: string;
}

/** A value as the route gets it, with what its schema does not know left out, or what is wrong with it. */
export type Checked = { readonly value: unknown } | { readonly error: readonly Fault[] };

type Check = (value: unknown) => Checked;

/** Whether a value keeps a rule. */
type Rule = (value: unknown) => boolean;

/** What a schema says to people alone. */
const ANNOTATIONS = new Set(['$id', 'description', 'examples']);

/** What each keyword asks of one value. A keyword says nothing of values of another type than its own. */
const KEYWORDS: Readonly<Record<string, (wanted: never) => Rule>> = {
  type: (wanted: string) => TYPES[wanted] ?? unknownWord('type', wanted),
  enum: (wanted: readonly unknown[]) => (value) => wanted.includes(value),
  minLength: (wanted: number) => text((value) => lengthOf(value, wanted) >= wanted),
  maxLength: (wanted: number) => text((value) => value.length <= wanted || lengthOf(value, wanted) <= wanted),
  pattern: (wanted: string) => {
    const pattern = new RegExp(wanted, 'u');
    return text((value) => pattern.test(value));
  },
  format: (wanted: string) => text(FORMATS[wanted] ?? unknownWord('format', wanted)),
};

const TYPES: Readonly<Record<string, Rule>> = {
  string: (value) => typeof value === 'string',
  object: isObject,
};

const FORMATS: Readonly<Record<string, (value: string) => boolean>> = {
  'date-time': isUtcTime,
  email: isEmail,
};

/**
 * Makes the check of one part of a request from its schema: a text with its rules, or an object of such. These are all that the
 * schemas of requests use; whatever else one holds ends the start, for a rule that nobody keeps must not look as if it held.
 * A compiler of any schema is a package of its own, which takes longer to load and run than the rest of a start.
 */
export function checkOf(schema: CheckedSchema, shared: Readonly<Record<string, unknown>>): Check {
  if (typeof schema.$ref !== 'string') return objectCheck(schema);
  const named = shared[schema.$ref.replace(/#$/, '')];
  return named === undefined ? unknownWord('$ref', schema.$ref) : objectCheck(named as CheckedSchema);
}

function objectCheck({ type, properties = {}, required = [], additionalProperties, ...others }: CheckedSchema): Check {
  const unknown = Object.keys(others).find((keyword) => !ANNOTATIONS.has(keyword));
  if (type !== 'object' || unknown !== undefined) return unknownWord('keyword', unknown ?? 'type');
  const names = new Set(required as readonly string[]);
  const fields = Object.entries(properties as Record<string, CheckedSchema>).map((field) => fieldOf(field, names));
  return (value) => {
    if (!isObject(value)) return { error: [{ instancePath: '' }] };
    const checked: Record<string, unknown> = additionalProperties === false ? {} : { ...value };
    for (const { name, isRequired, standard, rules } of fields) {
      const given = Object.hasOwn(value, name) ? value[name] : standard;
      if (given === undefined ? isRequired : rules.some((rule) => !rule(given))) {
        return { error: [{ instancePath: `/${name}` }] };
      }
      if (given !== undefined) checked[name] = given;
    }
    return { value: checked };
  };
}

function fieldOf([name, { default: standard, ...schema }]: [string, CheckedSchema], required: ReadonlySet<string>) {
  const rules = Object.entries(schema)
    .filter(([keyword]) => !ANNOTATIONS.has(keyword))
    .map(([keyword, wanted]) => (KEYWORDS[keyword] ?? unknownWord('keyword', keyword))(wanted as never));
  return { name, isRequired: required.has(name), standard, rules };
}

function unknownWord(what: string, word: unknown): never {
  throw new Error(`The ${what} "${String(word)}" of a schema is none that requests are checked for.`);
}

function text(rule: (value: string) => boolean): Rule {
  return (value) => typeof value !== 'string' || rule(value);
}

/** How many characters a text has, where two halves of a surrogate pair are one. Past `most` they are not counted. */
function lengthOf(value: string, most: number): number {
  let length = 0;
  for (const _ of value) {
    length += 1;
    if (length > most) break;
  }
  return length;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** RFC 3339 section 5.6, in UTC. */
const UTC_TIME = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/;

function isUtcTime(value: string): boolean {
  const [, day, time] = UTC_TIME.exec(value) ?? [];
  // A day that its month does not have would become one of the next.
  const date = new Date(`${day}T${time}Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(`${day}T${time}`);
}

/** A dot-atom of RFC 5322 section 3.2.3, piece by piece. */
const ATOM = /^[\w!#$%&'*+/=?^`{|}~-]+$/;

/** RFC 1035 section 2.3.1 and RFC 1123 section 2.1. */
const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/i;

/** An address at a domain of at least two labels. */
function isEmail(value: string): boolean {
  const at = value.lastIndexOf('@');
  const labels = value.slice(at + 1).split('.');
  const atoms = value.slice(0, at).split('.');
  return (
    at > 0 && labels.length > 1 && labels.every((label) => LABEL.test(label)) && atoms.every((atom) => ATOM.test(atom))
  );
}
