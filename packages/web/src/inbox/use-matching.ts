import type { SummaryQuery } from 'mayfly-client/api';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Service } from '../service.js';
import type { Mail } from './mail.js';
import { meets, type Term, termsOf } from './search.js';

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
  useEffect(() => {
    setFound(new Map());
    if (terms.length === 0) return;
    const controller = new AbortController();
    const ask = async (term: Term) => {
      const query = QUERIES[term.field];
      if (query === undefined) return;
      const wanted = { [query]: term.text, limit: MAX_FOUND };
      const summaries = await service.inbox(inbox).summaries(wanted, controller.signal);
      const keys = new Set(summaries.map(({ receivedAt }) => receivedAt));
      setFound((before) => new Map([...before, [term, keys]]));
    };
    // Where it cannot be had, what the summaries tell stands.
    const timer = setTimeout(() => terms.forEach((term) => void ask(term).catch(() => {})), TYPING_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [service, inbox, terms]);
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
