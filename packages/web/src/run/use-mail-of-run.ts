import type { ShownTest } from 'mayfly-protocol/run-tests';
import { useMemo, useReducer } from 'preact/hooks';
import { type BoxEvent, EMPTY_BOX } from '../inbox/box.js';
import { useDeletion } from '../inbox/deletion.js';
import { focusedRow, focusMail, focusRow, useFocus, useIsWide } from '../inbox/focus.js';
import { MAIL_KEYS } from '../inbox/keys.js';
import type { Mail } from '../inbox/mail.js';
import { fragmentOf, keyIn, useOpened } from '../inbox/selection.js';
import { useKnown } from '../settings.js';
import { useKeys } from '../ui/use-keys.js';
import { back, change, useUrl } from '../url.js';
import { mailIn } from './drawn.js';

/** Matches the `id` of a test and, after it, the key of an email. */
const CHOSEN = /^([a-z0-9-]{1,32})(?:\/(.+))?$/;

/** The emails of a run, and the one on screen with its test. Both are in the URL's fragment. */
export function useMailOfRun(tests: readonly ShownTest[], now: number) {
  const [, test = '', rest = ''] = CHOSEN.exec(useUrl().fragment) ?? [];
  const key = keyIn(rest, '');
  const isWide = useIsWide();
  const [gone, tell] = useReducer(withGone, new Set<string>());
  const deletion = useDeletion('', { tell });
  const hidden = useMemo(() => new Set([...gone, ...deletion.hidden]), [gone, deletion.hidden]);
  const mails = useMemo(() => mailsOf(tests), [tests]);
  // A report has only the newest emails of each inbox, so it does not show that an older one is gone.
  const opened = useOpened('', { ...EMPTY_BOX, mails }, key, now - useKnown().retentionMs, true);
  useFocus(key, isWide);

  const choose = (id: string, next: string | null) =>
    change(
      { fragment: next === null ? id : `${id}/${fragmentOf(next)}` },
      next !== null && key === null ? 'push' : 'replace',
    );
  const letGo = () => back({ fragment: test });
  const remove = ([next = '']: readonly string[]) => {
    deletion.remove([next]);
    if (next === key) letGo();
  };
  const step = (by: number) => {
    const rows = [...document.querySelectorAll<HTMLElement>('.run-report .row-open')];
    const shown = rows.filter((row) => row.checkVisibility());
    const at = shown.findIndex((row) => row.dataset.key === (key ?? focusedRow()));
    const next = shown[Math.min(Math.max(at + by, 0), shown.length - 1)];
    next?.focus();
    if (key !== null) next?.click();
  };
  const leave = () => {
    const isInMail = document.activeElement?.closest('.mail') != null;
    if (isInMail && isWide) focusRow(key);
    else if (key !== null) letGo();
  };
  useKeys({
    ...MAIL_KEYS,
    ArrowRight: key === null ? () => step(1) : focusMail,
    ...(key !== null && { ArrowUp: () => step(-1), ArrowDown: () => step(1), Delete: () => remove([key]) }),
    z: deletion.undo,
    Escape: leave,
  });
  return { test, key, opened, listed: mails, hidden, deletion, tell, remove, choose, letGo, learn: () => {} };
}

/** The keys of deleted emails, which the report may still have. */
function withGone(gone: ReadonlySet<string>, event: BoxEvent): ReadonlySet<string> {
  return 'keys' in event ? new Set([...gone, ...event.keys]) : gone;
}

/** The emails of all tests, newest first. */
function mailsOf(tests: readonly ShownTest[]): Mail[] {
  const inboxes = tests.flatMap(({ attempts }) => attempts.flatMap((attempt) => attempt.inboxes));
  const mails = inboxes.flatMap(({ to, emails }) => (emails ?? []).map((email) => mailIn({ email, to })));
  return mails.filter((mail) => mail !== null).sort((one, other) => other.receivedAt - one.receivedAt);
}
