import type { EmailParts, RateLimit } from 'mayfly-client';
import type { SummaryQuery } from 'mayfly-client/api';
import type { ComponentChild } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { inboxApi } from '../service.js';
import { Button } from '../ui/button.js';
import { SearchCount, SearchField } from '../ui/field.js';
import { later, useUntil } from '../ui/until.js';
import { type Box, newestUnread } from './box.js';
import type { Mail } from './mail.js';
import { CompareButton } from './mail-actions.js';
import { Pace } from './pace.js';
import type { Ticked } from './selection.js';

/** Limited, because each term may cost a request. */
const MAX_TERMS = 8;

const FIELDS = ['from', 'to', 'subject', 'has'] as const;

/** A condition of a search. An email matches if it meets all conditions. */
export interface Term {
  readonly field: 'any' | (typeof FIELDS)[number];
  /** In lower case. */
  readonly text: string;
  readonly isNot: boolean;
}

/** Parses `word "two words" from:ada subject:"your code" has:attachment -not`. Anything else counts as a word. */
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

/** Matches a term that is still being typed. */
const UNFINISHED = /^-?(?:from:|to:|subject:|has:)?"?"?$/;

const HAS: Readonly<Record<string, (mail: Mail) => boolean>> = {
  attachment: ({ attachments }) => attachments > 0,
  code: ({ code }) => code !== null,
  link: ({ action }) => action,
};

/** The texts that a term searches; `fileNames` are the known names of attachments. */
const TEXTS: Readonly<Record<Exclude<Term['field'], 'has'>, (mail: Mail, fileNames: string) => string>> = {
  from: ({ from, fromName }) => `${fromName} ${from}`,
  to: ({ to }) => to,
  subject: ({ subject }) => subject,
  any: ({ from, fromName, to, subject, text, code }, fileNames) =>
    [fromName, from, to, subject, text, code ?? '', fileNames].join(' '),
};

function meets(mail: Mail, { field, text }: Term, fileNames = ''): boolean {
  if (field === 'has') return HAS[text]?.(mail) ?? false;
  return TEXTS[field](mail, fileNames).toLowerCase().includes(text);
}

const TYPING_MS = 400;

const MAX_FOUND = 1_000;

/** The query parameter for each field that the service searches in full, because a summary may truncate the field. */
const QUERIES: Readonly<Partial<Record<Term['field'], keyof SummaryQuery>>> = {
  any: 'body',
  from: 'from',
  subject: 'subject',
};

