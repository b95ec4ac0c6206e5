import { choose, type Extraction } from './extraction.js';
import { actionCandidates, actionLink } from './link/action-links.js';
import { codesOf, LISTING_RULES } from './listing.js';
import { RULES } from './rules.js';
import { contentOf, type ExtractionInput } from './text/passages.js';

/** What is kept of a message's code and link: the fields of the Email, and what lists show beside them (D31). */
export interface ArrivalExtraction extends Extraction {
  readonly code: string | null;
  readonly action: boolean;
}

/** Letters are looked for only in a message without an `otp`, other links only in one without a magic link. */
export function extractAtArrival(input: ExtractionInput): ArrivalExtraction {
  const content = contentOf(input);
  const choice = choose(content, RULES);
  const otp = choice.code?.value ?? null;
  const magicLink = choice.link?.value ?? null;
  const code = otp ?? codesOf(content, choice, LISTING_RULES.letters).found[0]?.value ?? null;
  const chosen = { magicLink, hasCode: code !== null };
  const action = magicLink !== null || actionLink(actionCandidates(content, chosen, LISTING_RULES.actions)) !== null;
  return { otp, magicLink, code, action };
}
