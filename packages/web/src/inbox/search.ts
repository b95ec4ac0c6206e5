import type { Mail } from './mail.js';

/** So many terms of a search are looked for: each may cost a request. */
const MAX_TERMS = 8;

/** What else than its words a search may ask for. */
const FIELDS = ['from', 'to', 'subject', 'has'] as const;

/** One condition of a search. An email is found if it meets all of them. */
export interface Term {
  readonly field: 'any' | (typeof FIELDS)[number];
  /** In lower case. */
  readonly text: string;
  /** Whether emails that meet it are left out. */
  readonly isNot: boolean;
}

/** `word "two words" from:ada subject:"your code" has:attachment -not`; what is not of that form is a word. */
export function termsOf(search: string): Term[] {
  const terms: Term[] = [];
  for (const [whole, minus, name, quoted, word] of search.toLowerCase().matchAll(TERM)) {
    const text = quoted ?? word ?? '';
    if (UNFINISHED.test(whole) || terms.length === MAX_TERMS) continue;
    const field = FIELDS.find((one) => `${one}:` === name);
    const isKnown = field !== undefined && (field !== 'has' || Object.hasOwn(HAS, text));
    const isNot = minus === '-';
    terms.push(isKnown ? { field, text, isNot } : { field: 'any', text: `${name ?? ''}${text}`, isNot });
  }
  return terms;
}

const TERM = /(-?)(from:|to:|subject:|has:)?(?:"([^"]*)"?|([^\s"]+))/g;

/** What somebody is about to go on with. */
const UNFINISHED = /^-?(?:from:|to:|subject:|has:)?"?"?$/;

const HAS: Readonly<Record<string, (mail: Mail) => boolean>> = {
  attachment: ({ attachments }) => attachments > 0,
  code: ({ code }) => code !== null,
  link: ({ action }) => action,
};

/** Whether a summary, and the names of an email's attachments as far as they are known, meet a term. */
export function meets(mail: Mail, { field, text }: Term, fileNames = ''): boolean {
  const { from, fromName, to, subject } = mail;
  switch (field) {
    case 'from':
      return `${fromName} ${from}`.toLowerCase().includes(text);
    case 'to':
      return to.toLowerCase().includes(text);
    case 'subject':
      return subject.toLowerCase().includes(text);
    case 'has':
      return HAS[text]?.(mail) ?? false;
    case 'any':
      return wordsOf(mail, fileNames).includes(text);
  }
}

function wordsOf({ from, fromName, to, subject, text, code }: Mail, fileNames: string): string {
  return `${[fromName, from, to, subject, text, code ?? ''].join(' ').toLowerCase()} ${fileNames}`;
}
