import type { ComponentChild, RefObject } from 'preact';
import { Icon } from '../ui/icon.js';
import { type Box, newestUnread } from './box.js';
import type { Mail } from './mail.js';
import type { Ticked } from './selection.js';

interface SearchBarProps {
  readonly field: RefObject<HTMLInputElement | null>;
  readonly filter: string;
  onFilter(filter: string): void;
  /** How many emails are listed. */
  readonly count: string;
  readonly listed: readonly Mail[];
  readonly ticked: Ticked;
  /** Says what has come meanwhile. */
  readonly news: ComponentChild;
  onDelete(keys: readonly string[]): void;
}

/** What stands above the list: the search, or what can be done with the ticked emails. */
export function SearchBar({ field, filter, onFilter, count, listed, ticked, news, onDelete }: SearchBarProps) {
  if (ticked.keys !== null) return <TickedBar {...{ listed, ticked, onDelete }} />;
  return (
    <div class="search">
      <button type="button" class="button button-quiet" aria-label="Select emails" onClick={ticked.begin}>
        <Icon name="tick" />
      </button>
      <input
        ref={field}
        type="search"
        placeholder='Search: words, from: to: subject: has:code, "quoted", -not'
        aria-label="Search by sender, recipient, subject, text, code or attachment"
        value={filter}
        onInput={({ currentTarget }) => onFilter(currentTarget.value)}
        onKeyDown={({ key, currentTarget }) => key === 'Escape' && currentTarget.blur()}
      />
      <span class="search-count">{count}</span>
      {news}
    </div>
  );
}

function TickedBar({ listed, ticked, onDelete }: Pick<SearchBarProps, 'listed' | 'ticked' | 'onDelete'>) {
  const keys = [...(ticked.keys ?? [])];
  return (
    <fieldset class="search">
      <legend class="unseen">Selected emails</legend>
      <span class="search-count" role="status">
        {keys.length} selected
      </span>
      <button type="button" class="button button-quiet" onClick={() => ticked.all(listed)}>
        All
      </button>
      <button type="button" class="button button-quiet" disabled={keys.length === 0} onClick={() => onDelete(keys)}>
        <Icon name="trash" /> Delete
      </button>
      <button type="button" class="button button-quiet" onClick={ticked.end}>
        Done
      </button>
    </fieldset>
  );
}

interface NewMailProps {
  readonly box: Box;
  onOpen(key: string): void;
}

/** Says that unseen emails have come, and opens the newest of them. Nothing opens by itself. */
export function NewMail({ box, onOpen }: NewMailProps) {
  const newest = newestUnread(box);
  if (newest === null) return null;
  return (
    // The key n does the same, and saves a stop between the search and the list.
    <button type="button" class="new-mail" tabIndex={-1} onClick={() => onOpen(newest)}>
      {box.unread.size} new
    </button>
  );
}
