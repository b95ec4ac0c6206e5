import { inboxName, MAX_NAME_LENGTH } from 'mayfly-protocol/inbox-name';
import { randomText, SECRET_LENGTH } from 'mayfly-protocol/made-name';
import { ADJECTIVES, ANIMALS } from 'mayfly-protocol/words';
import { MayflyOptionError } from './errors.js';
import { checkedDomain } from './settings.js';

/** What a prefix leaves room for: two words of six letters, the secret and the hyphens before each. */
const MAX_PREFIX_LENGTH = MAX_NAME_LENGTH - 2 * 7 - (SECRET_LENGTH + 1);

/** A name such as `swift-otter-k3v2x7m5q4tp`, whose form the service knows (`isMadeName`). Throws `MayflyOptionError`. */
export function newName(...prefixes: readonly (string | undefined)[]): string {
  const parts = prefixes.filter(Boolean);
  const prefix = parts.join('-');
  if (prefix.length > MAX_PREFIX_LENGTH) {
    throw new MayflyOptionError(`"${prefix}" is too long: a prefix may have ${MAX_PREFIX_LENGTH} characters at most.`);
  }
  parts.push(randomText(1, ADJECTIVES.split(' ')), randomText(1, ANIMALS.split(' ')), randomText(SECRET_LENGTH));
  return checkedName(parts.join('-'), prefix);
}

/** An inbox name as it is kept. Throws `MayflyOptionError`, which quotes `given`, when it breaks the rule. */
export function checkedName(text: string, given = text): string {
  const name = inboxName(text);
  if (name !== null) return name;
  throw new MayflyOptionError(
    `"${given}" is not an inbox name. Use 1 to ${MAX_NAME_LENGTH} of a-z 0-9 _ + - and single inner dots.`,
  );
}

/** The name and, of an address, the domain of an inbox. Throws `MayflyOptionError` for what is neither. */
export function namedInbox(text: string): [name: string, domain?: string] {
  const [name = '', domain] = text.split(/@(.*)/s);
  if (domain === undefined) return [checkedName(name)];
  return [checkedName(name), checkedDomain(domain, `"${text}" is not an address: `, 'one')];
}

export function checkedInbox(text: string): string {
  return namedInbox(text).join('@');
}

/** A name that requests each fault after `--`. Throws `MayflyOptionError` for an invalid result. */
export function simulating(name: string, faults: readonly string[] = []): string {
  return checkedName([name, ...faults.map((fault) => `${fault}`.replace(/\s/g, ''))].join('--'));
}
