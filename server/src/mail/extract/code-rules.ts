import type { CodeFacts } from './code-facts.js';
import type { Rule } from './score.js';

/** A number with fewer points is no code. */
export const CODE_THRESHOLD = 30;

/** What speaks for and against a number being the one-time code. */
export const CODE_RULES: readonly Rule<CodeFacts>[] = [
  // What a word beside it says.
  { text: 'a word for a code stands right beside it', points: 40, holds: (f) => f.label === 'beside' },
  { text: 'a word for a code stands in its line', points: 30, holds: (f) => f.label === 'line' },
  { text: 'a word for a code stands in the line above or below', points: 25, holds: (f) => f.label === 'near' },
  { text: 'its line says to verify, confirm or sign in', points: 20, holds: (f) => f.action === 'line' },
  { text: 'the lines around it say to verify, confirm or sign in', points: 10, holds: (f) => f.action === 'near' },
  { text: 'the subject speaks of a code', points: 12, holds: (f) => f.subjectSaysCode },
  { text: 'the message speaks of verifying or signing in', points: 5, holds: (f) => f.subjectSaysAction },
  { text: 'it is named as another kind of number', points: -60, holds: (f) => f.other },

  // How it is set.
  { text: 'it stands alone on its line', points: 20, holds: (f) => f.alone },
  { text: 'it is the whole message', points: 30, holds: (f) => f.whole },
  { text: 'it is larger than the text around it', points: 15, holds: (f) => f.large },
  { text: 'it is set bold or like something to be typed', points: 10, holds: (f) => f.emphasised },
  { text: 'its digits are grouped', points: 10, holds: (f) => f.grouping === 'groups' },
  { text: 'its digits stand one by one', points: 20, holds: (f) => f.grouping === 'digits' },
  { text: 'it has six digits', points: 5, holds: (f) => f.digits === 6 },
  { text: 'it occurs in more than one part', points: 10, holds: (f) => f.repeated },

  // What else it could be.
  { text: 'it looks like a year', points: -30, holds: (f) => f.year },
  { text: 'it is next to other numbers', points: -20, holds: (f) => f.series === 'spaced' },
  { text: 'it ends a postal address line', points: -40, holds: (f) => f.postal },
  { text: 'it stands in the footer', points: -25, holds: (f) => f.footer },
  { text: 'it is part of a word', points: -200, holds: (f) => f.partOf === 'word' },
  { text: 'it is part of a longer number', points: -200, holds: (f) => f.partOf === 'series' },
  { text: 'it is part of a decimal number', points: -200, holds: (f) => f.partOf === 'decimal' },
  { text: 'it is part of a time', points: -200, holds: (f) => f.partOf === 'time' },
  { text: 'it is part of a date', points: -200, holds: (f) => f.partOf === 'date' },
  { text: 'it is a price', points: -200, holds: (f) => f.partOf === 'price' },
  { text: 'it is a percentage', points: -200, holds: (f) => f.partOf === 'percentage' },
  { text: 'it is a phone number', points: -200, holds: (f) => f.partOf === 'phone' },
  { text: 'it is part of a web or mail address or a file name', points: -200, holds: (f) => f.partOf === 'address' },
  { text: 'it is part of a path', points: -200, holds: (f) => f.partOf === 'path' },
  { text: 'a # stands before it', points: -60, holds: (f) => f.partOf === 'hash' },
];
