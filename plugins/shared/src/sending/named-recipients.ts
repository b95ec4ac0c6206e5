import { isObject, jsonIn } from './fields.js';
import { readForm } from './form.js';
import { mailboxesIn } from './mailboxes.js';
import { type Problem, ProblemError } from './problem.js';

/** Maximum number of named recipients of a request, the same as in a delivery attempt. */
const MAX_NAMED = 100;

/** Names of recipient fields in all providers. */
const FIELD = /^(?:to|cc|bcc|toaddresses|ccaddresses|bccaddresses|destinations)$/i;
const NUMBERING = /(?:\.member\.\d+|\[\d*\])$/;

/** Returns the result of `read`. If `read` throws a problem, returns the problem, with the known recipients added. */
export function orProblem<T>(read: () => T, recipients: () => readonly string[]): T | Problem {
  try {
    return read();
  } catch (error) {
    if (error instanceof ProblemError) return { recipients: recipients(), ...error.problem };
    throw error;
  }
}

export function* eachAlone<T>(mails: readonly unknown[], read: (fields: unknown) => T): Generator<T | Problem> {
  for (const fields of mails) {
    yield orProblem(
      () => read(fields),
      () => recipientsIn(fields),
    );
  }
}

/** Finds the recipients of a request that is rejected as a whole; none if even the request's format is unclear. */
export async function recipientsOfRequest(body: Buffer, contentType: string): Promise<readonly string[]> {
  try {
    const isForm = !/[/+]json\b/i.test(contentType);
    return isForm ? recipientsInForm((await readForm(body, contentType)).fields) : recipientsIn(jsonIn(body));
  } catch {
    return [];
  }
}

export function recipientsInForm(fields: Iterable<readonly [name: string, value: string]>): readonly string[] {
  return recipientsIn([...fields].map(inForm));
}

/** Returns the field under the last part of its name: `ToAddresses` for `Destination.ToAddresses.member.1`. */
function inForm([name, value]: readonly [string, string]): Readonly<Record<string, string>> {
  return { [name.replace(NUMBERING, '').split('.').at(-1) ?? '']: value };
}

/** Finds all recipients in the fields of a message, at any depth, for the delivery logs of their inboxes. */
export function recipientsIn(fields: unknown): readonly string[] {
  const found: string[] = [];
  const left: unknown[] = [fields];
  while (left.length > 0 && found.length < MAX_NAMED) {
    const value = left.pop();
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, inner] of Object.entries(value)) {
      if (!Array.isArray(value) && FIELD.test(name)) found.push(...addressesIn(inner));
      else if (typeof inner === 'object') left.push(inner);
    }
  }
  return found.slice(0, MAX_NAMED);
}

function addressesIn(value: unknown): readonly string[] {
  const list: unknown[] = Array.isArray(value) ? value.slice(0, MAX_NAMED) : [value];
  return list.flatMap((one) => {
    const text = isObject(one) ? (one.email ?? one.Email) : one;
    return typeof text === 'string' ? (mailboxesIn(text) ?? []).map(({ address }) => address) : [];
  });
}
