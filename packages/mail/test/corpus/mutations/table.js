import {
  addedToEach,
  asHtml,
  asTable,
  BETWEEN,
  forwarded,
  isAction,
  joined,
  joinedToEach,
  linkAdded,
  numberOf,
  quoted,
  replacedIn,
  rowOf,
  swapped,
} from './changes.js';
import { namingLine, writeAbove, writeAtEnd, writeBelow } from './places.js';

/**
 * The mutations. `mutate` receives a message with its expected results, a random generator, and words of its language.
 * It returns a new message with new expected results, or null if the mutation does not apply. A result that it omits is
 * not judged. `floor` is the minimum percentage of correct results. @type {readonly import('./rates.js').Mutation[]}
 */
export const MUTATIONS = [
  {
    name: 'number-above',
    about: 'another number with its name stands above the line of the code, or above the line that names the code',
    floor: 97,
    mutate: (mail, chance, words) =>
      addedToEach(mail, numberOf(mail, chance, words), (part, line, item) =>
        writeAbove(part, namingLine(part, line), item),
      ),
  },
  {
    name: 'number-below',
    about: 'another number with its name stands in the line below the code; the end of the mail where it has no code',
    floor: 98,
    mutate: (mail, chance, words) => addedToEach(mail, numberOf(mail, chance, words), writeBelow, writeAtEnd),
  },
  {
    name: 'number-before',
    about: 'another number with its name begins the line of the code',
    floor: 98,
    mutate: (mail, chance, words) => {
      const number = joined(numberOf(mail, chance, words), chance);
      const between = chance.oneOf(BETWEEN);
      return joinedToEach(mail, (line) => `${number}${between}${line.trimStart()}`);
    },
  },
  {
    name: 'number-after',
    about: 'another number with its name ends the line of the code',
    floor: 99,
    mutate: (mail, chance, words) => {
      const number = joined(numberOf(mail, chance, words), chance);
      const between = chance.oneOf(BETWEEN);
      return joinedToEach(mail, (line) => `${line.trimEnd()}${between}${number}`);
    },
  },
  {
    name: 'in-a-row',
    about: 'the line of the code stands in a row, between two other numbers with their names',
    floor: 98,
    mutate: (mail, chance, words) => {
      const first = numberOf(mail, chance, words);
      const second = numberOf(mail, chance, words);
      return joinedToEach(
        mail,
        (line) => `${first.name}: ${first.value} | ${line.trim()} | ${second.name}: ${second.value}`,
      );
    },
  },
  {
    name: 'number-in-subject',
    about: 'the subject names another number',
    floor: 99,
    mutate: (mail, chance, words) => {
      const { name, value } = numberOf(mail, chance, words);
      return { ...mail, subject: `${mail.subject} (${name} ${value})` };
    },
  },
  {
    name: 'label-swapped',
    about: 'the code and another number of the mail change places: the other one is the code then',
    floor: 99,
    mutate: swapped,
  },
  {
    name: 'renamed',
    about: 'the line of the code calls it the number of an order, a customer or an invoice: there is no code',
    floor: 99,
    mutate: (mail, chance, { names }) => {
      const name = chance.oneOf(names);
      const renamed = joinedToEach(mail, () => `${name}: ${mail.otp}`);
      return renamed === null ? null : replacedIn(mail, (code) => `${name}: ${code}`, null);
    },
  },
  {
    name: 'in-cells',
    about:
      'a text is a table: each line a row, with what leads to a value and the value in a cell each, and one more number',
    floor: 97,
    mutate: (mail, chance, words) => {
      const { name, value } = numberOf(mail, chance, words);
      return asHtml(mail, (lines) => `<table>${[...lines, `${name}: ${value}`].map(rowOf).join('')}</table>`);
    },
  },
  {
    name: 'as-paragraphs',
    about: 'a text is HTML, with a paragraph for each line',
    floor: 99,
    mutate: (mail) => asHtml(mail, (lines) => lines.map((line) => `<p>${line}</p>`).join('\n')),
  },
  {
    name: 'header-row',
    about: 'the line of the code is a table: a header row over the code and another number',
    floor: 97,
    mutate: asTable,
  },
  {
    name: 'link-text',
    about: 'another number stands below the code as the text of a link; in a mail without a code, the subject names it',
    floor: 98,
    mutate: (mail, chance, words) => {
      if (mail.html === null || mail.text !== null) return null;
      const { name, value } = numberOf(mail, chance, words);
      const item = { value: `<a href="https://app.test/o/${chance.letters(4)}">${value}</a>` };
      const added = addedToEach(mail, item, writeBelow, writeAtEnd);
      if (added === null) return null;
      const subject = mail.otp === null ? `${mail.subject} (${name} ${value})` : mail.subject;
      return { ...added, subject, magicLink: isAction(mail) ? mail.magicLink : undefined };
    },
  },
  {
    name: 'voucher-below',
    about: 'the code of a voucher, with its name, stands below the code',
    floor: 99,
    mutate: (mail, chance, words) => {
      const { value } = numberOf(mail, chance, words);
      return addedToEach(mail, { name: words.voucher, value }, writeBelow, writeAtEnd);
    },
  },
  {
    name: 'old-code-above',
    about: 'a line above says that another code can no longer be used',
    floor: 97,
    mutate: (mail, chance, words) => {
      const item = { value: words.oldCode.replace('#', numberOf(mail, chance, words).value) };
      return addedToEach(mail, item, (part, line) => writeAbove(part, namingLine(part, line), item));
    },
  },
  {
    name: 'expired',
    about: 'the line of the code says that it has expired: there is no code',
    floor: 99,
    mutate: (mail, _chance, { expired }) => replacedIn(mail, (code) => expired.replace('#', code), null),
  },
  {
    name: 'expired-below',
    about: 'a sentence below says that the code has expired: there is no code',
    floor: 99,
    mutate: (mail, _chance, { expired }) => {
      if (mail.otp === null) return null;
      const added = addedToEach(mail, { value: expired.replace('#', mail.otp) }, writeBelow);
      return added === null ? null : { ...added, otp: null, magicLink: undefined };
    },
  },
  {
    name: 'quoted',
    about: 'the mail is quoted in an answer: there is no code',
    floor: 99,
    mutate: quoted,
  },
  {
    name: 'forwarded',
    about: 'the mail is forwarded, below the lines that say so',
    floor: 99,
    mutate: forwarded,
  },
  {
    name: 'unsubscribe-below',
    about: 'a link with a token to unsubscribe stands at the end',
    floor: 98,
    mutate: (mail, chance, { unsubscribe }) => linkAdded(mail, unsubscribe, `unsubscribe?token=${chance.letters(16)}`),
  },
  {
    name: 'denial-below',
    about: 'a link with a token for somebody who did not ask for the mail stands at the end',
    floor: 98,
    mutate: (mail, chance, { notMe }) => linkAdded(mail, notMe, `security/reset?token=${chance.letters(16)}`),
  },
];
