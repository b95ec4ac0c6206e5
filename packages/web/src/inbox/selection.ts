import { useRef, useState } from 'preact/hooks';
import { inboxApi } from '../service.js';
import { toast } from '../ui/announce.js';
import { useUntil } from '../ui/until.js';
import { back, change, useUrl } from '../url.js';
import type { Box } from './box.js';
import { type Mail, mailOf } from './mail.js';

/** Matches the `receivedAt` of an email. */
const KEY = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** The key of the chosen email, which is the URL's fragment. On a phone, Back leads from the email to the list. */
export function useSelection(): [string | null, (key: string | null) => void] {
  const chosen = keyIn(useUrl().fragment);
  const choose = (key: string | null) => {
    if (key === null) return back({ fragment: '' });
    // Going from one email to the next adds nothing to the history.
    change({ fragment: key }, chosen === null ? 'push' : 'replace');
  };
  return [chosen, choose];
}

/** The key in a fragment, or null. Checked, because any page may link to any fragment. */
function keyIn(fragment: string): string | null {
  const written = fragment.replaceAll('%3A', ':');
  return KEY.test(written) && !Number.isNaN(Date.parse(written)) ? written : null;
}

/** Maximum number of selected emails, because deleting them takes one request for each. */
const MAX_TICKED = 500;

export interface Ticked {
  /** Null unless emails are being selected. */
  readonly keys: ReadonlySet<string> | null;
  toggle(key: string): void;
  all(mails: readonly Mail[]): void;
  begin(): void;
  end(): void;
}

export function useTicked(): Ticked {
  const [keys, setKeys] = useState<ReadonlySet<string> | null>(null);
  const tick = (next: readonly string[]) => {
    if (next.length > MAX_TICKED) toast(`At most ${MAX_TICKED} emails can be selected.`);
    setKeys(new Set(next.slice(0, MAX_TICKED)));
  };
  return {
    keys,
    toggle: (key) => tick(keys?.has(key) ? [...keys].filter((one) => one !== key) : [...(keys ?? []), key]),
    all: (mails) => tick(mails.map(({ key }) => key)),
    begin: () => setKeys(new Set()),
    end: () => setKeys(null),
  };
}

export type Gone = 'expired' | 'deleted';

/** The email on screen, even if it is no longer in the inbox. `mail` is null if it was gone before the page opened. */
export type Opened = 'nothing' | 'looking' | { readonly mail: Mail | null; readonly gone: Gone | null };

/** Finds an email in the list, in an earlier list, or in the service. Emails received up to `expired` have expired. */
export function useOpened(inbox: string, box: Box, key: string | null, expired: number): Opened {
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
