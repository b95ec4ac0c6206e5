import type { Attempt } from 'mayfly-client';
import { isPassing } from 'mayfly-client/retry';
import { useRef, useState } from 'preact/hooks';
import { type KnownLog, readLog } from '../service.js';
import { announce } from '../ui/announce.js';
import { repeat, useUntil } from '../ui/until.js';
import { back, change, keepPlace, useUrl } from '../url.js';
import { isFailed, replyOf } from './words.js';

/** How often a visible page polls, and the pause after a failed poll. */
const ASK_MS = 2_000;
const TROUBLE_MS = 10_000;

export interface Log {
  /** The last answer; null before the first. Without the waits of open pages, because these always wait for mail. */
  readonly known: KnownLog | null;
  /** Why the last poll failed. */
  readonly error: Error | null;
  readonly isOpen: boolean;
  readonly isFailedOnly: boolean;
  open(): void;
  /** With the key of an email, closes the log and chooses that email. */
  close(key?: string): void;
  filter(isFailedOnly: boolean): void;
}

/** The delivery log of an inbox or, for an empty name and while it is open, of all inboxes. Null pauses the polling. */
export function useLog(name: string | null): Log {
  const shown = useShown();
  return { ...usePolled(name === '' && !shown.isOpen ? null : name, shown.isFailedOnly), ...shown };
}

/** While the page is visible, polls the delivery log, and announces new failures of an inbox. */
function usePolled(name: string | null, isFailedOnly: boolean): Pick<Log, 'known' | 'error'> {
  const [polled, setPolled] = useState<Pick<Log, 'known' | 'error'>>({ known: null, error: null });
  const announced = useRef<string | null>(null);
  useUntil([name, isFailedOnly], (signal, end) => {
    if (name === null) return;
    repeat(signal, async () => {
      try {
        const { waits, ...rest } = await readLog(name, isFailedOnly, signal);
        setPolled({ known: { ...rest, waits: waits.filter(({ way }) => way !== 'page') }, error: null });
        // Omits the log of all inboxes, because it has each connection of a health check.
        const newest = name === '' ? undefined : rest.attempts.find(isFailed);
        if (newest && announced.current !== null && newest.at > announced.current) announce(failureOf(newest));
        announced.current = newest?.at ?? announced.current ?? '';
        return ASK_MS;
      } catch (error) {
        if (!signal.aborted) setPolled(({ known }) => ({ known, error: error as Error }));
        // Each wrong key counts against this address, which tests may share.
        if (!isPassing(error)) end();
        return TROUBLE_MS;
      }
    });
  });
  return polled;
}

/** `Refused: 550 5.7.1 This service only accepts mail for inbox.example.com.` */
export function failureOf(attempt: Attempt): string {
  const text = `${attempt.error === null ? '' : 'Refused: '}${replyOf(attempt)}`;
  return text.endsWith('.') ? text : `${text}.`;
}

/** Whether the log is open, and what it shows. Both are in the URL, so that they survive a reload, and Back closes. */
function useShown(): Omit<Log, 'known' | 'error'> {
  const { query, fragment } = useUrl();
  const shown = query.log ?? '';
  return {
    isOpen: shown !== '',
    isFailedOnly: shown === 'failed',
    open: () => change({ query: { log: 'all' } }, 'push'),
    close(key) {
      if (shown === '') return;
      if (key === undefined) return back({ query: { log: '' } });
      change({ query: { log: '' }, fragment: key });
      // Otherwise Escape would go back to the email that was open before the log.
      if (fragment !== '') keepPlace({ isInner: false });
    },
    filter: (isFailedOnly) => change({ query: { log: isFailedOnly ? 'failed' : 'all' } }),
  };
}
