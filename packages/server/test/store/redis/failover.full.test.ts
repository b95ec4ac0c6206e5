import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { needs } from '../../../../../tools/needs.js';
import type { Store } from '../../../src/store/store.js';
import { contentOf, letter, NOON, textsOf } from '../mail.js';
import { openNodes, type Pair, startPair } from './failover-pair.js';

/** How many sequences are tried, and how long all may take on a machine that is busy with others. */
const RUNS = 25;
const TIMEOUT_MS = 300_000;

const INBOXES = ['a', 'b'];

/** One thing that happens. Times are milliseconds. */
type Step =
  /** Mail comes to a node, which has taken so long to read it. */
  | { readonly do: 'send'; readonly node: number; readonly inboxes: readonly string[]; readonly lagMs: number }
  /** Who follows an inbox reads on, by any node. */
  | { readonly do: 'read'; readonly node: number; readonly inbox: string }
  /** The replica learns nothing more. */
  | { readonly do: 'hold' }
  | { readonly do: 'release' }
  | { readonly do: 'failOver' };

const node = fc.integer({ min: 0, max: 1 });

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('send' as const),
      node,
      inboxes: fc.uniqueArray(fc.constantFrom(...INBOXES), { minLength: 1 }),
      lagMs: fc.integer({ min: 0, max: 2_000 }),
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('read' as const), node, inbox: fc.constantFrom(...INBOXES) }) },
  { weight: 3, arbitrary: fc.constant({ do: 'hold' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'release' as const }) },
  { weight: 2, arbitrary: fc.constant({ do: 'failOver' as const }) },
);

/** What somebody has read of an inbox, the oldest first. */
interface Read {
  readonly text: string;
  readonly receivedAt: number;
}

/** Two nodes on a store, those who send to them, and one who follows each inbox. */
class World {
  readonly #pair: Pair;
  readonly #nodes: readonly Store[];
  readonly #read = new Map<string, Read[]>(INBOXES.map((inbox) => [inbox, []]));
  /** What was acknowledged, by inbox. */
  readonly #acknowledged = new Map<string, string[]>(INBOXES.map((inbox) => [inbox, []]));
  readonly #underWay = new Set<Promise<void>>();
  /** The nodes on which mail waits for the replica: what comes behind it is not sent. */
  readonly #waiting = new Set<Store>();
  readonly #begunAt = performance.now();
  #mails = 0;

  constructor(pair: Pair, nodes: readonly Store[]) {
    this.#pair = pair;
    this.#nodes = nodes;
  }

  /** The time of both nodes, which goes on as that of this machine. */
  get #now(): number {
    return NOON + Math.floor(performance.now() - this.#begunAt);
  }

  async take(next: Step): Promise<void> {
    if (next.do === 'send') await this.#send(this.#nodes[next.node] as Store, next.inboxes, next.lagMs);
    else if (next.do === 'read') await this.#readOn(this.#nodes[next.node] as Store, next.inbox);
    else if (next.do === 'failOver') await this.#pair.failOver();
    else this.#pair.link[next.do]();
  }

