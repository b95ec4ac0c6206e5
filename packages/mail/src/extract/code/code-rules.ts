import { PLACES, VERIFYING } from '../../words/words.js';
import type { Rule } from '../score.js';
import { type CodeFacts, isBound, verifies } from './code-facts.js';
import type { Nearness } from './nearby-words.js';

/** A number with fewer points is not a code. */
export const CODE_THRESHOLD = 40;

/** Text of at least this size, in CSS pixels, is larger than running text. */
const LARGE_PX = 20;
const USUAL_DIGITS = 6;

/**
 * The text asks for the number and states a purpose, which is as good as a word for a code: "Use 4829 to sign in", "To
 * sign in: 4829", or a number on its own line after "Enter this to sign in". "Password: 4829" counts only if the
 * subject mentions an action or the message has no other number.
 */
function isNamedByUse(facts: CodeFacts): boolean {
  const { action, enter, colon, alone, message } = facts;
  if (isEnteredInPlace(facts) || isAllToEnter(facts)) return true;
  if (isInLine(action)) return isInLine(enter) || (colon && (message.subjectSaysAction || message.singleNumber));
  return alone && action === 'around' && enter === 'around';
}

/** Whether a number may be a code: neither a year nor round, because amounts are often round. */
function mayBeCode({ value, date }: CodeFacts): boolean {
  return !date && !value.endsWith('00');
}

/** The line says where to enter the number: `Type 482913 in the app`. */
function isEnteredInPlace(facts: CodeFacts): boolean {
  const { code, enter, colon, line } = facts;
  const isEntered = enter === 'beside' || (colon && enter === 'line');
  return code === 'none' && isEntered && mayBeCode(facts) && PLACES.test(line);
}

/** A short message asks the reader to enter its only number: `To go on, enter 482913.` */
function isAllToEnter(facts: CodeFacts): boolean {
  return facts.enter === 'beside' && facts.message.singleNumber && facts.digits === USUAL_DIGITS && mayBeCode(facts);
}

/** In many languages, "authorization code" means both a code that a bank requests and the code on a receipt. */
const AUTHORIZATION = /auth?ori[sz]|autoryz|авториз|授权|授權|승인/;

/** The code is from a receipt. A message whose subject mentions a code is no receipt, but asks to confirm a payment. */
function isOfPayment({ line, message }: CodeFacts): boolean {
  return message.subjectSaysOther && !message.subjectSaysCode && AUTHORIZATION.test(line);
}

/** The code is for something other than an account, and the message does not mention verifying or signing in. */
function isOfAnotherKind(facts: CodeFacts): boolean {
  const { kind, message } = facts;
  return (kind || message.subjectSaysKind) && !VERIFYING.test(message.subject.lower) && !verifies(facts);
}

/** No word leads to the number, and the words for a code in the number's line refer to an expired code. */
function isBesideSpent({ value, line, code, enter, pointed, message: { spent } }: CodeFacts): boolean {
  if (pointed || code === 'beside' || enter === 'beside' || spent.has(value)) return false;
  return [...spent].some((dead) => line.includes(dead));
}

function isUnspokenOf(facts: CodeFacts): boolean {
  return facts.code === 'none' && !isNamedByUse(facts) && !facts.message.saysCode();
}

/** The last resort if no known word for a code occurs: the only number of a message about an account. */
function isLastResort(facts: CodeFacts): boolean {
  const { digits, colon, message } = facts;
  if (digits !== USUAL_DIGITS || !message.singleNumber || !message.subjectSaysAction) return false;
  return (colon || isSetOff(facts)) && isUnspokenOf(facts);
}

function isSetOff({ look }: CodeFacts): boolean {
  return look !== null && (look.bold || look.codeLike || look.fontSize >= LARGE_PX);
}

function isInLine(nearness: Nearness): boolean {
  return nearness === 'beside' || nearness === 'line';
}

/** Examples: "code: 1984", "enter 1984", "1984 is your code". */
function isPointedAt({ code, colon, pointed }: CodeFacts): boolean {
  return pointed || (colon && isInLine(code));
}

