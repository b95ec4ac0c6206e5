import { bytesOf } from './chunks.js';
import { emailCost, messageCost } from './cost.js';
import type { Appended, Delivery, StoredEmail, StoreLimits } from './store.js';

/** What a store knows of an inbox that has emails, or had some that were cleared. */
export interface InboxState {
  /** `receivedAt` of the newest email that it had, deleted ones included. */
  readonly newest: number;
  /** When that one expires. Until then the state is kept, so that what comes next is later (D6). */
  readonly expiresAt: number;
  /** Its emails up to this `receivedAt` were cleared or have expired: nobody sees them, and they are not counted. */
  readonly goneUpTo: number;
  /** How many emails it has behind `goneUpTo` that were not cleared one by one; expired ones may be among them. */
  readonly count: number;
  /** How many emails it has that are not deleted, seen or not. */
  readonly kept: number;
  /** Whether a later email of it may expire before an earlier one, since the retention has been shortened. */
  readonly isMixed?: true;
}

export interface EmailState extends Pick<StoredEmail, 'receivedAt' | 'expiresAt'> {
  /** Whether it was cleared by itself: nobody sees it, and it is not counted. */
  readonly isCleared: boolean;
}

export interface Holdings {
  readonly bytes: number;
  inbox(name: string): InboxState | undefined;
  /** The emails of an inbox that are later than `after`, oldest first. Only so many are taken as are needed. */
  emails(name: string, after: number): Iterable<EmailState>;
}

export interface Arrival extends StoredEmail, EmailState {
  readonly inbox: string;
}

/** What is to be said of a delivery, and to be written for it: nothing when it is refused. */
export interface Admission {
  readonly appended: Appended;
  readonly arrivals: readonly Arrival[];
  readonly inboxes: ReadonlyMap<string, InboxState>;
  readonly bytes: number;
}

const NO_EMAILS: InboxState = { newest: -1, expiresAt: 0, goneUpTo: -1, count: 0, kept: 0 };

/**
 * Decides on a delivery, as `Store.append` promises: whether it is taken, and what each recipient's email is given as
 * `receivedAt` and `expiresAt` (D6, D7). An email that is expired already is taken but not kept.
 *
 * What is cleared or expired takes no room in its inbox, but counts in the budget until it is deleted. So a store that
 * answers `store-full` has to purge and to ask again.
 */
export function admit(delivery: Delivery, now: number, limits: StoreLimits, holdings: Holdings): Admission {
  const receivedAts: number[] = [];
  const arrivals: Arrival[] = [];
  const inboxes = new Map<string, InboxState>();
  const indexBytes = delivery.index.length;
  const summaryBytes = delivery.summary.length;
  for (const { inbox, to } of delivery.recipients) {
    const before = inboxes.get(inbox) ?? holdings.inbox(inbox) ?? NO_EMAILS;
    const receivedAt = Math.max(delivery.receivedAt, before.newest + 1);
    const expiresAt = receivedAt + limits.retentionMs;
    receivedAts.push(receivedAt);
    if (expiresAt <= now) continue;
    arrivals.push({ inbox, to, receivedAt, expiresAt, isCleared: false, indexBytes, summaryBytes });
    inboxes.set(inbox, withEmail(before, receivedAt, expiresAt));
  }

  for (const [name, state] of inboxes) {
    const emails = (after: number) => holdings.emails(name, after);
    const lighter = withoutExpired(state, emails(state.goneUpTo), now, limits.maxEmails);
    const isFull =
      lighter.count > limits.maxEmails && lighter.count - uncounted(lighter, emails, now) > limits.maxEmails;
    if (isFull) return refused('inbox-full');
    inboxes.set(name, lighter);
  }
  const bytes = arrivals.length === 0 ? 0 : costOf(delivery, arrivals);
  if (holdings.bytes + bytes > limits.budgetBytes && bytes > 0) return refused('store-full');
  return { appended: { stored: true, receivedAt: receivedAts }, arrivals, inboxes, bytes };
}

function withEmail(state: InboxState, receivedAt: number, expiresAt: number): InboxState {
  const isMixed = state.isMixed || (state.kept > 0 && expiresAt < state.expiresAt);
  const { goneUpTo, count, kept } = state;
  return {
    newest: receivedAt,
    expiresAt,
    goneUpTo,
    count: count + 1,
    kept: kept + 1,
    ...(isMixed ? { isMixed } : {}),
  };
}

/** The state once as many expired emails are no longer counted as its cap asks for. So each is looked at only once. */
function withoutExpired(
  state: InboxState,
  oldestFirst: Iterable<EmailState>,
  now: number,
  maxEmails: number,
): InboxState {
  let { count, goneUpTo } = state;
  if (count <= maxEmails) return state;
  for (const { receivedAt, expiresAt, isCleared } of oldestFirst) {
    if (now < expiresAt && !isCleared) break;
    goneUpTo = receivedAt;
    if (!isCleared) count -= 1;
    if (count <= maxEmails) break;
  }
  return { ...state, count, goneUpTo };
}

/** How many emails behind `goneUpTo` have expired, in an inbox where they do not do so in their order. */
function uncounted(state: InboxState, emails: (after: number) => ReturnType<Holdings['emails']>, now: number): number {
  if (!state.isMixed) return 0;
  let expired = 0;
  for (const { expiresAt, isCleared } of emails(state.goneUpTo)) if (expiresAt <= now && !isCleared) expired += 1;
  return expired;
}

function costOf({ index, summary, content }: Delivery, arrivals: readonly Arrival[]): number {
  const message = messageCost({
    indexBytes: index.length,
    summaryBytes: summary.length,
    contentBytes: bytesOf(content),
  });
  return arrivals.reduce((sum, arrival) => sum + emailCost(arrival), message);
}

function refused(reason: 'inbox-full' | 'store-full'): Admission {
  return { appended: { stored: false, reason }, arrivals: [], inboxes: new Map(), bytes: 0 };
}

export function cleared(state: InboxState): InboxState {
  return { ...state, goneUpTo: state.newest, count: 0 };
}

/** The state of an inbox of which an email that is counted is cleared by itself. */
export function clearedOne(state: InboxState): InboxState {
  return { ...state, count: state.count - 1 };
}

/** The state once an email is deleted; undefined when nothing needs to be known any more at `now`. */
export function withoutEmail(
  state: InboxState,
  { receivedAt, isCleared }: Omit<EmailState, 'expiresAt'>,
  now: number,
): InboxState | undefined {
  const count = receivedAt > state.goneUpTo && !isCleared ? state.count - 1 : state.count;
  const kept = state.kept - 1;
  return isOver({ ...state, kept }, now) ? undefined : { ...state, count, kept };
}

/**
 * Whether an inbox can be forgotten: all of its emails are deleted, and the newest would have expired. A later delivery then
 * gets an earlier `receivedAt` only if it has expired itself, or if the clock went back by more than the retention.
 */
export function isOver({ kept, expiresAt }: InboxState, now: number): boolean {
  return kept === 0 && expiresAt <= now;
}

export function isStoreFull(appended: Appended): boolean {
  return !appended.stored && appended.reason === 'store-full';
}
