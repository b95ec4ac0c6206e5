import { canonicalInbox } from 'mayfly-protocol/inbox-name';
import { isPrivateName } from 'mayfly-protocol/private-name';
import type { Clock } from '../base/clock.js';
import { Semaphore } from '../limits/semaphore.js';
import type { Appended, Delivery, Store, StoredEmail } from '../store/store.js';
import type { Changes } from './changes.js';
import { recordEnd } from './ingest/stored-message.js';
import { indexAt } from './read/selecting.js';
import { outsideSpace } from './spaces/space.js';
import { roomFor, type SpaceAccounts } from './spaces/space-accounts.js';

/** Begins the name under which the store keeps held mail of an inbox. No inbox name begins with a dot (D1). */
const HELD = '.';

/** Held emails that are shown at the same time, of all inboxes: each is in memory as a whole. */
const SHOWN_AT_ONCE = 4;

/** The inbox, hidden from every reader, that keeps what an inbox holds back. */
export function hiddenInbox(inbox: string): string {
  return HELD + inbox;
}

export function isHidden(inbox: string): boolean {
  return inbox.startsWith(HELD) && canonicalInbox(outsideSpace(inbox.slice(HELD.length))) !== null;
}

/** Whether a list of all inboxes leaves one out, for every caller: it holds mail back, or only a secret opens it. */
export function isUnlisted(inbox: string): boolean {
  return isHidden(inbox) || isPrivateName(inbox);
}

/** The inbox whose mail a hidden one holds back; any other inbox itself. */
export function openInbox(inbox: string): string {
  return isHidden(inbox) ? inbox.slice(HELD.length) : inbox;
}

/** The space of its recipients has no room for a mail (D66). */
export interface SpaceFull {
  readonly stored: false;
  readonly reason: 'space-full';
}

/** How many emails were shown and are still held; or the requested position that is missing. */
export type Released =
  | { readonly released: number; readonly held: number }
  | { readonly missing: number; readonly held: number }
  | Extract<Appended | SpaceFull, { stored: false }>['reason'];

export interface HeldBackOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly spaces: SpaceAccounts | null;
  readonly changes: Pick<Changes, 'came'>;
  /** Called for each email that is shown, with its `receivedAt` while it was held and now. */
  released?(inbox: string, heldAt: number, receivedAt: number): void;
}

/** Mail that plugins keep from its readers until they release it (D56). */
export interface HeldMail {
  /** Where to deliver mail of an inbox that is held back. */
  inboxOf(inbox: string): string;
  /** In this order: `1` is the one held longest; null shows all. If the process is killed, one may appear twice. */
  release(inbox: string, order: readonly number[] | null): Promise<Released>;
}

export class HeldBack implements HeldMail {
  readonly #options: HeldBackOptions;
  readonly #showing = new Semaphore(SHOWN_AT_ONCE);
  readonly #last = new Map<string, Promise<void>>();
  readonly #tests: ((inbox: string) => boolean)[] = [];

  constructor(options: HeldBackOptions) {
    this.#options = options;
  }

  readonly inboxOf = hiddenInbox;

  /** Whether clearing an inbox must also clear what it holds back. */
  mayHold(inbox: string): boolean {
    return this.#tests.some((test) => test(inbox));
  }

  addTest(mayHold: (inbox: string) => boolean): void {
    this.#tests.push(mayHold);
  }

  release(inbox: string, order: readonly number[] | null): Promise<Released> {
    // One release of an inbox at a time: positions count from what the one before it has left.
    const released = (this.#last.get(inbox) ?? Promise.resolve()).then(() => this.#release(inbox, order));
    const ended = released
      .then(() => {})
      .catch(() => {})
      .finally(() => {
        if (this.#last.get(inbox) === ended) this.#last.delete(inbox);
      });
    this.#last.set(inbox, ended);
    return released;
  }

  async #release(inbox: string, order: readonly number[] | null): Promise<Released> {
    const { store, clock, changes } = this.#options;
    const held = [...(await store.list(hiddenInbox(inbox), {}, clock.now()))].reverse();
    const chosen = order === null ? held : order.map((position) => held[position - 1]);
    const missing = chosen.indexOf(undefined);
    if (missing >= 0) return { missing: (order as readonly number[])[missing] as number, held: held.length };
    let released = 0;
    for (const email of chosen as readonly StoredEmail[]) {
      const appended = await this.#showing.run(() => this.#show(email, inbox));
      if (appended === null) continue;
      if (!appended.stored) return appended.reason;
      released += 1;
      const [receivedAt = 0] = appended.receivedAt;
      changes.came(new Set([inbox]), [{ inbox, receivedAt }]);
    }
    return { released, held: held.length - chosen.length };
  }

  /** Null for an email that has expired, was cleared, or was shown by another process. */
  async #show(email: StoredEmail, inbox: string): Promise<Appended | SpaceFull | null> {
    const { clock, spaces } = this.#options;
    const copy = await this.#copyOf(email, inbox);
    if (copy === null) return null;
    const { delivery, bytes } = copy;
    // It can be read as long as mail that arrives now, and costs as much.
    const room = roomFor(spaces, inbox, { client: null, bytes, recipients: 1 }, clock.now());
    if (room === 'none left') return { stored: false, reason: 'space-full' };
    let isShown = false;
    try {
      const appended = await this.#append(delivery, email, inbox);
      isShown = appended?.stored === true;
      return appended;
    } finally {
      if (!isShown) room?.giveBack();
    }
  }

  async #append(delivery: Delivery, email: StoredEmail, inbox: string): Promise<Appended | null> {
    const { store, clock } = this.#options;
    const appended = await store.append(delivery, clock.now());
    if (!appended.stored) return appended;
    if (await store.clearOne(email.inbox, email.receivedAt, clock.now())) {
      this.#options.released?.(inbox, email.receivedAt, appended.receivedAt[0] as number);
      return appended;
    }
    // Another process was faster: only one of them clears the held email, and its copy stays.
    for (const receivedAt of appended.receivedAt) await store.clearOne(inbox, receivedAt, clock.now());
    return null;
  }

  async #copyOf(
    email: StoredEmail,
    inbox: string,
  ): Promise<{ readonly delivery: Delivery; readonly bytes: number } | null> {
    const { store, clock } = this.#options;
    const index = await indexAt(store, email, clock.now());
    const [summary] = await store.summaries([email]);
    if (index === undefined || !summary) return null;
    const { first, rest } = await store.content(email);
    const content = [Buffer.from(first)];
    for await (const piece of rest ?? []) content.push(Buffer.from(piece));
    const kept = content.reduce((sum, piece) => sum + piece.length, 0);
    const recipients = [{ inbox, to: email.to }];
    const copies = { index: Buffer.from(index), summary: Buffer.from(summary), content };
    const delivery = { receivedAt: clock.now(), recipients, ...copies };
    return { delivery, bytes: kept - recordEnd(content[0] as Buffer) };
  }
}
