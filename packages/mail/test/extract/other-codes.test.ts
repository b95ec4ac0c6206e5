import { describe, expect, it } from 'vitest';
import { extract } from '../../src/extract/extraction.js';
import { sentencesIn } from './sentences.js';

/** Adds lines around the sentence, because other rules apply to a number that is the whole text. */
function otpOf(sentence: string): string | null {
  return extract({ subject: 'App', text: `Mayfly\n\n${sentence}\n\nMayfly GmbH`, html: null }).otp;
}

describe('a number near "code" or a similar word', () => {
  it.each(sentencesIn('other-codes.txt'))('is not extracted if it is, say, a postal code (%s: %s)', (_, sentence) => {
    expect(otpOf(sentence)).toBeNull();
  });

  it.each(sentencesIn('one-time-codes.txt'))('is extracted if it is a one-time code (%s: %s)', (_, sentence) => {
    expect(otpOf(sentence)).toBe('482913');
  });
});
