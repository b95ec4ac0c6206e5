import type { Box } from './box.js';

interface NewMailProps {
  readonly box: Box;
  onOpen(key: string): void;
}

/** Says that unseen emails have come, and opens the newest of them. Nothing opens by itself. */
export function NewMail({ box: { mails, unread }, onOpen }: NewMailProps) {
  const newest = mails?.find(({ key }) => unread.has(key));
  if (newest === undefined) return null;
  return (
    <button type="button" class="new-mail" onClick={() => onOpen(newest.key)}>
      {unread.size} new
    </button>
  );
}
