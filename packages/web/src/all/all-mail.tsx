import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { CONNECTION_TEXTS } from '../inbox/toolbar.js';
import { useArrivals } from '../inbox/use-news.js';
import { wordsFor } from '../problem-words.js';
import type { Service } from '../service.js';
import type { KnownSettings } from '../settings.js';
import { useNow } from '../ui/time.js';
import { useKeys } from '../ui/use-keys.js';
import { AllList } from './all-list.js';
import { MAX_ROWS } from './rows.js';
import { useAll } from './use-all.js';

export interface AllMailProps {
  readonly service: Service;
  readonly settings: KnownSettings;
  /** What is shown while there is no mail. */
  readonly children: ComponentChildren;
  /** What is shown where the list may not be read. */
  readonly refused?: ComponentChildren;
}

/** The list of all mail, as it comes, and its search. */
export function AllMail({ service, settings, children, refused }: AllMailProps) {
  const { clockOffsetMs, retentionMs } = settings;
  const now = useNow() + clockOffsetMs;
  const [search, setSearch] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const { rows, next, following, error, readOn } = useAll(service, search, now - retentionMs);
  useArrivals(rows, ({ to, code }) => `New email to ${to}.${code === null ? '' : ` Code ${code}.`}`);
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
