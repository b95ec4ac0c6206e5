/**
 * `npm run rules -- [FOLDER]`: audits the rules of extraction on the corpus of packages/mail/test/corpus, its
 * classes, and a folder of more messages (as `npm run corpus -- --folder` reads it). Prints for each rule how many
 * messages carry it, how many come out otherwise without it, its points, and the points that a fit gives it. A rule
 * whose removal changes nothing, or whose fitted points are near zero, may be deleted.
 */
import { choose } from '../packages/mail/dist/extract/extraction.js';
import { actionCandidates, actionLink } from '../packages/mail/dist/extract/link/action-rules.js';
import { codesOf } from '../packages/mail/dist/extract/listing.js';
import { RULES } from '../packages/mail/dist/extract/rules.js';
import { contentOf } from '../packages/mail/dist/extract/text/passages.js';
import { parseMessage } from '../packages/mail/dist/mime/parse.js';
import { loadClasses, loadCorpus, loadCorpusFrom, loadPartsCorpus } from '../packages/mail/test/corpus/load.js';

const THRESHOLD = 40;
/** This many points make a candidate e times as likely. */
const POINTS_PER_UNIT = 10;
const STEPS = 300;
const STEP = 0.5;
/** Pulls the points of rules that decide nothing to zero. */
const DECAY = 0.02;

/** For each field the rules that decide it, and what they consider and choose. */
const FIELDS = {
  otp: {
    rules: [...RULES.code.exclusions, ...RULES.code.points],
    read: (content, rules) => readChoice(choose(content, rules), 'codes', 'code'),
  },
  magicLink: {
    rules: [...RULES.link.exclusions, ...RULES.link.points],
    read: (content, rules) => readChoice(choose(content, rules), 'links', 'link'),
  },
  codes: {
    rules: RULES.letters,
    read(content, rules) {
      const { letters, found } = codesOf(content, choose(content), rules);
      return { candidates: letters, chosen: found.map(({ value }) => value).join() };
    },
  },
  action: {
    rules: RULES.actions,
    read(content, rules) {
      const choice = choose(content);
      const known = { magicLink: choice.link?.value ?? null, code: codesOf(content, choice).found[0]?.value ?? null };
      const candidates = actionCandidates(content, known, rules.actions);
      return { candidates, chosen: actionLink(candidates)?.value };
    },
  },
};

function readChoice(choice, all, one) {
  return { candidates: choice[all], chosen: choice[one]?.value };
}

function rulesWithout(id) {
  const but = (rules) => rules.filter((rule) => rule[0] !== id);
  const both = ({ exclusions, points }) => ({ exclusions: but(exclusions), points: but(points) });
  const { code, link, letters, actions } = RULES;
  return { code: both(code), link: both(link), letters: but(letters), actions: but(actions) };
}

const [folder] = process.argv.slice(2);
const messages = [
  ...(await loadCorpus()),
  ...(await loadPartsCorpus()),
  ...(await loadClasses()).flatMap(({ field, cases }) =>
    cases.map(({ message, expected }) => ({ message, [field]: expected })),
  ),
  ...(folder === undefined ? [] : await loadCorpusFrom(folder)),
];
for (const field of Object.keys(FIELDS)) {
  printAudit(
    field,
    messages.filter((one) => one[field] !== undefined),
  );
}

function printAudit(field, labelled) {
  const { rules, read } = FIELDS[field];
  const counts = new Map(rules.map(([id]) => [id, { carried: 0, changed: 0 }]));
  const choices = labelled.map((one) => {
    const content = contentOf(parseMessage(one.message));
    const { candidates, chosen } = read(content, RULES);
    const considered = candidates.map((one) => ({ ...one, held: heldFor(one, rules) }));
    for (const id of new Set(considered.flatMap(({ held }) => held))) {
      const count = counts.get(id);
      count.carried++;
      if (read(content, rulesWithout(id)).chosen !== chosen) count.changed++;
    }
    const wanted = [one[field]].flat().flatMap((value) => value?.split(', ') ?? []);
    return optionsOf(considered, wanted);
  });
  const pointed = rules.filter(isPointed);
  const fitted = fittedPoints(
    choices,
    pointed.map(([id]) => id),
  );
  console.log(`\n${field}: ${labelled.length} messages\n${'rule'.padEnd(26)}carried changed points fitted`);
  for (const [id, points] of rules) {
    const { carried, changed } = counts.get(id);
    const cells = [carried, changed, ...(fitted.has(id) ? [points, Math.round(fitted.get(id))] : ['out', ''])];
    console.log(id.padEnd(26) + cells.map((cell) => String(cell).padStart(7)).join(''));
  }
}

/** Not an exclusion. */
function isPointed(rule) {
  return typeof rule[1] === 'number';
}

/** The rules that hold for a candidate, or the one that put it out. */
function heldFor({ excluded, facts }, rules) {
  if (excluded !== null) return rules.some(([id]) => id === excluded.rule) ? [excluded.rule] : [];
  return rules.filter((rule) => isPointed(rule) && rule[3](facts)).map(([id]) => id);
}

/** What may be chosen in a message: a candidate that is not excluded, or none. */
function optionsOf(considered, wanted) {
  const open = considered.filter(({ excluded }) => excluded === null);
  const isWanted = ({ value }) => wanted.includes(value);
  const none = { held: [], isWanted: !open.some(isWanted), base: THRESHOLD / POINTS_PER_UNIT };
  return [none, ...open.map((one) => ({ held: one.held, isWanted: isWanted(one), base: 0 }))];
}

/** Softmax over the options of each message, by gradient ascent with a step of its own for each rule. */
function fittedPoints(choices, ids) {
  const weights = new Map(ids.map((id) => [id, 0]));
  const squares = new Map(ids.map((id) => [id, Number.EPSILON]));
  for (let step = 0; step < STEPS; step++) {
    const gradients = new Map([...weights].map(([id, weight]) => [id, -DECAY * weight]));
    for (const options of choices) {
      const odds = options.map(({ held, base }) => Math.exp(held.reduce((sum, id) => sum + weights.get(id), base)));
      const all = odds.reduce((sum, odd) => sum + odd, 0);
      const right = odds.reduce((sum, odd, i) => (options[i].isWanted ? sum + odd : sum), 0);
      for (const [i, { held, isWanted }] of options.entries()) {
        const pull = (isWanted ? odds[i] / right : 0) - odds[i] / all;
        for (const id of held) gradients.set(id, gradients.get(id) + pull);
      }
    }
    for (const [id, gradient] of gradients) {
      squares.set(id, squares.get(id) + gradient ** 2);
      weights.set(id, weights.get(id) + (STEP * gradient) / Math.sqrt(squares.get(id)));
    }
  }
  return new Map([...weights].map(([id, weight]) => [id, weight * POINTS_PER_UNIT]));
}
