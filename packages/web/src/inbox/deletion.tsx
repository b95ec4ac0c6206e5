import { MayflyGoneError } from 'mayfly-client';
import { retried } from 'mayfly-client/retry';
import { useRef, useState } from 'preact/hooks';
import { adHocOf } from '../credentials.js';
import { wordsFor } from '../problem-words.js';
import { deleteOnLeave, inboxApi } from '../service.js';
import { announce, toast } from '../ui/announce.js';
import { Button } from '../ui/button.js';
import { plural } from '../ui/time.js';
import { useUntil } from '../ui/until.js';
import type { BoxEvent } from './box.js';
import type { Feed } from './feed.js';
import { focusRow } from './focus.js';
import { placeOf } from './mail.js';

/** How long a deletion can be undone. */
const UNDO_MS = 5_000;

const DELETE_TIMEOUT_MS = 30_000;

const NO_KEYS: readonly string[] = [];

export interface Deletion {
  /** The keys of emails whose deletion can be undone, without emails that have expired or that others have deleted. */
  readonly undoable: readonly string[];
  /** The keys of emails that the page hides: undoable deletions, and those in progress. */
  readonly hidden: ReadonlySet<string>;
  /** Deletes these emails after `UNDO_MS`. Immediately deletes those of the previous call that still wait. */
  remove(keys: readonly string[]): void;
  undo(): void;
}

/** Deletes emails. The service cannot undo a deletion, so the page delays the request. */
export function useDeletion(inbox: string, { box, tell }: Pick<Feed, 'tell'> & Partial<Feed>): Deletion {
  const waiting = useRef(NO_KEYS);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const [kept, setKept] = useState(NO_KEYS);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const wait = (keys: readonly string[]) => {
    clearTimeout(timer.current);
    waiting.current = keys;
    setKept(keys);
  };
  // The matches of a search, and a list with pages that are not loaded, may lack emails that still exist.
  const isWhole = box?.search === '' && box.pages.length === 0;
  const undoable = kept.filter((key) => !isWhole || box?.mails?.some((mail) => mail.key === key));
  const show = (keys: readonly string[]) => setHidden((all) => new Set([...all].filter((key) => !keys.includes(key))));
  const at = (key: string) => placeOf(key, inbox);
  const share = (keys: readonly string[]) => {
    for (const [name, own] of Map.groupBy(keys.map(at), ({ inbox }) => inbox))
      shareDeletion(name, { keys: own.map(({ receivedAt }) => receivedAt) });
  };
  const commit = async () => {
    const keys = waiting.current;
    wait(NO_KEYS);
    const deleted: string[] = [];
    try {
      for (const key of keys) {
        await retried(AbortSignal.timeout(DELETE_TIMEOUT_MS), () =>
          inboxApi(at(key).inbox).delete(at(key).receivedAt),
        ).catch((error: unknown) => {
          // Another client has already deleted this email.
          if (!(error instanceof MayflyGoneError)) throw error;
        });
        deleted.push(key);
      }
    } catch (error) {
      toast(`${plural(keys.length - deleted.length, 'email')} could not be deleted. ${wordsFor(error as Error)}`);
    }
    tell({ type: 'deleted', keys: deleted });
    show(keys);
    share(deleted);
  };
  useUntil([inbox], (signal) => {
    // The page already shows the emails as deleted, so it deletes them even if the user leaves before the delay ends.
    const leave = () => {
      for (const key of waiting.current) deleteOnLeave(at(key).inbox, at(key).receivedAt);
      share(waiting.current);
      wait(NO_KEYS);
    };
    for (const event of ['pagehide', 'leave']) addEventListener(event, leave, { signal });
    signal.addEventListener('abort', leave);
  });
  return {
    undoable,
    hidden,
    remove(keys) {
      commit();
      wait(keys);
      setHidden((all) => new Set([...all, ...keys]));
      announce(`${plural(keys.length, 'email')} deleted. Press z to undo.`);
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

export function UndoBar({ deletion: { undoable, undo } }: { deletion: Deletion }) {
  const [first] = undoable;
  if (first === undefined) return null;
  const undoAndFocus = () => {
    undo();
    focusRow(first);
  };
  return (
    <p class="toast undo bar">
      {plural(undoable.length, 'email')} deleted
      <Button text="Undo" onClick={undoAndFocus} />
    </p>
  );
}

/** The keys of deleted emails, or the time up to which an inbox was emptied. */
type Deleted = { readonly keys: readonly string[] } | { readonly upTo: number };

/** Reports deletions to other tabs, because no stream reports them. */
export function shareDeletion(inbox: string, deletion: Deleted): void {
  const channel = channelOf(inbox);
  channel.postMessage(deletion);
  channel.close();
}

/** Applies the deletions of other tabs. `retry` lists an emptied inbox again, for mail that has arrived since. */
export function useDeletions(inbox: string, tell: (event: BoxEvent) => void, retry: () => void) {
  useUntil([inbox], (signal) => {
    const channel = channelOf(inbox);
    channel.onmessage = ({ data }: MessageEvent<Deleted>) => {
      if ('keys' in data) return tell({ type: 'deleted', keys: data.keys });
      tell({ type: 'expired', upTo: data.upTo });
      retry();
    };
    signal.addEventListener('abort', () => channel.close());
  });
}

/**
 * The channel of an inbox. Scripts in emails cannot listen on it, because emails have an opaque origin. Its name
 * contains the credentials, because two ad-hoc workspaces may use the same inbox name.
 */
function channelOf(inbox: string): BroadcastChannel {
  return new BroadcastChannel(`mayfly-inbox-${inbox}/${adHocOf(inbox)}`);
}