/** Signs of a discount code: a percentage, or a checkout. */
const DISCOUNT = /\d ?%|\bcheckout\b/;

/** Evidence that a number is the one-time code, or is not. */
export const CODE_RULES: readonly Rule<CodeFacts>[] = [
  // Evidence from words.
  ['code-beside', 50, 'a word such as "code" is next to it', (f) => f.code === 'beside'],
  ['code-in-line', 35, 'a word such as "code" is on its line', (f) => f.code === 'line'],
  [
    'code-around-apart',
    35,
    'it is on its own, with a word such as "code" above or below',
    (f) => f.code === 'around' && (f.alone || f.leads),
  ],
  ['bound-to-host', 75, 'its line names the web site that it is for, as in "@app.example #482913"', isBound],
  ['action-beside', 30, 'a word for verifying or signing in is next to it', (f) => f.action === 'beside'],
  ['action-in-line', 15, 'its line mentions verifying or signing in', (f) => f.action === 'line'],
  ['enter-in-line', 20, 'the line of the code says to enter or use it', (f) => isInLine(f.enter)],
  ['enter-around-apart', 20, 'it is on its own, near a request to enter it', (f) => f.alone && f.enter === 'around'],
  [
    'enter-leads',
    20,
    'the text next to it says to enter or use it, or its line says where to enter it',
    (f) => f.code === 'none' && mayBeCode(f) && ((f.pointed && f.enter === 'beside') || isEnteredInPlace(f)),
  ],
  ['subject-code', 20, 'the subject mentions a code', (f) => f.message.subjectSaysCode],
  ['subject-action', 5, 'the subject mentions verifying or signing in', (f) => f.message.subjectSaysAction],
  ['colon', 10, 'it follows a colon', (f) => f.colon],
  ['no-code-word', -30, 'nothing in the message mentions a code', (f) => isUnspokenOf(f) && !isLastResort(f)],
  ['other-name', -110, 'the text calls it another kind of number', (f) => f.other],
  ['named-elsewhere', -60, 'elsewhere, it is another kind of number', (f) => !f.other && f.message.named.has(f.value)],
  ['another-kind', -120, 'it is for a voucher, a door, a meeting or the like, not for verifying', isOfAnotherKind],
  ['spent', -150, 'it is expired, used, old, quoted or only an example', (f) => f.message.spent.has(f.value)],
  ['beside-spent', -60, 'its line is about another code, which is no longer valid', isBesideSpent],
  ['payment', -90, 'it authorized a payment: the subject mentions a receipt or an order', isOfPayment],

  // Evidence from style.
  ['alone', 20, 'it is alone on its line', (f) => f.alone],
  ['all-there-is', 50, 'it is the whole text', (f) => f.whole],
  ['set-off', 15, 'it is large, bold or styled like something to type', isSetOff],
  ['only-number', 15, 'it is the only number in a short message', (f) => f.message.singleNumber],
  ['last-resort', 5, 'no word calls it a code, but it is the only number in a message about an account', isLastResort],
  ['six-digits', 5, 'it has six digits', (f) => f.digits === USUAL_DIGITS],

  // Evidence for other kinds of numbers.
  ['date-pointed-at', -20, 'it looks like a year or a date, but is called a code', (f) => f.date && isPointedAt(f)],
  ['date', -90, 'it looks like a year or a date', (f) => f.date && !isPointedAt(f)],
  ['list-of-codes', -90, 'it is one of several numbers of the same length', (f) => f.ofList],
  [
    'link-text',
    -100,
    'it is the text of a link, and no word such as "code" introduces it',
    (f) => f.linked && !(f.pointed && f.code === 'beside'),
  ],
  ['card-number', -50, 'it is a card number, and no word such as "code" introduces it', (f) => f.ofCard && !f.pointed],
  ['discount', -85, 'its line offers a discount', (f) => DISCOUNT.test(f.line)],
  ['hash-sign', -40, 'it follows a #', (f) => f.hash && !isBound(f)],
  ['footer', -25, 'it is in the footer', (f) => f.look?.footer === true],
];
