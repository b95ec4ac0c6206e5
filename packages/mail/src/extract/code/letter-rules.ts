import type { Rule } from '../score.js';
import { CODE_RULES } from './code-rules.js';
import type { LetterFacts } from './letter-words.js';

function isSetApart({ alone, look }: LetterFacts): boolean {
  return alone || look?.codeLike === true || look?.bold === true;
}

/** Whether words lead to the letters, or the letters stand alone near a word for a code. Other runs may be names. */
function isPresented(f: LetterFacts): boolean {
  if (f.shape.uneven) return f.introduced && (f.colon || f.alone);
  if (f.shape.long) return f.led || f.introduced || f.leadsSentence || (f.alone && f.labelled);
  if (f.led || f.code === 'none') return f.led;
  return f.alone || f.look?.codeLike === true || ((f.leads || f.leadsSentence) && !f.shape.wordy);
}

/** Examples: `Larkspur9`, `Play4All`, `9Lives`. */
const NAME = /^\d{0,3}(?:[A-Z][a-z]{2,}\d{1,3}(?:[A-Z]?[a-z]+)?|(?<=\d)[A-Z][a-z]{3,})$/;

/** Rules for codes with letters: the rules for numbers, and others that distinguish codes from words and names. */
export const LETTER_RULES: readonly Rule<LetterFacts>[] = [
  ...CODE_RULES,

  // Evidence from shape.
  [
    'like-a-word',
    -100,
    'it reads like a word',
    (f) => f.shape.wordy && !f.shape.hasDigit && !(f.shape.grouped && (isSetApart(f) || (f.introduced && f.colon))),
  ],
  [
    'like-a-name',
    -45,
    'it reads like a name',
    (f) => f.shape.wordy && f.shape.hasDigit && !f.introduced && (!isSetApart(f) || (NAME.test(f.value) && !f.led)),
  ],
  [
    'name',
    -90,
    'it is a name: it is in a sentence that mentions no code, or after "sign in to"',
    (f) => f.message.names.has(f.value),
  ],

  // Evidence from words.
  ['unpresented', -60, 'no text introduces it, nor is it alone near a word such as "code"', (f) => !isPresented(f)],
  ['password', -90, 'it is a password', (f) => f.password],
  ['named-otherwise', -90, 'it is called a key, a user name, a version or the like', (f) => f.named],
  ['deal', -90, 'the message mentions a discount, a gift, a journey, a booking or an order', (f) => f.deal],
];
