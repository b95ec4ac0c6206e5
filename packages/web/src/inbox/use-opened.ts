import { useRef, useState } from 'preact/hooks';
import { inboxApi } from '../service.js';
import { useUntil } from '../ui/until.js';
import type { Box } from './box.js';
import { type Mail, mailOf } from './mail.js';

export type Gone = 'expired' | 'deleted';

/** The email on screen, which stays even if it is gone. Without `mail`, it was gone before the page was opened. */
export type Opened = 'nothing' | 'looking' | { readonly mail: Mail | null; readonly gone: Gone | null };

interface OpenedContext {
  readonly inbox: string;
  readonly box: Box;
  readonly key: string | null;
  /** All emails received up to this moment have expired. */
  readonly expired: number;
}

/** The email of a key: from the list, or as the list had it last, or from the service. */
export function useOpened({ inbox, box, key, expired }: OpenedContext): Opened {
  const last = useRef<Mail | null>(null);
  const [found, setFound] = useState<Mail | 'nothing' | null>(null);
  const listed = box.mails?.find((mail) => mail.key === key) ?? null;
  if (listed !== null) last.current = listed;
  const kept = last.current?.key === key ? last.current : null;
  const isUnknown = key !== null && kept === null && box.mails !== null;

  useUntil([isUnknown, key], async (signal) => {
    if (!isUnknown) return;
    setFound(null);
    const [after, before] = [-1, 1].map((ms) => new Date(Date.parse(key) + ms).toISOString());
    const summaries = await inboxApi(inbox)
      .summaries({ after, before, limit: 1 }, signal)
      .catch(() => []);
    if (!signal.aborted) setFound(summaries[0] === undefined ? 'nothing' : mailOf(summaries[0]));
  });

  if (key === null) return 'nothing';
  const gone = Date.parse(key) <= expired ? 'expired' : 'deleted';
  if (kept !== null) return { mail: kept, gone: listed !== null && gone !== 'expired' ? null : gone };
  if (box.mails === null || found === null) return 'looking';
  if (found === 'nothing') return { mail: null, gone };
  // The email is too old for the list.
  return { mail: found, gone: gone === 'expired' ? gone : null };
}
