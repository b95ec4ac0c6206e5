import { bytesOf } from './chunks.js';
import type { Appended, Delivery, StoredEmail, StoreLimits } from './store.js';

/** What a store knows of an inbox that has emails, or had some when it was cleared. */
export interface InboxState {
  /** `receivedAt` of its newest email, cleared ones included. */
  readonly newest: number;
  /** How many emails it has; the expired ones that are not purged yet are counted too. */
  readonly count: number;
}

/** What a store holds when a delivery comes. */
export interface Holdings {
  /** Bytes of all messages. */
  readonly bytes: number;
  /** The state of an inbox; undefined when nothing is known of it. */
  inbox(name: string): InboxState | undefined;
}

/** An email that is to be stored. */
export interface Arrival extends StoredEmail {
  readonly inbox: string;
}

/** What is to be said of a delivery, and to be written for it: nothing when it is refused. */
export interface Admission {
  readonly appended: Appended;
  readonly arrivals: readonly Arrival[];
  /** The states of the inboxes that the arrivals came into, with them. */
  readonly inboxes: ReadonlyMap<string, InboxState>;
}

const NO_EMAILS: InboxState = { newest: Number.NEGATIVE_INFINITY, count: 0 };

/**
 * Decides on a delivery, as `Store.append` promises: whether it is taken, and what each recipient's email is given as
 * `receivedAt` and `expiresAt` (design D6, D7). An email that is expired already is taken but not kept.
 *
 * What is expired but not purged counts as held here. So a store that refuses has to purge and to ask again.
 */
export function admit(delivery: Delivery, now: number, limits: StoreLimits, holdings: Holdings): Admission {
  const receivedAts: number[] = [];
  const arrivals: Arrival[] = [];
  const inboxes = new Map<string, InboxState>();
  for (const { inbox, to } of delivery.recipients) {
    const before = inboxes.get(inbox) ?? holdings.inbox(inbox) ?? NO_EMAILS;
    const receivedAt = Math.max(delivery.receivedAt, before.newest + 1);
    const expiresAt = receivedAt + limits.retentionMs;
    receivedAts.push(receivedAt);
    if (expiresAt <= now) continue;
    arrivals.push({ inbox, to, receivedAt, expiresAt });
    inboxes.set(inbox, { newest: receivedAt, count: before.count + 1 });
  }

  if ([...inboxes.values()].some((inbox) => inbox.count > limits.maxEmails)) return refused('inbox-full');
  const bytes = bytesOf([delivery.index, ...delivery.content]);
  if (arrivals.length > 0 && holdings.bytes + bytes > limits.budgetBytes) return refused('store-full');
  return { appended: { stored: true, receivedAt: receivedAts }, arrivals, inboxes };
}

function refused(reason: 'inbox-full' | 'store-full'): Admission {
  return { appended: { stored: false, reason }, arrivals: [], inboxes: new Map() };
}
