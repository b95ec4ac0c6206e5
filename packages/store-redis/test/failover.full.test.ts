import { describe, expect, onTestFinished, test } from 'vitest';
import { needs } from '../../../tools/needs.js';
import { letter, NOON, textsOf } from '../../server/test/store/mail.js';
import { openNodes, startPair } from './failover-pair.js';

async function twoNodes() {
  const pair = await startPair();
  const nodes = await openNodes(pair.newUrl(), 1);
  onTestFinished(async () => {
    await Promise.all(nodes.map((one) => one.close()));
    await pair.end();
  });
  return { pair, nodes };
}

describe('a store in Redis with a replica', needs('redis-server'), () => {
  test('lists an email on no node, and calls no watch for it, until the replica has stored it', async () => {
    const { pair, nodes } = await twoNodes();
    const [one, other] = nodes;
    await one.append(letter('a', NOON, 'before'), NOON);
    let wakes = 0;
    other.watch('a', () => {
      wakes += 1;
    });
    await expect.poll(() => other.hasToldAll('a')).toBe(true);
    const before = wakes;
    pair.link.hold();
    const sent = one.append(letter(['a', 'b'], NOON, 'held back'), NOON);
    sent.catch(() => {});
    await expect.poll(() => pair.command('ZCARD', 'mayfly:{b}:h')).toBe('1');
    for (const node of nodes) {
      expect(await textsOf(node, 'a', NOON)).toEqual(['before']);
      expect(await node.list('b', { after: NOON - 1, before: NOON + 10, limit: 1 }, NOON)).toEqual([]);
      expect(await node.scan('b', { maxBytes: 10_000 }, NOON)).toEqual([]);
      expect((await node.recent({ limit: 10 }, NOON)).emails).toHaveLength(1);
      expect(await node.clearOne('b', NOON, NOON)).toBe(false);
    }
    expect(wakes).toBe(before);
    pair.link.release();
    // On a busy machine, the replica may confirm this message too late.
    const isStored = await sent.then(
      () => true,
      () => false,
    );
    await one.append(letter(['a', 'b'], NOON, 'later'), NOON);
    await expect.poll(() => wakes).toBeGreaterThan(before);
    for (const node of nodes) {
      expect(await textsOf(node, 'a', NOON)).toEqual(['later', ...(isStored ? ['held back'] : []), 'before']);
      expect((await node.recent({ limit: 10 }, NOON)).emails).toHaveLength(isStored ? 5 : 3);
    }
  });

  test('rolls back mail that reached too few replicas, and stores later mail normally', async () => {
    const { pair, nodes } = await twoNodes();
    const [one, other] = nodes;
    pair.link.hold();
    await expect(one.append(letter('a', NOON, 'refused'), NOON)).rejects.toThrow('0 replicas have the mail');
    pair.link.release();
    expect(await textsOf(other, 'a', NOON)).toEqual([]);
    await other.append(letter('a', NOON, 'later'), NOON);
    for (const node of nodes) expect(await textsOf(node, 'a', NOON)).toEqual(['later']);
  });
});
