/**
 * `npm run corpus`: how well extraction does on the corpus of server/test/corpus, and on its part for codes with letters and links
 * to follow. Prints accuracy, precision and recall, and a table of what failed. Exit code 1 when anything did.
 */
import { readContents } from '../server/dist/mail/contents.js';
import { extract } from '../server/dist/mail/extract/extraction.js';
import { parseMessage } from '../server/dist/mail/mime/parse.js';
import { loadCorpus, loadPartsCorpus } from '../server/test/corpus/load.js';

judge(await loadCorpus(), ['otp', 'magicLink'], (message) => extract(parseMessage(message)));
console.log();
judge(await loadPartsCorpus(), ['codes', 'action'], (message) => {
  const { codes, links } = readContents(message);
  return { codes: codes.map(({ value }) => value), action: links.find(({ action }) => action)?.url ?? null };
});

function judge(cases, fields, find) {
  const results = cases.map((expected) => ({ expected, found: find(expected.message) }));
  const failures = results.filter((result) => fields.some((field) => !isRight(field, result)));
  const rate = percent(results.length - failures.length, results.length);
  console.log(`${results.length} messages, both fields right in ${rate}`);
  for (const field of fields) console.log(summary(field, results));
  for (const result of failures) {
    const { expected, found } = result;
    console.log(`\n${expected.file}: ${expected.name} (${expected.because})`);
    for (const field of fields.filter((field) => !isRight(field, result))) {
      console.log(`  ${field}: expected ${expected[field]}, found ${found[field]}`);
    }
  }
  if (failures.length > 0) process.exitCode = 1;
}

function isRight(field, { expected, found }) {
  return String(expected[field]) === String(found[field]);
}

/** Whether there is something: a code, a link, or at least one of several. */
function isThere(value) {
  return value !== null && value.length > 0;
}

/** Accuracy counts all messages; precision those where something was found, recall those where something is to be found. */
function summary(field, results) {
  const right = results.filter((result) => isRight(field, result));
  const foundRight = right.filter(({ found }) => isThere(found[field])).length;
  const found = results.filter((result) => isThere(result.found[field])).length;
  const wanted = results.filter(({ expected }) => isThere(expected[field])).length;
  const accuracy = percent(right.length, results.length);
  return `${field.padEnd(9)}  accuracy ${accuracy}  precision ${percent(foundRight, found)}  recall ${percent(foundRight, wanted)}`;
}

function percent(part, whole) {
  return `${((100 * part) / whole).toFixed(1)} %`;
}
