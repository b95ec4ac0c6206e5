import type { Found, Mail, Read } from './book.js';

/** What the inboxes contain after the load, and what followers have read. */
export interface Findings {
  readonly inboxes: ReadonlyMap<string, readonly Found[]>;
  /** The emails that a follower has read, in order. Not every inbox has a follower. */
  readonly followed: ReadonlyMap<string, readonly Read[]>;
}

/** What the store may lose, according to docs/scaling.md. */
export interface Allowed {
  /**
   * A message may be read and then vanish before it is acknowledged, if the Redis master that stored it dies before
   * replicating it. A node that still has the message in memory stores it again before acknowledging it.
   */
  readonly unacknowledgedMayVanish?: boolean;
  /** An unacknowledged message may be in only some of its inboxes, if its node died while storing it. */
  readonly unacknowledgedMayBeHalved?: boolean;
}

/** For each check, by name, a sentence per breach. */
export type Breaches = Record<
  'lost' | 'twice' | 'halved' | 'torn' | 'out of order' | 'passed over' | 'vanished',
  string[]
>;

export function judge(mails: ReadonlyMap<string, Mail>, findings: Findings, allowed: Allowed = {}): Breaches {
  const breaches: Breaches = {
    lost: [],
    twice: [],
    halved: [],
    torn: [],
    'out of order': [],
    'passed over': [],
    vanished: [],
  };
  for (const mail of mails.values()) judgeMail(mail, findings, allowed, breaches);
  for (const [inbox, found] of findings.inboxes) {
    for (const { id, isWhole } of found) if (!isWhole) breaches.torn.push(`${id} in ${inbox} is not what was sent`);
    judgeOrder(inbox, found.toReversed(), mails, breaches);
  }
  for (const [inbox, read] of findings.followed) {
    judgeFollower(inbox, read, { mails, allowed, found: findings.inboxes.get(inbox) ?? [] }, breaches);
  }
  return breaches;
}

function judgeMail(mail: Mail, { inboxes }: Findings, allowed: Allowed, breaches: Breaches): void {
  const { id, finished, acknowledgedAt } = mail;
  const copies = mail.inboxes.map((inbox) => (inboxes.get(inbox) ?? []).filter((found) => found.id === id).length);
  for (const [i, inbox] of mail.inboxes.entries()) {
    const count = copies[i] ?? 0;
    if (count === 0 && acknowledgedAt !== null) breaches.lost.push(`${id} was acknowledged and is not in ${inbox}`);
    if (count > finished) breaches.twice.push(`${id} was sent ${finished} times and is in ${inbox} ${count} times`);
  }
  const isHalved = new Set(copies).size > 1;
  // An unacknowledged send may leave copies in only some of the inboxes, even if a later send was acknowledged.
  const mayBe = allowed.unacknowledgedMayBeHalved && (acknowledgedAt === null || finished > 1);
  if (isHalved && !mayBe) breaches.halved.push(`${id} is in ${mail.inboxes.join()} ${copies.join()} times`);
}

/** Checks that each message precedes those sent after its acknowledgement. `found` begins with the oldest email. */
function judgeOrder(
  inbox: string,
  found: readonly Found[],
  mails: ReadonlyMap<string, Mail>,
  { 'out of order': outOfOrder }: Breaches,
): void {
  const seen = new Set<string>();
  let last = Number.NEGATIVE_INFINITY;
  let begunLast = Number.NEGATIVE_INFINITY;
  for (const { id, receivedAt } of found) {
    if (receivedAt <= last) outOfOrder.push(`${id} in ${inbox} is not later than the one before`);
    last = receivedAt;
    const mail = mails.get(id);
    // Of several copies, the first counts, because the sender may have repeated the message later.
    if (mail === undefined || seen.has(id)) continue;
    seen.add(id);
    if (mail.acknowledgedAt !== null && mail.acknowledgedAt < begunLast) {
      outOfOrder.push(`${id} in ${inbox} was acknowledged before the first send of one that precedes it`);
    }
    begunLast = Math.max(begunLast, mail.begunAt);
  }
}

function judgeFollower(
  inbox: string,
  read: readonly Read[],
  { mails, allowed, found }: { mails: ReadonlyMap<string, Mail>; allowed: Allowed; found: readonly Found[] },
  breaches: Breaches,
): void {
  const nameOf = ({ id, receivedAt }: Found) => `${id} of ${receivedAt}`;
  // A message that was read and lost with its master gets a new `receivedAt` when repeated, so only IDs are compared.
  const placeOf = allowed.unacknowledgedMayVanish ? ({ id }: Found) => id : nameOf;
  const [wereRead, areThere] = [new Set(read.map(placeOf)), new Set(found.map(nameOf))];
  for (const one of found) {
    if (!wereRead.has(placeOf(one)))
      breaches['passed over'].push(`${nameOf(one)} in ${inbox} was never read by its follower`);
  }
  for (const [i, one] of read.entries()) {
    const before = read[i - 1];
    if (before && one.receivedAt <= before.receivedAt) {
      breaches['out of order'].push(`${nameOf(one)} in ${inbox} was read after ${nameOf(before)}`);
    }
    if (areThere.has(nameOf(one))) continue;
    const mail = mails.get(one.id);
    const wasTaken = mail !== undefined && mail.acknowledgedAt !== null && mail.acknowledgedAt <= one.askedAt;
    const isSure = wasTaken && mail.finished === 1;
    if (isSure || !allowed.unacknowledgedMayVanish) {
      breaches.vanished.push(`${nameOf(one)} in ${inbox} was read and is gone`);
    }
  }
}
