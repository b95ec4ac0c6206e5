import type { Box } from './box.js';

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

/** The key of the newest email that was not looked at, or null. */
export function newestUnread({ mails, unread }: Box): string | null {
  return mails?.find(({ key }) => unread.has(key))?.key ?? null;
}
