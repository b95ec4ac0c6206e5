import type { SummaryQuery } from 'mayfly-client/api';
import { useMemo, useState } from 'preact/hooks';
import type { Service } from '../service.js';
import { later, useUntil } from '../ui/until.js';
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
function termsOf(search: string): Term[] {
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
function meets(mail: Mail, { field, text }: Term, fileNames = ''): boolean {
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

/** How long the user must have stopped typing before the service is asked. */
const TYPING_MS = 400;

/** So many emails that the service finds for a term are taken, the newest. */
const MAX_FOUND = 1_000;

/** What the service looks through for a term: the whole text, and fields that a summary may cut. */
const QUERIES: Readonly<Partial<Record<Term['field'], keyof SummaryQuery>>> = {
  any: 'body',
  from: 'from',
  subject: 'subject',
};

interface MatchingContext {
  readonly service: Service;
  readonly inbox: string;
  readonly mails: readonly Mail[];
  /** What is searched for. */
  readonly terms: readonly Term[];
  readonly fileNames: ReadonlyMap<string, string>;
}

/** The terms of a search, the same as long as the search is. */
export function useTerms(search: string): readonly Term[] {
  return useMemo(() => termsOf(search), [search]);
}

/**
 * The mails that are searched for: at once by what their summaries hold, and a moment later also by their whole text,
 * which the service knows. Each term is looked for by itself, so words may stand anywhere in a mail.
 */
export function useMatching({ service, inbox, mails, terms, fileNames }: MatchingContext): readonly Mail[] {
  const [found, setFound] = useState<ReadonlyMap<Term, ReadonlySet<string>>>(new Map());
  useUntil([service, inbox, terms], (signal) => {
    setFound(new Map());
    if (terms.length === 0) return;
    const ask = async (term: Term) => {
      const query = QUERIES[term.field];
      if (query === undefined) return;
      const wanted = { [query]: term.text, limit: MAX_FOUND };
      const summaries = await service.inbox(inbox).summaries(wanted, signal);
      const keys = new Set(summaries.map(({ receivedAt }) => receivedAt));
      setFound((before) => new Map([...before, [term, keys]]));
    };
    // Where it cannot be had, what the summaries tell stands.
    later(TYPING_MS, signal, () => terms.forEach((term) => void ask(term).catch(() => {})));
  });
  return useMemo(() => {
    if (terms.length === 0) return mails;
    return mails.filter((mail) =>
      terms.every((term) => {
        const isMet = meets(mail, term, fileNames.get(mail.key)) || found.get(term)?.has(mail.key) === true;
        return isMet !== term.isNot;
      }),
    );
  }, [mails, terms, fileNames, found]);
}
