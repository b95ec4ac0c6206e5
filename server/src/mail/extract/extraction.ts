import { codeCandidates } from './code/code-candidates.js';
import { CODE_THRESHOLD } from './code/code-rules.js';
import { linkCandidates } from './link/link-candidates.js';
import { LINK_THRESHOLD } from './link/link-rules.js';
import { best } from './score.js';
import { contentOf, type ExtractionInput } from './text/passages.js';

/** What extraction finds (spec.md section 2.1). */
export interface Extraction {
  /** 4 to 8 ASCII digits, or null. */
  readonly otp: string | null;
  /** An absolute http or https address as it stands in the message, or null. */
  readonly magicLink: string | null;
}

/** Finds the one-time code and the magic link of a message. Bounded and linear in its input; never throws. */
export function extract(input: ExtractionInput): Extraction {
  const content = contentOf(input);
  return {
    otp: best(codeCandidates(content), CODE_THRESHOLD)?.value ?? null,
    magicLink: best(linkCandidates(content), LINK_THRESHOLD)?.value ?? null,
  };
}
