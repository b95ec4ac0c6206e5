import { expect, test } from 'vitest';
import { openStreams } from '../../src/http/answer/open-streams.js';
import type { Request } from '../../src/http/framework.js';
import { agentCalls } from '../../src/http/routes/mcp-endpoint.js';
import { MAX_WAITING } from '../../src/limits/semaphore.js';
import { ManualClock } from '../manual-clock.js';

const { signal } = new AbortController();

/** Returns a request from a client, with only the fields that scheduling needs. */
const messageOf = (client: string) => ({ caller: { client } }) as unknown as Request;

function newCalls() {
  return agentCalls(openStreams({ total: 1_000, perClient: 1_000 }), new ManualClock());
}

test('MCP messages of one client are handled one at a time, and clients take turns', async () => {
  const calls = newCalls();
  const begun: string[] = [];
  const take = async (client: string, name: string) => {
    await calls.turn(messageOf(client), signal);
    begun.push(name);
  };
  const all = ['a1', 'a2', 'a3', 'a4'].map((name) => take('a', name));
  all.push(take('b', 'b1'), take('b', 'b2'));
  await Promise.all(all);
  expect(begun.filter((name) => name.startsWith('a'))).toEqual(['a1', 'a2', 'a3', 'a4']);
  expect(begun.indexOf('b2')).toBeLessThan(begun.indexOf('a3'));
});

test('a client with too many waiting MCP messages gets 429, and messages of other clients are accepted', async () => {
  const calls = newCalls();
  const waiting = Array.from({ length: MAX_WAITING.perClient + 1 }, () => calls.turn(messageOf('a'), signal));
  await expect(calls.turn(messageOf('a'), signal)).rejects.toMatchObject({
    ...{ status: 429, message: expect.stringMatching(/^Too many messages from your address/) },
    headers: { 'retry-after': '1' },
  });
  await calls.turn(messageOf('b'), signal);
  await Promise.all(waiting);
  await calls.turn(messageOf('a'), signal);
});
