import { chooseCode, codeCandidates } from './code.js';
import { contentOf } from './content.js';
import { chooseLink, linkCandidates } from './link.js';

/** What extraction reads of a message. */
export interface ExtractionInput {
  readonly subject: string;
  readonly text: string | null;
  readonly html: string | null;
}

/** What extraction finds (spec.md section 2.1). */
export interface Extraction {
  /** 4 to 8 ASCII digits, or null. */
  readonly otp: string | null;
  /** An absolute http or https address as it stands in the message, or null. */
  readonly magicLink: string | null;
}

/** Finds the one-time code and the magic link of a message. Bounded, linear, never throws. */
export function extract(input: ExtractionInput): Extraction {
  const content = contentOf(input.subject, input.text, input.html);
  return {
    otp: chooseCode(codeCandidates(content, { reasons: false }))?.value ?? null,
    magicLink: chooseLink(linkCandidates(content, { reasons: false }))?.url ?? null,
  };
}
