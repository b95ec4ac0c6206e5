import { describe, expect, it } from 'vitest';
import { extract } from '../../src/extract/extraction.js';
import { sentencesIn } from './sentences.js';

/** Twice the sentence would be read alone otherwise: a number that is all there is has other rules. */
function otpOf(sentence: string): string | null {
  return extract({ subject: 'App', text: `Mayfly\n\n${sentence}\n\nMayfly GmbH`, html: null }).otp;
}

describe('words for a code in their other senses', () => {
  it.each(sentencesIn('other-codes.txt'))('make no one-time code of a number (%s: %s)', (_, sentence) => {
    expect(otpOf(sentence)).toBeNull();
  });

  it.each(sentencesIn('one-time-codes.txt'))('leave the one-time code alone (%s: %s)', (_, sentence) => {
    expect(otpOf(sentence)).toBe('482913');
  });
});