  /** Resolves once the master has the mail, or it cannot have it yet. */
  async #send(node: Store, inboxes: readonly string[], lagMs: number): Promise<void> {
    const text = `mail ${this.#mails++}`;
    const before = (await node.usage()).emails;
    let isOver = false;
    const sent = node.append(letter([...inboxes], this.#now - lagMs, text), this.#now).then(
      (appended) => {
        if (appended.stored) for (const inbox of inboxes) this.#acknowledged.get(inbox)?.push(text);
      },
      () => {},
    );
    const done = sent.then(() => {
      isOver = true;
      this.#underWay.delete(done);
      this.#waiting.delete(node);
    });
    this.#underWay.add(done);
    if (this.#waiting.has(node)) return;
    this.#waiting.add(node);
    await expect.poll(async () => isOver || (await node.usage()).emails > before).toBe(true);
  }

  async #readOn(node: Store, inbox: string): Promise<number> {
    const read = this.#read.get(inbox) as Read[];
    const after = read.at(-1)?.receivedAt;
    const emails = await node.list(inbox, after === undefined ? {} : { after }, this.#now);
    const contents = await Promise.all(emails.map((email) => contentOf(node, email)));
    for (const [i, { receivedAt }] of [...emails.entries()].reverse()) {
      read.push({ text: String(contents[i]), receivedAt });
    }
    return emails.length;
  }

  /** Ends what is under way, and compares what was sent, what is there and what was read. */
  async judge(replicas: number): Promise<void> {
    this.#pair.link.release();
    await Promise.all(this.#underWay);
    for (const inbox of INBOXES) {
      const [one, other] = this.#nodes as [Store, Store];
      while ((await this.#readOn(one, inbox)) > 0);
      const there = (await textsOf(one, inbox, this.#now)).reverse();
      expect((await textsOf(other, inbox, this.#now)).reverse()).toEqual(there);
      expect(new Set(there).size, 'no mail is there twice').toBe(there.length);
      const read = (this.#read.get(inbox) as Read[]).map(({ text }) => text);
      expect(
        there.filter((text) => !read.includes(text)),
        'passed over',
      ).toEqual([]);
      if (replicas === 0) continue;
      expect(
        this.#acknowledged.get(inbox)?.filter((text) => !there.includes(text)),
        'lost',
      ).toEqual([]);
      expect(read, 'what was read is there, once and in its order').toEqual(there);
    }
  }
}

/** Two nodes on a new pair, which end with the test. */
async function twoNodes() {
  const pair = await startPair();
  const nodes = await openNodes(pair.newUrl(), 1);
  onTestFinished(async () => {
    await Promise.all(nodes.map((one) => one.close()));
    await pair.end();
  });
  return { pair, nodes };
}

describe('a store in Redis whose replica takes its place', needs('redis-server'), () => {
  test('shows mail nowhere, and wakes nobody, until the replica has it', { timeout: TIMEOUT_MS }, async () => {
    const { pair, nodes } = await twoNodes();
    const [one, other] = nodes;
    await one.append(letter('a', NOON, 'before'), NOON);
    let wakes = 0;
    other.watch('a', () => {
      wakes += 1;
    });
    // Once when it is listened to.
    await expect.poll(() => wakes).toBe(1);
    pair.link.hold();
    const sent = one.append(letter(['a', 'b'], NOON, 'held back'), NOON);
    sent.catch(() => {});
    await expect.poll(async () => (await other.usage()).emails).toBe(3);
    for (const node of nodes) {
      expect(await textsOf(node, 'a', NOON)).toEqual(['before']);
      expect(await node.list('b', { after: NOON - 1, before: NOON + 10, limit: 1 }, NOON)).toEqual([]);
      expect(await node.scan('b', { maxBytes: 10_000 }, NOON)).toEqual([]);
      expect((await node.recent({ limit: 10 }, NOON)).emails).toHaveLength(1);
      expect(await node.clearOne('b', NOON, NOON)).toBe(false);
    }
    expect(wakes).toBe(1);
    pair.link.release();
    // On a busy machine the replica may have come too late for this one.
    await sent.catch(() => {});
    await one.append(letter(['a', 'b'], NOON, 'behind'), NOON);
    await expect.poll(() => wakes).toBeGreaterThan(1);
    for (const node of nodes) {
      expect(await textsOf(node, 'a', NOON)).toEqual(['behind', 'held back', 'before']);
      expect((await node.recent({ limit: 10 }, NOON)).emails).toHaveLength(5);
    }
  });

  test('shows what it refused together with what comes behind it in its inbox', { timeout: TIMEOUT_MS }, async () => {
    const { pair, nodes } = await twoNodes();
    const [one, other] = nodes;
    pair.link.hold();
    await expect(one.append(letter('a', NOON, 'refused'), NOON)).rejects.toThrow('0 replicas have the mail');
    pair.link.release();
    expect(await textsOf(other, 'a', NOON)).toEqual([]);
    await other.append(letter('a', NOON, 'behind'), NOON);
    for (const node of nodes) expect(await textsOf(node, 'a', NOON)).toEqual(['behind', 'refused']);
  });

  for (const replicas of [1, 0]) {
    const promise = replicas === 1 ? 'shows nothing that is lost, and nothing twice, and nobody' : 'nobody';
    test(`${promise} who follows misses any, with --store-replicas ${replicas}`, { timeout: TIMEOUT_MS }, async () => {
      const pair = await startPair();
      onTestFinished(async () => void (await pair.end()));
      const property = async (steps: Step[]) => {
        const nodes = await openNodes(pair.newUrl(), replicas);
        try {
          const world = new World(pair, nodes);
          for (const next of steps) await world.take(next);
          await world.judge(replicas);
        } finally {
          pair.link.release();
          await Promise.all(nodes.map((one) => one.close()));
        }
      };
      // Each sequence takes a second: the first one that fails says enough.
      const steps = fc.array(step, { minLength: 8, maxLength: 20 });
      await fc.assert(fc.asyncProperty(steps, property), { numRuns: RUNS, endOnFailure: true });
    });
  }
});
