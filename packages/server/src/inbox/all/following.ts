import type { StoredEmail } from '../../store/store.js';
import type { Changes } from '../changes.js';
import { isHidden } from '../held-back.js';
import { type ListedText, listedTexts } from '../read/read.js';
import type { Shelf } from '../read/selecting.js';

export type { ListedText };

/** Number of newest emails compared with the previous read. If all are new, followers list again to get any others. */
const LOOKED_AT = 100;

const LOOK_MS = 2_000;

/** Under a flood, mail is announced in batches of this many milliseconds. */
const GAP_MS = 100;

/** If more inboxes than this have changed, followers are asked to list again. */
const MOST_CHANGED = 1_000;

export interface Follower {
  mayOpen(inbox: string): boolean;
  came(emails: readonly ListedText[]): void;
  /** Called if mail was deleted, or if `came` did not get all new mail. The follower must then list again. */
  changed(): void;
}

export interface FollowingOptions extends Pick<Shelf, 'store' | 'clock'> {
  readonly changes: Pick<Changes, 'listen'>;
}

interface Known {
  readonly byKey: ReadonlyMap<string, StoredEmail>;
  /** Emails that expire at this time or earlier may be missing from the read. */
  readonly end: number;
}

/** Sends followers the differences between two reads of the newest emails. Without followers, reads nothing. */
export class Following {
  readonly #options: FollowingOptions;
  readonly #followers = new Set<Follower>();
  #known: Known | null = null;
  #beginning: Promise<void> | null = null;
  #changed = new Set<string>();
  #isBehind = false;
  #isLooking = false;
  /** Monotonic times of the last read and of the next. */
  #lookedAt = 0;
  #nextLookAt = Number.POSITIVE_INFINITY;
  #cancelLook = () => {};

  constructor(options: FollowingOptions) {
    this.#options = options;
    options.changes.listen((inboxes) => this.#noteChanged(inboxes));
  }

  #noteChanged(inboxes: ReadonlySet<string>): void {
    if (this.#known === null && this.#beginning === null) return;
    for (const inbox of inboxes) {
      if (this.#changed.size < MOST_CHANGED) this.#changed.add(inbox);
      else this.#isBehind = true;
    }
    this.#planLook();
  }

  /** Once this resolves, the follower gets all mail that a list read later lacks. Rejects if the store fails. */
  async follow(follower: Follower): Promise<() => void> {
    if (this.#known === null) {
      this.#beginning ??= this.#look().finally(() => {
        this.#beginning = null;
      });
      await this.#beginning;
      this.#lookedAt = this.#options.clock.monotonic() - GAP_MS;
    }
    this.#followers.add(follower);
    this.#planLook();
    return () => {
      this.#followers.delete(follower);
      if (this.#followers.size === 0 && !this.#isLooking) this.#stop();
    };
  }

  #planLook(gapMs = GAP_MS): void {
    const { clock } = this.#options;
    const atMs = this.#lookedAt + (this.#changed.size > 0 || this.#isBehind ? gapMs : LOOK_MS);
    if (this.#isLooking || this.#followers.size === 0 || atMs >= this.#nextLookAt) return;
    this.#cancelLook();
    this.#nextLookAt = atMs;
    const delayMs = atMs - clock.monotonic();
    if (delayMs <= 0) void this.#lookAgain();
    else this.#cancelLook = clock.after(delayMs, () => void this.#lookAgain());
  }

  async #lookAgain(): Promise<void> {
    this.#nextLookAt = Number.POSITIVE_INFINITY;
    this.#isLooking = true;
    this.#lookedAt = this.#options.clock.monotonic();
    let gapMs = GAP_MS;
    // After a failure, reads again later. Logs nothing, because the store itself logs that it is unavailable.
    await this.#look().catch(() => {
      this.#isBehind = true;
      gapMs = LOOK_MS;
    });
    this.#isLooking = false;
    if (this.#followers.size === 0) this.#stop();
    else this.#planLook(gapMs);
  }

  #stop(): void {
    this.#cancelLook();
    this.#nextLookAt = Number.POSITIVE_INFINITY;
    this.#known = null;
    this.#changed.clear();
    this.#isBehind = false;
  }

  async #look(): Promise<void> {
    const { store, clock } = this.#options;
    const [changed, isBehind] = [this.#changed, this.#isBehind];
    [this.#changed, this.#isBehind] = [new Set(), false];
    const now = clock.now();
    const page = await store.recent({ limit: LOOKED_AT }, now);
    const emails = page.emails.filter(({ inbox }) => !isHidden(inbox));
    const end = page.next === null ? Number.NEGATIVE_INFINITY : (page.emails.at(-1)?.expiresAt ?? now);
    const before = this.#known;
    const known = { byKey: new Map(emails.map((email) => [keyOf(email), email])), end };
    this.#known = known;
    if (before === null) return;
    const come = [...newIn(known, before)].reverse();
    const gone = newIn(before, known).filter(({ expiresAt }) => expiresAt > now);
    const told = new Set([...come, ...gone].map(({ inbox }) => inbox));
    const unclear = [...gone.map(({ inbox }) => inbox), ...[...changed].filter((inbox) => !told.has(inbox))];
    const hasMore = isBehind || (page.next !== null && come.length === emails.length);
    this.#tell(await listedTexts(store, come), { unclear, hasMore });
  }

  #tell(emails: readonly ListedText[], rest: { readonly unclear: readonly string[]; readonly hasMore: boolean }): void {
    for (const follower of [...this.#followers]) {
      const seen = emails.filter(({ inbox }) => follower.mayOpen(inbox));
      if (seen.length > 0) follower.came(seen);
      if (rest.hasMore || rest.unclear.some((inbox) => !isHidden(inbox) && follower.mayOpen(inbox))) follower.changed();
    }
  }
}

/** The emails that the `other` read lacks, not counting those that expire too early to be in it. */
function newIn({ byKey }: Known, other: Known): readonly StoredEmail[] {
  return [...byKey].flatMap(([key, email]) => (other.byKey.has(key) || email.expiresAt <= other.end ? [] : [email]));
}

function keyOf({ inbox, receivedAt }: StoredEmail): string {
  return `${receivedAt} ${inbox}`;
}
