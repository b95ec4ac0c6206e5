/**
 * `npm run rules`: drops each rule of extraction in turn, and prints how many messages of packages/server/test/corpus
 * come out wrong without it, the fewest first, with one of them. Exit code 1 when none does: such a rule needs a
 * message, or is not needed.
 */
import { choose } from '../packages/server/dist/mail/extract/extraction.js';
import { RULES, ruleIds, withoutRule } from '../packages/server/dist/mail/extract/rules.js';
import { contentOf } from '../packages/server/dist/mail/extract/text/passages.js';
import { parseMessage } from '../packages/server/dist/mail/mime/parse.js';
import { loadCorpus } from '../packages/server/test/corpus/load.js';
import { ruleNeeds } from '../packages/server/test/corpus/rule-needs.js';

const needs = ruleNeeds(await loadCorpus(), { parseMessage, contentOf, choose, RULES, ruleIds, withoutRule });
for (const [id, names] of [...needs].toSorted(([, a], [, b]) => a.length - b.length)) {
  console.log(`${String(names.length).padStart(4)}  ${id.padEnd(24)}${names[0] ?? 'no message needs it'}`);
}
process.exitCode = [...needs.values()].every((names) => names.length > 0) ? 0 : 1;
