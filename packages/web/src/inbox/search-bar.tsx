import type { ComponentChild, RefObject } from 'preact';
import { Icon } from '../ui/icon.js';
import { type Box, newestUnread } from './box.js';
import type { Mail } from './mail.js';
import type { Ticked } from './selection.js';

interface SearchBarProps {
  readonly field: RefObject<HTMLInputElement | null>;
  readonly filter: string;
  onFilter(filter: string): void;
  readonly count: string;
  readonly listed: readonly Mail[];
  readonly ticked: Ticked;
  readonly news: ComponentChild;
  onDelete(keys: readonly string[]): void;
}

/** The search above the list, or the actions on selected emails. */
export function SearchBar({ field, filter, onFilter, count, listed, ticked, news, onDelete }: SearchBarProps) {
  if (ticked.keys === null) {
    return (
      <div class="search bar gap-12">
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
        <span class="search-count soft text-14 digits">{count}</span>
        {news}
      </div>
    );
  }
  const keys = [...ticked.keys];
  return (
    <fieldset class="search bar gap-12">
      <legend class="unseen">Selected emails</legend>
      <span class="search-count soft text-14 digits" role="status">
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

/** Shows the number of unread emails, and opens the newest of them. */
export function NewMail({ box, onOpen }: { box: Box; onOpen(key: string): void }) {
  const newest = newestUnread(box);
  if (newest === null) return null;
  return (
    // Not a tab stop between the search and the list, because the key n does the same.
    <button type="button" class="new-mail text-14" tabIndex={-1} onClick={() => onOpen(newest)}>
      {box.unread.size} new
    </button>
  );
}
