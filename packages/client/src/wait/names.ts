import { inboxName, MAX_NAME_LENGTH } from 'mayfly-protocol/inbox-name';
import { BASE32, SECRET_LENGTH } from 'mayfly-protocol/made-name';
import { ADJECTIVES, ANIMALS } from 'mayfly-protocol/words';
import { MAX_PREFIX_LENGTH } from './bounds.js';
import { MayflyOptionError } from './errors.js';
import { checkedDomain } from './settings.js';

/**
 * A new name, such as `swift-otter-k3v2x7m5q4tp`, behind the prefixes that are given. The
 * service knows this form (see `isMadeName`): it must stay as random as it is. Throws `MayflyOptionError` when these
 * are too long or make no valid name.
 */
export function newName(...prefixes: readonly (string | undefined)[]): string {
  const parts = prefixes.filter(Boolean);
  const prefix = parts.join('-');
  if (prefix.length > MAX_PREFIX_LENGTH) {
    throw new MayflyOptionError(`"${prefix}" is too long: a prefix may have ${MAX_PREFIX_LENGTH} characters at most.`);
  }
  const [adjective = 0, animal = 0, ...secret] = crypto.getRandomValues(new Uint8Array(2 + SECRET_LENGTH));
  parts.push(pick(ADJECTIVES.split(' '), adjective), pick(ANIMALS.split(' '), animal));
  parts.push(secret.map((byte) => pick(BASE32, byte)).join(''));
  return checkedName(parts.join('-'), prefix);
}

/**
 * An inbox name in the form in which it is kept. Throws `MayflyOptionError`, which quotes `given`, when it breaks the
 * rule.
 */
export function checkedName(text: string, given = text): string {
  const name = inboxName(text);
  if (name !== null) return name;
  throw new MayflyOptionError(
    `"${given}" is not an inbox name. Use 1 to ${MAX_NAME_LENGTH} characters of a-z 0-9 _ + - and single dots between them.`,
  );
}

/** What names an inbox to the service, by its name or its address. Throws `MayflyOptionError` for anything else. */
export function checkedInbox(text: string): string {
  const [name = '', domain] = text.split(/@(.*)/s);
  return domain === undefined ? checkedName(name) : `${checkedName(name)}@${checkedDomain(domain)}`;
}

/**
 * A name that asks for failures: each becomes a step behind `--`, without its spaces. The service knows which steps
 * there are (`packages/protocol/src/rehearsal-script.ts`). Throws `MayflyOptionError` when the result is not a valid
 * name.
 */
export function rehearsing(name: string, steps: readonly string[] = []): string {
  return checkedName([name, ...steps.map((step) => `${step}`.replace(/\s/g, ''))].join('--'));
}

/** One of 16 or 32 things. The lowest bits of a random byte choose each of them equally often. */
function pick(choices: ArrayLike<string>, byte: number): string {
  return choices[byte % choices.length] as string;
}
