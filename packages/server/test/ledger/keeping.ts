import { setTimeout as delay } from 'node:timers/promises';
import { Book, type Found } from './book.js';
import { Follower } from './following.js';
import { type Allowed, type Breaches, judge } from './judging.js';
import { fetchAfter, Nodes } from './nodes.js';
import { Senders } from './sending.js';

/** The number of inboxes, and how many of them have a follower. */
const INBOXES = 12;
const FOLLOWED = 6;

/** Number of messages that must be acknowledged before the next fault: the system must work again under load. */
const BETWEEN_FAULTS = 60;

/** Time limit for recovery after a fault, and for all nodes to become ready at the end, on a busy machine. */
const RECOVERY_MS = 90_000;
const LOOK_MS = 20;

/** Two nodes on a store, and the faults to cause. */
export interface Stage {
  /** The settings with which a node uses the store. */
  readonly settings: readonly string[];
  /** The faults by name. Each resolves when the stopped part is running again. */
  readonly faults: Readonly<Record<string, (nodes: Nodes) => Promise<void>>>;
  readonly allowed?: Allowed;
}

/** The result of the load: named counts, and breaches. */
export interface Ledger {
  readonly counts: Readonly<Record<string, number>>;
  readonly breaches: Breaches;
}

/** Sends mail through both nodes for at least `loadMs` and until each fault has been caused, then checks all mail. */
export async function keepLedger({ settings, faults, allowed }: Stage, loadMs: number): Promise<Ledger> {
  const nodes = await Nodes.start(settings);
  const book = new Book();
  const inboxes = Array.from({ length: INBOXES }, (_, n) => `ledger${n}`);
  const followers = inboxes.slice(0, FOLLOWED).map((inbox) => new Follower(inbox, nodes, book));
  const senders = new Senders(nodes, book, inboxes);
  const made = await makeFaults(faults, nodes, book, loadMs);
  await senders.stop();
  const listed = await listAll(nodes, book, inboxes);
  await Promise.all(followers.map((follower) => follower.finish()));
  const followed = new Map(followers.map(({ inbox, read }) => [inbox, read]));
  const breaches = judge(book.mails, { inboxes: listed, followed }, allowed);
  return { counts: { ...made, ...countsOf(book, listed, breaches) }, breaches };
}

/** Causes one fault after the other, each at least once, until the time is over. Resolves to counts by fault. */
async function makeFaults(faults: Stage['faults'], nodes: Nodes, book: Book, loadMs: number) {
  const endsAt = performance.now() + loadMs;
  const made: Record<string, number> = {};
  await acknowledged(book, BETWEEN_FAULTS);
  for (let round = 0; round === 0 || performance.now() < endsAt; round += 1) {
    for (const [name, make] of Object.entries(faults)) {
      if (round > 0 && performance.now() >= endsAt) break;
      await make(nodes);
      made[name] = (made[name] ?? 0) + 1;
      await acknowledged(book, BETWEEN_FAULTS);
    }
  }
  return made;
}

/** Resolves once this many more messages are acknowledged. */
async function acknowledged(book: Book, more: number): Promise<void> {
  const count = () => [...book.mails.values()].filter(({ acknowledgedAt }) => acknowledgedAt !== null).length;
  const before = count();
  await until(async () => count() >= before + more, 'no mail was taken any more');
}

/** Lists each inbox, newest email first, on both nodes, which must agree. */
async function listAll(nodes: Nodes, book: Book, inboxes: readonly string[]): Promise<Map<string, Found[]>> {
  const listed = new Map<string, Found[]>();
  for (const node of nodes.all) {
    await until(async () => (await fetch(`${node.url}/readyz`)).ok, 'a node did not become ready again');
    for (const inbox of inboxes) {
      const found = (await fetchAfter(node, inbox, null)).map((email) => book.found(email));
      const others = listed.get(inbox) ?? found;
      if (JSON.stringify(others) !== JSON.stringify(found)) throw new Error(`The nodes do not agree on ${inbox}.`);
      listed.set(inbox, found);
    }
  }
  return listed;
}

function countsOf(book: Book, listed: ReadonlyMap<string, readonly Found[]>, breaches: Breaches) {
  const mails = [...book.mails.values()];
  const sum = (of: (mail: (typeof mails)[number]) => number) => mails.reduce((total, mail) => total + of(mail), 0);
  const found = [...listed].flatMap(([inbox, emails]) => emails.map(({ id }) => `${id} ${inbox}`));
  return {
    mails: mails.length,
    'sent whole': sum(({ finished }) => finished),
    'cut in the middle': sum(({ cut }) => cut),
    'left without the answer': sum(({ left }) => left),
    acknowledged: sum(({ acknowledgedAt }) => Number(acknowledgedAt !== null)),
    repeated: sum(({ finished }) => Math.max(0, finished - 1)),
    'emails found': found.length,
    'of them by a repeat': found.length - new Set(found).size,
    ...Object.fromEntries(Object.entries(breaches).map(([name, { length }]) => [name, length])),
  };
}

async function until(isSo: () => Promise<boolean>, otherwise: string): Promise<void> {
  const endsAt = performance.now() + RECOVERY_MS;
  while (!(await isSo().catch(() => false))) {
    if (performance.now() > endsAt) throw new Error(`${otherwise} for ${RECOVERY_MS / 1_000} s.`);
    await delay(LOOK_MS);
  }
}
