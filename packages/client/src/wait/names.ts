import { inboxName, MAX_NAME_LENGTH } from 'mayfly-protocol/inbox-name';
import { randomText, SECRET_LENGTH } from 'mayfly-protocol/made-name';
import { ADJECTIVES, ANIMALS } from 'mayfly-protocol/words';
import { MayflyOptionError } from './errors.js';
import { checkedDomain } from './settings.js';

/** Leaves room in a name for two words of up to six letters and the secret, each after a hyphen. */
const MAX_PREFIX_LENGTH = MAX_NAME_LENGTH - 2 * 7 - (SECRET_LENGTH + 1);

/** Generates a name such as `swift-otter-k3v2x7m5q4tp` (`isMadeName`). Throws `MayflyOptionError` for a bad prefix. */
export function newName(...prefixes: readonly (string | undefined)[]): string {
  const parts = prefixes.filter(Boolean);
  const prefix = parts.join('-');
  if (prefix.length > MAX_PREFIX_LENGTH) {
    throw new MayflyOptionError(`"${prefix}" is too long: a prefix has at most ${MAX_PREFIX_LENGTH} characters.`);
  }
  parts.push(randomText(1, ADJECTIVES.split(' ')), randomText(1, ANIMALS.split(' ')), randomText(SECRET_LENGTH));
  return checkedName(parts.join('-'), prefix);
}

/** Normalizes an inbox name. Throws `MayflyOptionError`, which quotes `given`, for an invalid name. */
export function checkedName(text: string, given = text): string {
  const name = inboxName(text);
  if (name !== null) return name;
  throw new MayflyOptionError(
    `"${given}" is not an inbox name. Use 1 to ${MAX_NAME_LENGTH} of a-z 0-9 _ + - and single inner dots.`,
  );
}

/** Splits an address into name and domain; a name alone has no domain. Throws `MayflyOptionError` for other texts. */
export function namedInbox(text: string): [name: string, domain?: string] {
  const [name = '', domain] = text.split(/@(.*)/s);
  if (domain === undefined) return [checkedName(name)];
  return [checkedName(name), checkedDomain(domain, `"${text}" is not an address: `, 'Use')];
}

export function checkedInbox(text: string): string {
  return namedInbox(text).join('@');
}

/** Appends each fault to the name after `--`. Throws `MayflyOptionError` if the result is invalid. */
export function simulating(name: string, faults: readonly string[] = []): string {
  return checkedName([name, ...faults.map((fault) => `${fault}`.replace(/\s/g, ''))].join('--'));
}
