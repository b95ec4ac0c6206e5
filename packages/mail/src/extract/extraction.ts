import { codeCandidates, letterCandidates } from './code/code-candidates.js';
import { CODE_THRESHOLD } from './code/code-rules.js';
import { LINK_THRESHOLD, linkCandidates } from './link/link-rules.js';
import { best } from './score.js';
import { type Content, contentOf, type ExtractionInput } from './text/passages.js';

/** The result of extraction (interface section 2.1). */
export interface Extraction {
  /** 4 to 8 ASCII digits, or null. */
  readonly otp: string | null;
  /** An absolute http or https address as written in the message, or null. */
  readonly magicLink: string | null;
}

/** Finds the one-time code and the magic link of a message. Takes bounded, linear time; never throws. */
export function extract(input: ExtractionInput): Extraction {
  const { code, link } = choose(contentOf(input));
  return { otp: code?.value ?? null, magicLink: link?.value ?? null };
}

export type Choice = ReturnType<typeof choose>;

/** All candidates for code and link in the order of the message, and the chosen ones. */
export function choose(content: Content) {
  const codes = codeCandidates(content);
  const code = best(codes, CODE_THRESHOLD);
  const links = linkCandidates(content, code?.value ?? null);
  const link = best(links, LINK_THRESHOLD);
  if (code !== null || !link?.facts?.message.isOnly || !link.facts.denied) return { codes, code, links, link };
  // Skips the reset link in "A7K-2QX is your code. Not you? Reset it". Last, because the search for such codes is slow.
  const letters = best(letterCandidates(content), CODE_THRESHOLD);
  if (letters === null) return { codes, code, links, link };
  const beside = linkCandidates(content, letters.value);
  return { codes, code, links: beside, link: best(beside, LINK_THRESHOLD) };
}
