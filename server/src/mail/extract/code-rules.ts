import type { CodeFacts } from './code-facts.js';
import type { Rule } from './score.js';

/** A number with fewer points is not taken for a code. */
export const CODE_THRESHOLD = 40;

/** Text of this size, in CSS pixels, is larger than that of sentences. */
const LARGE_PX = 20;

/** Its line says what to do with it, which is as good as naming it: "Use 4829 to sign in". */
function isToBeEntered(f: CodeFacts): boolean {
  return f.action === 'beside' || (f.action === 'line' && (f.enter === 'beside' || f.enter === 'line'));
}

/** What speaks for a number being the one-time code, and what against it. */
export const CODE_RULES: readonly Rule<CodeFacts>[] = [
  // What the words say.
  { points: 50, text: 'a word for a code stands right beside it', holds: (f) => f.code === 'beside' },
  { points: 35, text: 'a word for a code stands in its line', holds: (f) => f.code === 'line' },
  {
    points: 35,
    text: 'it stands apart, with a word for a code above or below',
    holds: (f) => f.code === 'around' && (f.alone || f.leads),
  },
  {
    points: 10,
    text: 'a word for a code stands in the lines around it',
    holds: (f) => f.code === 'around' && !f.alone && !f.leads,
  },
  { points: 20, text: 'it stands apart, with a word for a code further up', holds: (f) => f.code === 'far' && f.alone },
  {
    points: 30,
    text: 'a word for verifying or signing in stands right beside it',
    holds: (f) => f.action === 'beside',
  },
  { points: 15, text: 'its line speaks of verifying or signing in', holds: (f) => f.action === 'line' },
  { points: 8, text: 'the lines around it speak of verifying or signing in', holds: (f) => f.action === 'around' },
  { points: 20, text: 'its line says to enter or use it', holds: (f) => f.enter === 'beside' || f.enter === 'line' },
  { points: 15, text: 'the subject speaks of a code', holds: (f) => f.message.subjectSaysCode },
  { points: 5, text: 'the subject speaks of verifying or signing in', holds: (f) => f.message.subjectSaysAction },
  {
    points: -25,
    text: 'nothing in the message speaks of a code',
    holds: (f) => !f.message.saysCode && !isToBeEntered(f),
  },
  { points: -60, text: 'it bears the name of another kind of number', holds: (f) => f.other },

  { points: 10, text: 'a colon leads to it', holds: (f) => f.colon },

  // How it is set.
  { points: 20, text: 'it stands alone in its line', holds: (f) => f.alone },
  { points: 50, text: 'it is all there is', holds: (f) => f.whole },
  { points: 15, text: 'it is the only number of a short message', holds: (f) => f.message.singleNumber },
  { points: 15, text: 'it is set large', holds: (f) => f.look !== null && f.look.fontSize >= LARGE_PX },
  { points: 10, text: 'it is set bold', holds: (f) => f.look?.bold === true },
  { points: 20, text: 'it is set like something to type', holds: (f) => f.look?.codeLike === true },
  { points: 20, text: 'its digits stand one by one', holds: (f) => f.grouping === 'digits' },
  { points: 5, text: 'its digits stand in groups', holds: (f) => f.grouping === 'groups' },
  { points: 5, text: 'it has six digits', holds: (f) => f.digits === 6 },
  { points: 5, text: 'it occurs in more than one part of the message', holds: (f) => f.repeated },

  // What else it may be.
  { points: -30, text: 'it looks like a year', holds: (f) => f.year && f.code !== 'beside' },
  {
    points: -10,
    text: 'it looks like a year, though a word for a code stands beside it',
    holds: (f) => f.year && f.code === 'beside',
  },
  { points: -40, text: 'it stands in a row of numbers', holds: (f) => f.inRow },
  { points: -40, text: 'a # stands before it', holds: (f) => f.hash },
  { points: -50, text: 'its line is a copyright notice', holds: (f) => f.copyright },
  { points: -25, text: 'it stands in the footer', holds: (f) => f.look?.footer === true },
];
