import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { CONNECTION_TEXTS } from '../inbox/toolbar.js';
import { useKeys } from '../inbox/use-keys.js';
import { wordsFor } from '../problem-words.js';
import type { Service } from '../service.js';
import type { KnownSettings } from '../settings.js';
import { announce } from '../ui/announce.js';
import { useNow } from '../ui/time.js';
import { AllList } from './all-list.js';
import { MAX_ROWS } from './rows.js';
import { type All, useAll } from './use-all.js';

interface AllMailProps {
  readonly service: Service;
  readonly settings: KnownSettings;
  /** What is shown while there is no mail. */
  readonly children: ComponentChildren;
  /** What is shown where the list may not be read. */
  readonly refused?: ComponentChildren;
}

/** The list of all mail, as it comes, and its search. */
export default function AllMail({ service, settings, children, refused }: AllMailProps) {
  const { clockOffsetMs, retentionMs } = settings;
  const now = useNow() + clockOffsetMs;
  const [search, setSearch] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const { rows, next, following, error, readOn } = useAll(service, search, now - retentionMs);
  useArrivals(rows);
  useKeys({ '/': () => field.current?.focus() });

  if (error !== null) {
    return (
      refused ?? (
        <p class="problem" role="alert">
          {wordsFor(error)}
        </p>
      )
    );
  }
  const isEmpty = rows?.length === 0 && next === null;
  return (
    <div class="all">
      <div class="search">
        <input
          ref={field}
          type="search"
          placeholder="Search all mail"
          aria-label="Search by recipient, sender, subject, text or code"
          maxLength={200}
          value={search}
          onInput={({ currentTarget }) => setSearch(currentTarget.value)}
          onKeyDown={({ key, currentTarget }) => key === 'Escape' && currentTarget.blur()}
        />
        <span class="search-count">
          {rows !== null && `${rows.length.toLocaleString()}${next === null ? '' : '+'}`}
        </span>
        <span class="connection" data-state={following} data-trouble={following === 'away'}>
          {CONNECTION_TEXTS[following]}
        </span>
      </div>
      {isEmpty && (search.trim() === '' ? children : <p class="wait">No email matches.</p>)}
      {rows !== null && !isEmpty && <AllList {...{ rows, next, now, readOn }} />}
      {(rows?.length ?? 0) >= MAX_ROWS && (
        <p class="list-end">The newest {MAX_ROWS.toLocaleString()} are listed. Search for older ones.</p>
      )}
    </div>
  );
}

/** Says aloud what has come. */
function useArrivals(rows: All['rows']): void {
  const newest = useRef<number | null>(null);
  useEffect(() => {
    const [first] = rows ?? [];
    if (first === undefined) return;
    const before = newest.current;
    newest.current = Math.max(before ?? 0, first.receivedAt);
    if (before !== null && first.receivedAt > before)
      announce(`New email to ${first.to}.${first.code === null ? '' : ` Code ${first.code}.`}`);
  }, [rows]);
}
