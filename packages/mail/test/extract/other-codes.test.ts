import { describe, expect, it } from 'vitest';
import { extract } from '../../src/extract/extraction.js';
import { ONE_TIME_CODES, OTHER_CODES } from './other-codes.js';

function sentencesOf(byLanguage: Record<string, string>): (readonly [language: string, sentence: string])[] {
  return Object.entries(byLanguage).flatMap(([language, lines]) =>
    lines.split('\n').map((line) => [language, line.trim()] as const),
  );
}

/** Twice the sentence would be read alone otherwise: a number that is all there is has other rules. */
function otpOf(sentence: string): string | null {
  return extract({ subject: 'App', text: `Mayfly\n\n${sentence}\n\nMayfly GmbH`, html: null }).otp;
}

describe('words for a code in their other senses', () => {
  it.each(sentencesOf(OTHER_CODES))('make no one-time code of a number (%s: %s)', (_, sentence) => {
    expect(otpOf(sentence)).toBeNull();
  });

  it.each(sentencesOf(ONE_TIME_CODES))('leave the one-time code alone (%s: %s)', (_, sentence) => {
    expect(otpOf(sentence)).toBe('482913');
  });
});
