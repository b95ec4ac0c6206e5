import { canonicalInbox } from 'mayfly-protocol/inbox-name';
import { isPrivateName } from 'mayfly-protocol/private-name';
import type { Clock } from '../base/clock.js';
import { Semaphore } from '../limits/semaphore.js';
import type { Appended, Store, StoredEmail } from '../store/store.js';
import type { AdHocFull, AdHocQuota } from './ad-hoc.js';
import { bareInbox } from './ad-hoc.js';
import type { Changes } from './changes.js';
import { recordEnd } from './ingest/stored-message.js';
import { indexAt } from './read/selecting.js';

/** Prefix of the name under which the store keeps held mail of an inbox. No inbox name begins with a dot (D1). */
const HELD = '.';

export function hiddenInbox(inbox: string): string {
  return HELD + inbox;
}

export function isHidden(inbox: string): boolean {
  return inbox.startsWith(HELD) && canonicalInbox(bareInbox(inbox.slice(HELD.length))) !== null;
}

/** Whether lists of all inboxes omit an inbox for every caller: it holds mail back, or only a secret opens it. */
export function isUnlisted(inbox: string): boolean {
  return isHidden(inbox) || isPrivateName(inbox);
}

/** The inbox whose mail a hidden inbox holds back. Returns any other inbox as it is. */
export function openInbox(inbox: string): string {
  return isHidden(inbox) ? inbox.slice(HELD.length) : inbox;
}

/** The numbers of released emails and of those still held, a position without an email, or why the store refused. */
export type Released =
  | { readonly released: number; readonly held: number }
  | { readonly missing: number; readonly held: number }
  | Extract<Appended | AdHocFull, { stored: false }>['reason'];

export interface HeldBackOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly adHocQuota: AdHocQuota | null;
  readonly changes: Pick<Changes, 'came'>;
  /** Called for each released email, with its `receivedAt` before and after the release. */
  released?(inbox: string, heldAt: number, receivedAt: number): void;
}

export type HeldBack = ReturnType<typeof heldBackOf>;
export type HeldMail = Pick<HeldBack, 'inboxOf' | 'release'>;

/** Mail that a plugin hides from readers until the plugin releases it (D56). */
export function heldBackOf({ store, clock, adHocQuota, changes, released: noteReleased }: HeldBackOptions) {
  /** One release at a time, because each changes the positions of held mail, and loads whole emails into memory. */
  const releases = new Semaphore(1);
  const tests: ((inbox: string) => boolean)[] = [];

  /** Appends a copy of a held email. Null if the email has expired, was cleared or was released by another process. */
  async function append(email: StoredEmail, inbox: string): Promise<Appended | AdHocFull | null> {
    const index = await indexAt({ store, clock }, email);
    const [summary] = await store.summaries([email]);
    if (index === undefined || !summary) return null;
    const { first, rest } = await store.content(email);
    const content = [Buffer.from(first)];
    for await (const piece of rest ?? []) content.push(Buffer.from(piece));
    const recipients = [{ inbox, to: email.to }];
    const copies = { index: Buffer.from(index), summary: Buffer.from(summary), content };
    const appended = () => store.append({ receivedAt: clock.now(), recipients, ...copies }, clock.now());
    // A released email expires as late as mail that arrives now, and counts toward the quota like such mail.
    const kept = content.reduce((sum, piece) => sum + piece.length, 0);
    const load = { client: null, bytes: kept - recordEnd(content[0] as Buffer), recipients: 1 };
    return adHocQuota === null ? appended() : adHocQuota.append(inbox, load, clock.now(), appended);
  }

  async function releaseNow(inbox: string, order: readonly number[] | null): Promise<Released> {
    const held = [...(await store.list(hiddenInbox(inbox), {}, clock.now()))].reverse();
    const positions = order ?? held.map((_, n) => n + 1);
    const missing = positions.find((position) => held[position - 1] === undefined);
    if (missing !== undefined) return { missing, held: held.length };
    let released = 0;
    for (const position of positions) {
      const email = held[position - 1] as StoredEmail;
      const appended = await append(email, inbox);
      if (appended === null) continue;
      if (!appended.stored) return appended.reason;
      const [receivedAt = 0] = appended.receivedAt;
      if (!(await store.clearOne(email.inbox, email.receivedAt, clock.now()))) {
        // Another process may have released the email. Only the process that clears the held email keeps its copy.
        await store.clearOne(inbox, receivedAt, clock.now());
        continue;
      }
      released += 1;
      noteReleased?.(inbox, email.receivedAt, receivedAt);
      changes.came(new Set([inbox]), [{ inbox, receivedAt }]);
    }
    return { released, held: held.length - positions.length };
  }

  return {
    /** The hidden inbox that stores an inbox's held mail. */
    inboxOf: hiddenInbox,
    /** Whether clearing an inbox must also clear its held mail. */
    mayHold: (inbox: string): boolean => tests.some((test) => test(inbox)),
    addTest: (mayHold: (inbox: string) => boolean): void => void tests.push(mayHold),
    /** Releases held emails in this order of positions (1: the oldest; null: all). A crash may duplicate an email. */
    release: (inbox: string, order: readonly number[] | null): Promise<Released> =>
      releases.run(() => releaseNow(inbox, order)),
  };
}
