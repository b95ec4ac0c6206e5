import { choose, type Extraction } from './extraction.js';
import { actionCandidates, actionLink } from './link/action-rules.js';
import { codesOf } from './listing.js';
import { contentOf, type ExtractionInput } from './text/passages.js';

/** What is kept of a message's code and link: the fields of the Email, and what lists show beside them (D31). */
export interface ArrivalExtraction extends Extraction {
  readonly code: string | null;
  readonly action: boolean;
}

/** Looks for letters and for other links only in a message without both fields, because each takes as long as these. */
export function extractAtArrival(input: ExtractionInput): ArrivalExtraction {
  const content = contentOf(input);
  const choice = choose(content);
  const otp = choice.code?.value ?? null;
  const magicLink = choice.link?.value ?? null;
  if (otp !== null || magicLink !== null) return { otp, magicLink, code: otp, action: magicLink !== null };
  // Only letters near a word for a code, or for entering it, are a code.
  const saysCode = content.passages.some((passage) => passage.says('code') || passage.says('enter'));
  const code = saysCode ? (codesOf(content, choice).found[0]?.value ?? null) : null;
  const asks = code === null && actionLink(actionCandidates(content, { magicLink, code })) !== null;
  return { otp, magicLink, code, action: asks };
}
