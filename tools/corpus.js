/**
 * `npm run corpus`: how well extraction does on the corpus of server/test/corpus. Prints accuracy, precision and recall,
 * and a table of what failed. Exit code 1 when anything did.
 */
import { extract } from '../server/dist/mail/extract/extraction.js';
import { parseMessage } from '../server/dist/mail/mime/parse.js';
import { loadCorpus } from '../server/test/corpus/load.js';

const results = (await loadCorpus()).map((expected) => ({ expected, found: extract(parseMessage(expected.message)) }));
const failures = results.filter(
  ({ expected, found }) => !isRight('otp', expected, found) || !isRight('magicLink', expected, found),
);

console.log(
  `${results.length} messages, both fields right in ${percent(results.length - failures.length, results.length)}`,
);
console.log(summary('otp'));
console.log(summary('magicLink'));
for (const { expected, found } of failures) {
  console.log(`\n${expected.file}: ${expected.name} (${expected.because})`);
  for (const field of ['otp', 'magicLink']) {
    if (!isRight(field, expected, found)) console.log(`  ${field}: expected ${expected[field]}, found ${found[field]}`);
  }
}
process.exitCode = failures.length === 0 ? 0 : 1;

function isRight(field, expected, found) {
  return expected[field] === found[field];
}

/** Accuracy counts all messages; precision those where something was found, recall those where something is to be found. */
function summary(field) {
  const right = results.filter(({ expected, found }) => isRight(field, expected, found));
  const foundRight = right.filter(({ found }) => found[field] !== null).length;
  const found = results.filter((result) => result.found[field] !== null).length;
  const wanted = results.filter(({ expected }) => expected[field] !== null).length;
  const accuracy = percent(right.length, results.length);
  return `${field.padEnd(9)}  accuracy ${accuracy}  precision ${percent(foundRight, found)}  recall ${percent(foundRight, wanted)}`;
}

function percent(part, whole) {
  return `${((100 * part) / whole).toFixed(1)} %`;
}
