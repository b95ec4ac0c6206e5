import type { choose } from '../../src/mail/extract/extraction.js';
import type { RULES, ruleIds, withoutRule } from '../../src/mail/extract/rules.js';
import type { contentOf } from '../../src/mail/extract/text/passages.js';
import type { parseMessage } from '../../src/mail/mime/parse.js';
import type { CorpusCase } from './load.js';

/** The functions of the service that this needs, compiled or as they are written. */
export interface Extraction {
  parseMessage: typeof parseMessage;
  contentOf: typeof contentOf;
  choose: typeof choose;
  RULES: typeof RULES;
  ruleIds: typeof ruleIds;
  withoutRule: typeof withoutRule;
}

/** Which messages come out wrong when a rule alone is dropped: their names by the rule's id, in the order of the rules. */
export function ruleNeeds(cases: readonly CorpusCase[], extraction: Extraction): Map<string, string[]>;
