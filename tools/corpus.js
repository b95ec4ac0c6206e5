import { readContents } from '../packages/mail/dist/contents.js';
import { extract } from '../packages/mail/dist/extract/extraction.js';
import { parseMessage } from '../packages/mail/dist/mime/parse.js';
import { classRates } from '../packages/mail/test/corpus/class-rates.js';
import * as corpus from '../packages/mail/test/corpus/load.js';
import { isBelowFloor, mutationRates } from '../packages/mail/test/corpus/mutations/rates.js';
import { MUTATIONS } from '../packages/mail/test/corpus/mutations/table.js';
import { optionsOf, refuse } from './options.js';

const HELP = `Usage: npm run corpus -- [--folder DIR] [--mutate [NAME ...]] [--seed N] [--all] [--help]

Measures extraction on the messages in packages/mail/test/corpus: how often code and link are right, and each failure. Then
the same for codes with letters and action links, and for each class of messages.

  --folder DIR   Only this corpus: \`*.mails\` files, or *.eml files with a labels.json such as
                 {"NAME": {"otp": "482913", "magicLink": null}} for NAME.eml.
  --mutate       Applies the small changes below, or those named, and prints how many messages stay right under each.
  --seed N       Seed of the changes (default 1).
  --all          Prints all messages that break, with their changed text.
  --help         This text.

Changes:
${MUTATIONS.map(({ name, about, floor }) => `  ${name.padEnd(18)} ${String(floor).padStart(3)} %  ${about}`).join('\n')}

Exit code 1 if a message is wrong, or if a change leaves fewer messages right than its percentage above; 2 for an
invalid option.`;

/** How many failing messages of a kind to name, and how much of each message to print. */
const NAMED = 3;
const MAX_SHOWN_CHARS = 600;

process.exitCode = await main(readOptions()).then(
  (isRight) => (isRight ? 0 : 1),
  (error) => refuse(`corpus: ${error.message}`),
);

function readOptions() {
  const [boolean, string] = [{ type: 'boolean' }, { type: 'string' }];
  const options = { folder: string, mutate: boolean, seed: { ...string, default: '1' }, all: boolean };
  const { positionals, ...values } = optionsOf(HELP, options, true);
  const unknown = positionals.find((name) => !values.mutate || !MUTATIONS.some((one) => one.name === name));
  if (unknown !== undefined) refuse(`"${unknown}" is not a known change, or --mutate is missing`);
  if (!/^\d{1,9}$/.test(values.seed)) refuse(`--seed must be a whole number, not "${values.seed}"`);
  const mutations = MUTATIONS.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  return { ...values, seed: Number(values.seed), mutations };
}

async function main(options) {
  const cases = await (options.folder === undefined ? corpus.loadCorpus() : corpus.loadCorpusFrom(options.folder));
  if (options.mutate) return judgeMutations(cases, options);
  const isRight = judge(cases, ['otp', 'magicLink'], (message) => extract(parseMessage(message)));
  if (options.folder !== undefined) return isRight;
  console.log();
  const arePartsRight = judge(await corpus.loadPartsCorpus(), ['codes', 'action'], (message) => {
    const { codes, links } = readContents(message);
    return { codes: codes.map(({ value }) => value), action: links.find(({ action }) => action)?.url ?? null };
  });
  await printClasses();
  return isRight && arePartsRight;
}

function judgeMutations(cases, { seed, mutations, all }) {
  const rates = mutationRates(cases, { seed, mutations }, { extract, parseMessage });
  for (const rate of rates) {
    const { name, floor, held, broken } = rate;
    const failed = isBelowFloor(rate) ? `  below the required ${floor} %` : '';
    const of = held + broken.length;
    console.log(`${name.padEnd(18)} ${percent(held, of).padStart(7)}  held ${held} of ${of}${failed}`);
    for (const { place, wrong, mutant } of all ? broken : broken.slice(0, NAMED)) {
      const what = wrong.map(({ field, expected, found }) => `${field}: expected ${expected}, found ${found}`);
      console.log(`  ${place}: ${what.join('; ')}`);
      if (all)
        console.log(`    ${JSON.stringify([mutant.subject, mutant.text, mutant.html]).slice(0, MAX_SHOWN_CHARS)}`);
    }
  }
  return !rates.some(isBelowFloor);
}

async function printClasses() {
  const reading = { extract, parseMessage, readContents };
  // Prints only rates for messages that were set aside, so that no rule is fitted to messages that test the rules.
  const setAside = classRates(await corpus.loadSetAsideClasses(), reading);
  console.log(`\n${'class'.padEnd(30)}         set aside`);
  for (const [i, { name, right, wrong }] of classRates(await corpus.loadClasses(), reading).entries()) {
    const other = setAside[i];
    const rate = ({ right, wrong }) => percent(right, right + wrong.length).padStart(7);
    console.log(`${name.padEnd(30)} ${rate({ right, wrong })} ${rate(other)}`);
    for (const { place, subject, expected, found } of wrong)
      console.log(`  ${place} (${subject}): expected ${expected}, found ${found}`);
  }
}

/** Prints accuracy, precision, recall and failures. Returns whether nothing failed. */
function judge(cases, fields, find) {
  const isRight = (field, { expected, found }) => String(expected[field]) === String(found[field]);
  const isThere = (value) => value !== null && value.length > 0;
  const results = cases.map((expected) => ({ expected, found: find(expected.message) }));
  const failures = results.filter((result) => !fields.every((field) => isRight(field, result)));
  const rate = percent(results.length - failures.length, results.length);
  console.log(`${results.length} messages, every field right in ${rate}`);
  for (const field of fields) {
    const right = results.filter((result) => isRight(field, result));
    const foundRight = right.filter(({ found }) => isThere(found[field])).length;
    const found = results.filter((result) => isThere(result.found[field])).length;
    const wanted = results.filter(({ expected }) => isThere(expected[field])).length;
    const accuracy = percent(right.length, results.length);
    const [precision, recall] = [percent(foundRight, found), percent(foundRight, wanted)];
    console.log(`${field.padEnd(9)}  accuracy ${accuracy}  precision ${precision}  recall ${recall}`);
  }
  for (const result of failures) {
    const { expected, found } = result;
    console.log(`\n${expected.file}: ${expected.name} (${expected.because})`);
    for (const field of fields.filter((one) => !isRight(one, result)))
      console.log(`  ${field}: expected ${expected[field]}, found ${found[field]}`);
  }
  return failures.length === 0;
}

function percent(part, whole) {
  return `${((100 * part) / whole).toFixed(1)} %`;
}
