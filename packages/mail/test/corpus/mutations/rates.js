import { MUTATIONS } from './table.js';
import { wordsFor } from './words.js';

/**
 * Counts the correct results for each mutation. Randomness depends only on the seed, the mutation and the message, so a
 * mutation gives the same result whether or not others run. @param {readonly import('./rates.js').MutableCase[]} cases
 * @param {{ seed: number, mutations?: readonly import('./rates.js').Mutation[] }} how @param
 * {Pick<import('../class-rates.js').Reading, 'extract' | 'parseMessage'>} reading @returns
 * {import('./rates.js').MutationRate[]}
 */
export function mutationRates(cases, { seed, mutations = MUTATIONS }, { extract, parseMessage }) {
  const mails = cases
    .filter((one) => !isByElimination(one))
    .map(({ file, name, otp, magicLink, message }) => {
      const parts = parseMessage(message);
      const { subject, text, html } = parts;
      return { place: `${file}: ${name}`, parts, mail: { subject, text, html, otp, magicLink } };
    });
  return mutations.map(({ name, about, floor, mutate }) => {
    const judged = mails.flatMap(({ place, parts, mail }) => {
      const mutant = mutate(mail, chanceOf(`${seed} ${name} ${place}`), wordsFor(mail));
      if (mutant === null) return [];
      return [{ place, mutant, wrong: wrongFields(mutant, extract({ ...parts, ...mutant })) }];
    });
    const broken = judged.filter(({ wrong }) => wrong.length > 0);
    return { name, about, floor, held: judged.length - broken.length, broken };
  });
}

/** Matches the reason of a result that is right as the sole candidate. Not mutated: a mutation may add another. */
const BY_ELIMINATION = /\bonly (?:number|link)\b|nothing else|no other link|digits are (?:enough|not too many)/;
const UNNAMED = 'last-resort.mails';

function isByElimination({ file, because = '' }) {
  return file === UNNAMED || BY_ELIMINATION.test(because);
}

/** Whether a mutation applies to no message, or gives too few correct results. */
export function isBelowFloor({ floor, held, broken }) {
  return held + broken.length === 0 || 100 * held < floor * (held + broken.length);
}

function wrongFields(mutant, found) {
  return ['otp', 'magicLink']
    .filter((field) => mutant[field] !== undefined && mutant[field] !== found[field])
    .map((field) => ({ field, expected: mutant[field], found: found[field] }));
}

/** Seeds a generator with a text: FNV-1a computes the first state, mulberry32 the numbers. */
function chanceOf(text) {
  let state = 0x811c9dc5;
  for (const char of text) state = Math.imul(state ^ char.codePointAt(0), 0x01000193);
  const below = (end) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % end;
  };
  const made = (alphabet, length) => Array.from({ length }, () => alphabet[below(alphabet.length)]).join('');
  return {
    below,
    oneOf: (values) => values[below(values.length)],
    digits: (length) => `${1 + below(9)}${made('0123456789', length - 1)}`,
    letters: (length) => made('ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789', length),
  };
}
