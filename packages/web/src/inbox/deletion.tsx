import { MayflyGoneError } from 'mayfly-client';
import { retried } from 'mayfly-client/retry';
import { useRef, useState } from 'preact/hooks';
import { wordsFor } from '../problem-words.js';
import { emailPath, type Service } from '../service.js';
import { announce, toast } from '../ui/announce.js';
import { useUntil } from '../ui/until.js';
import type { BoxEvent } from './box.js';
import type { InboxFeed } from './use-box.js';

/** How long a deletion can be undone. */
const UNDO_MS = 5_000;

/** How long one email may take to be deleted. */
const DELETE_TIMEOUT_MS = 30_000;

const NO_KEYS: readonly string[] = [];

/** The deletions of a page, which can be undone for a moment. */
export interface Deletion {
  /** The keys of emails whose deletion can be undone: those that have not expired, and nobody else has deleted. */
  readonly undoable: readonly string[];
  /** The keys of emails that the page hides: those, and those that are being deleted. */
  readonly hidden: ReadonlySet<string>;
  /** Deletes emails after `UNDO_MS`, and those of the deletion before at once. */
  remove(keys: readonly string[]): void;
  undo(): void;
}

/** Deletes emails of an inbox. The service cannot undo a deletion, so the page waits before it asks for one. */
export function useDeletion(inbox: string, { service, box, tell }: InboxFeed): Deletion {
  const waiting = useRef(NO_KEYS);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const [kept, setKept] = useState(NO_KEYS);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const wait = (keys: readonly string[]) => {
    clearTimeout(timer.current);
    waiting.current = keys;
    setKept(keys);
  };
  const undoable = kept.filter((key) => box.mails?.some((mail) => mail.key === key));
  const show = (keys: readonly string[]) => setHidden((all) => new Set([...all].filter((key) => !keys.includes(key))));
  const commit = async () => {
    const keys = waiting.current;
    wait(NO_KEYS);
    const deleted: string[] = [];
    try {
      for (const key of keys) {
        await retried(AbortSignal.timeout(DELETE_TIMEOUT_MS), () => service.inbox(inbox).delete(key)).catch(passOver);
        deleted.push(key);
      }
    } catch (error) {
      toast(`${countOf(keys.length - deleted.length)} could not be deleted. ${wordsFor(error as Error)}`);
    }
    tell({ type: 'removed', keys: deleted });
    show(keys);
    if (deleted.length > 0) shareDeletion(service, inbox, { keys: deleted });
  };
  useUntil([service, inbox], (signal) => {
    // The user was told that they are deleted, so they are, even if the page is left at once.
    const leave = () => {
      const headers: HeadersInit = service.key === null ? {} : { authorization: `Bearer ${service.key}` };
      const keys = waiting.current;
      for (const key of keys) {
        fetch(emailPath(inbox, key), { method: 'DELETE', headers, keepalive: true }).catch(() => {});
      }
      wait(NO_KEYS);
      if (keys.length > 0) shareDeletion(service, inbox, { keys });
    };
    addEventListener('pagehide', leave, { signal });
    signal.addEventListener('abort', leave);
  });
  return {
    undoable,
    hidden,
    remove(keys) {
      commit();
      wait(keys);
      setHidden((all) => new Set([...all, ...keys]));
      announce(`${countOf(keys.length)} deleted. Press z to undo.`);
      timer.current = setTimeout(commit, UNDO_MS);
    },
    undo() {
      if (undoable.length === 0) return toast('There is nothing to undo.');
      show(waiting.current);
      wait(NO_KEYS);
      announce('The deletion is undone.');
    },
  };
}

/** A number of emails in words. */
export function countOf(count: number): string {
  return count === 1 ? '1 email' : `${count} emails`;
}

/** Another user was faster. */
function passOver(error: unknown): void {
  if (!(error instanceof MayflyGoneError)) throw error;
}

/** Says what was deleted, for as long as that can be undone. */
export function UndoBar({ deletion: { undoable, undo } }: { deletion: Deletion }) {
  if (undoable.length === 0) return null;
  return (
    <p class="toast undo">
      {countOf(undoable.length)} deleted
      <button type="button" class="button" onClick={undo}>
        Undo
      </button>
    </p>
  );
}

/** What a tab tells the others of this browser: the keys of deleted emails, or up to when an inbox was emptied. */
type Deleted = { readonly keys: readonly string[] } | { readonly upTo: number };

/** Tells the other tabs of an inbox what this one has deleted: no stream does. */
export function shareDeletion(service: Service, inbox: string, deletion: Deleted): void {
  const channel = new BroadcastChannel(channelOf(service, inbox));
  channel.postMessage(deletion);
  channel.close();
}

/** Hears what other tabs delete. After an inbox was emptied, `retry` lists it again for mail that came meanwhile. */
export function useDeletions(
  service: Service,
  inbox: string,
  tell: (event: BoxEvent) => void,
  retry: () => void,
): void {
  useUntil([service, inbox], (signal) => {
    const channel = new BroadcastChannel(channelOf(service, inbox));
    channel.onmessage = ({ data }: MessageEvent<Deleted>) => {
      if ('keys' in data) return tell({ type: 'deleted', keys: data.keys });
      tell({ type: 'emptied', upTo: data.upTo });
      retry();
    };
    signal.addEventListener('abort', () => channel.close());
  });
}

/**
 * Only pages of this origin hear it: mail is shown in an origin of its own. Inboxes of two spaces have the same names,
 * and no inbox name has a slash.
 */
function channelOf({ space }: Service, inbox: string): string {
  return `mayfly-inbox-${inbox}/${space}`;
}
