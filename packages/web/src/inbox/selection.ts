import { retried } from 'mayfly-client/retry';
import { useRef, useState } from 'preact/hooks';
import { inboxApi, inboxNamed } from '../service.js';
import { toast } from '../ui/announce.js';
import { useUntil } from '../ui/until.js';
import { back, change, useUrl } from '../url.js';
import type { Box } from './box.js';
import { focusSearch } from './focus.js';
import { type Mail, mailOf, placeOf } from './mail.js';

/** Matches the key of an email: its `receivedAt` and, in all mail, its inbox. */
const KEY = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)(?:\/(.+))?$/;

/** The key of the chosen email, which is the URL's fragment. On a phone, Back leads from the email to the list. */
export function useSelection(inbox: string): [string | null, (key: string | null) => void] {
  const chosen = keyIn(useUrl().fragment, inbox);
  const choose = (key: string | null) => {
    if (key === null) return back({ fragment: '' });
    // Going from one email to the next adds nothing to the history.
    change({ fragment: fragmentOf(key) }, chosen === null ? 'push' : 'replace');
  };
  return [chosen, choose];
}

export function fragmentOf(key: string): string {
  return encodeURIComponent(key).replace(/%(?:3A|2F|40)/g, decodeURIComponent);
}

/** The key in a fragment, or null. Checked, because any page may link to any fragment. */
export function keyIn(fragment: string, inbox: string): string | null {
  try {
    const [key, receivedAt = '', name = ''] = KEY.exec(decodeURIComponent(fragment)) ?? [];
    const isOfList = inbox === '' ? inboxNamed(name) === name : name === '';
    return key !== undefined && isOfList && !Number.isNaN(Date.parse(receivedAt)) ? key : null;
  } catch {
    return null;
  }
}

/** Maximum number of selected emails, because deleting them takes one request for each. */
const MAX_TICKED = 500;

export type Ticked = ReturnType<typeof useTicked>;

/** The keys of selected emails; null unless emails are being selected. */
export function useTicked() {
  const [keys, setKeys] = useState<ReadonlySet<string> | null>(null);
  const tick = (next: readonly string[]) => {
    if (next.length > MAX_TICKED) toast(`At most ${MAX_TICKED} emails can be selected.`);
    setKeys(new Set(next.slice(0, MAX_TICKED)));
  };
  const replace = (next: ReadonlySet<string> | null) => {
    focusSearch();
    setKeys(next);
  };
  return {
    keys,
    toggle: (key: string) => tick(keys?.has(key) ? [...keys].filter((one) => one !== key) : [...(keys ?? []), key]),
    all: (mails: readonly Mail[]) => tick(mails.map(({ key }) => key)),
    begin: () => replace(new Set()),
    end: () => replace(null),
  };
}

export type Gone = 'expired' | 'deleted';

/** The email on screen, even if it is no longer in the inbox. `mail` is null if it was gone before the page opened. */
export type Opened = 'nothing' | 'looking' | { readonly mail: Mail | null; readonly gone: Gone | null };

/**
 * Finds an email in the list, in an earlier list, or in the service. Emails received up to `expired` have expired.
 * `isSearch` says that the list contains only the matches of a search.
 */
export function useOpened(inbox: string, box: Box, key: string | null, expired: number, isSearch: boolean): Opened {
  const last = useRef<Mail | null>(null);
  const [found, setFound] = useState<Mail | 'nothing' | null>(null);
  const listed = box.mails?.find((mail) => mail.key === key) ?? null;
  if (listed !== null) last.current = listed;
  const kept = last.current?.key === key ? last.current : null;
  const isUnknown = key !== null && kept === null && box.mails !== null;

  useUntil([isUnknown, key], async (signal) => {
    if (!isUnknown) return;
    setFound(null);
    const place = placeOf(key, inbox);
    const [after, before] = [-1, 1].map((ms) => new Date(Date.parse(place.receivedAt) + ms).toISOString());
    const look = () => inboxApi(place.inbox).summaries({ after, before, limit: 1 }, signal);
    const summaries = await retried(signal, look).catch(() => []);
    if (!signal.aborted) setFound(summaries[0] === undefined ? 'nothing' : { ...mailOf(summaries[0]), key });
  });

  if (key === null) return 'nothing';
  const receivedAt = Date.parse(placeOf(key, inbox).receivedAt);
  const gone = receivedAt <= expired ? 'expired' : 'deleted';
  // The list says nothing of emails that do not match its search, or that it has not loaded.
  const isPresent = listed !== null || isSearch || isInGap(box, receivedAt);
  if (kept !== null) return { mail: kept, gone: isPresent && gone !== 'expired' ? null : gone };
  if (box.mails === null || found === null) return 'looking';
  if (found === 'nothing') return { mail: null, gone };
  // The list has not loaded the email.
  return { mail: found, gone: gone === 'expired' ? gone : null };
}

/** Whether an email of this time is on a page that is not loaded. */
function isInGap({ mails, pages }: Box, receivedAt: number): boolean {
  const older = mails?.find((mail) => mail.receivedAt < receivedAt)?.receivedAt ?? Number.NEGATIVE_INFINITY;
  return pages.some(({ keys, oldest }) => keys === null && oldest <= receivedAt && oldest > older);
}