/** The matches of a search: first by their summaries, then also by their whole text, which the service searches. */
export function useMatching(
  inbox: string,
  mails: readonly Mail[],
  terms: readonly Term[],
  fileNames: ReadonlyMap<string, string>,
): readonly Mail[] {
  const [found, setFound] = useState<ReadonlyMap<Term, ReadonlySet<string>>>(new Map());
  useUntil([inbox, terms], (signal) => {
    setFound(new Map());
    if (terms.length === 0) return;
    const ask = async (term: Term) => {
      const query = QUERIES[term.field];
      if (query === undefined) return;
      const wanted = { [query]: term.text, limit: MAX_FOUND };
      const summaries = await inboxApi(inbox).summaries(wanted, signal);
      const keys = new Set(summaries.map(({ receivedAt }) => receivedAt));
      setFound((before) => new Map([...before, [term, keys]]));
    };
    // If a request fails, the list still has the emails whose summaries match.
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

interface SearchBarProps {
  readonly filter: string;
  onFilter(filter: string): void;
  readonly count: string;
  readonly listed: readonly Mail[];
  readonly ticked: Ticked;
  readonly news: ComponentChild;
  /** Empty for all mail, which the service searches itself. */
  readonly inbox: string;
  onDelete(keys: readonly string[]): void;
}

/** The search above the list, or the actions on selected emails. */
export function SearchBar(props: SearchBarProps) {
  const { filter, onFilter, count, listed, ticked, news, inbox, onDelete } = props;
  const isAll = inbox === '';
  if (ticked.keys === null) {
    return (
      <div class="search bar gap-12">
        <Button class="button-quiet" icon="tick" aria-label="Select emails" onClick={ticked.begin} />
        <SearchField
          label={`Search by sender, recipient, subject, text${isAll ? ' or code' : ', code or attachment'}`}
          placeholder={isAll ? 'Search all mail' : 'Search words, has:code'}
          words={filter}
          onWords={(words) => {
            document.querySelector('.list')?.scrollTo(0, 0);
            onFilter(words);
          }}
        />
        <SearchCount isRead={filter !== ''}>
          <span class="unseen">Emails: </span>
          {count}
        </SearchCount>
        {news}
      </div>
    );
  }
  const keys = [...ticked.keys];
  return (
    <fieldset class="search flow gap-0">
      <legend class="unseen">Selected emails</legend>
      <SearchCount isRead>{keys.length} selected</SearchCount>
      {/* Before the other buttons, which then stay in their places. */}
      <CompareButton inbox={inbox} mails={listed.filter(({ key }) => ticked.keys?.has(key))} />
      <Button class="button-quiet" text="All" onClick={() => ticked.all(listed)} />
      <Button
        class="button-quiet"
        icon="trash"
        aria-label="Delete"
        disabled={keys.length === 0}
        onClick={() => onDelete(keys)}
      >
        <span class="not-phone">Delete</span>
      </Button>
      <Button class="button-quiet" text="Done" onClick={ticked.end} />
    </fieldset>
  );
}

/** Shows the number of unread emails, and opens the newest of them. */
export function NewMail({ box, onOpen }: { box: Box; onOpen(key: string): void }) {
  const newest = newestUnread(box);
  if (newest === null) return null;
  return (
    // The key n does the same, so Tab skips this button on its way from the search to the list.
    <Button
      class="new-mail button-main button-small"
      text={`${box.unread.size} new`}
      tabIndex={-1}
      onClick={() => onOpen(newest)}
    />
  );
}

/** The share of the read limit that requests for file names may use. */
const SHARE = 0.1;

const MAX_LOOKED_INTO = 30;
const MAX_BYTES = 64 * 1024;

/** A pause before each request, so that few requests are sent while a word is being typed. */
const GAP_MS = 100;

const MAX_KNOWN = 1_000;

export type FileNames = ReturnType<typeof useFileNames>;

/**
 * The attachment names of opened emails and, during a search for words, of the newest emails, in lower case by the key
 * of the email. Summaries lack these names. The service parses a message for each request, so requests are sent one
 * after another.
 */
export function useFileNames(
  inbox: string,
  readLimit: RateLimit | null,
  mails: readonly Mail[],
  terms: readonly Term[],
) {
  const [known, setKnown] = useState<ReadonlyMap<string, string>>(new Map());
  const pace = useMemo(() => new Pace(readLimit, SHARE), []);
  const note = (key: string, names: string) =>
    setKnown((all) => new Map([...all, [key, names] as const].slice(-MAX_KNOWN)));
  const isAsked = terms.some(({ field }) => field === 'any');
  const candidates = isAsked ? mails.filter(({ attachments, size }) => attachments > 0 && size <= MAX_BYTES) : [];
  const wanted = candidates.slice(0, MAX_LOOKED_INTO).find(({ key }) => !known.has(key))?.key;
  useUntil([inbox, wanted], async (signal) => {
    if (wanted === undefined) return;
    // Failures are not retried.
    const names = await pace
      .turn(signal, GAP_MS)
      .then(() => inboxApi(inbox).parts(wanted, signal))
      .then(namesOf, () => '');
    if (!signal.aborted) note(wanted, names);
  });
  return { all: known, learn: (key: string, parts: EmailParts) => note(key, namesOf(parts)) };
}

function namesOf({ parts }: EmailParts): string {
  const names = parts.filter(({ attachment }) => attachment).map(({ filename }) => filename ?? '');
  return names.join(' ').toLowerCase();
}
