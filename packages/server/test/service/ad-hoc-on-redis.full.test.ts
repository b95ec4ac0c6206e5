import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '../../../../tools/needs.js';
import { type RedisCluster, startCluster } from '../../../store-redis/test/redis-cluster.js';
import { describeApart, type Nodes } from './apart.js';
import { endAll, type RunningMayfly, serve } from './process.js';
import { ADDRESS, basic, fiftyRuns, mayflyOf, ONE, sendIn, TWO } from './two-workspaces.js';

const LIMITS = ['--fetch-limit', 'off', '--read-limit', 'off', '--compat-api-limit', 'off', '--wrong-key-limit', 'off'];
const FLAGS = ['--ad-hoc-workspaces', '--mcp', '--send-apis', 'all', '--domain', '*', ...LIMITS];

/** Two nodes, each with a compatibility API. */
interface TwoNodes {
  readonly mailpit: RunningMayfly;
  readonly mailhog: RunningMayfly;
}

async function twoNodes(store: string): Promise<TwoNodes> {
  const [mailpit, mailhog] = await Promise.all(
    ['mailpit', 'mailhog'].map((tool) => serve(['--store', store, '--compat-api', tool, ...FLAGS])),
  );
  return { mailpit, mailhog } as TwoNodes;
}

describe('ad-hoc workspaces on a Redis cluster', needs('redis-server'), () => {
  let cluster: RedisCluster;
  beforeAll(async () => {
    cluster = await startCluster({ replicas: false });
  });
  afterAll(() => cluster.end());
  describeNodes(() => cluster.url);
});

function describeNodes(storeUrl: () => string): void {
  let nodes: TwoNodes;
  beforeAll(async () => {
    nodes = await twoNodes(storeUrl());
  });
  afterAll(endAll);

  const sentTo = (own: 'mailpit' | 'mailhog', other: 'mailpit' | 'mailhog'): Nodes => ({
    sentTo: nodes[own],
    asked: nodes[other],
    tool: other,
  });

  describe('on the node that received the mail, with the compatibility API for MailHog', () => {
    describeApart(() => sentTo('mailhog', 'mailhog'));
  });

  describe('on the other node, with the compatibility API for Mailpit', () => {
    describeApart(() => sentTo('mailhog', 'mailpit'));
  });

  test('if 50 concurrent runs send mail to one node, each reads only its own mail on the other node', async () => {
    const { read, sent } = await fiftyRuns({ sentTo: nodes.mailpit, readAt: nodes.mailhog });
    expect(read).toEqual(sent);
  });

  test('addresses with the same name in different domains have separate inboxes on both nodes', async () => {
    const addresses = ['bob@one.example', 'bob@two.example', 'bob@inbox.example.com'];
    for (const pair of [ONE, null]) {
      for (const to of addresses) await sendIn(nodes.mailpit, pair, { to, subject: `${pair} to ${to}` });
    }
    for (const node of [nodes.mailpit, nodes.mailhog]) {
      for (const pair of [ONE, null]) {
        for (const to of addresses) {
          const emails = await mayflyOf(node, pair ?? undefined)
            .inbox(to)
            .emails();
          expect(emails.map(({ subject }) => subject)).toEqual([`${pair} to ${to}`]);
        }
      }
    }
  });

  test('the MailHog API lists, finds and deletes only the mail of its ad-hoc workspace', async () => {
    const ask = async (pair: string, path: string, method = 'GET') =>
      fetch(nodes.mailhog.url + path, { method, headers: { authorization: basic(pair) } });
    const recipients = async (pair: string, path: string) => {
      const { items } = (await (await ask(pair, path)).json()) as { items: { Raw: { To: string[] } }[] };
      return items.flatMap(({ Raw }) => Raw.To).sort();
    };
    const both = [ADDRESS, 'alice@two.example'];
    for (const pair of [ONE, TWO]) await sendIn(nodes.mailpit, pair, { to: both, subject: 'To both' });
    for (const pair of [ONE, TWO]) {
      await expect.poll(() => recipients(pair, '/api/v2/messages')).toEqual(expect.arrayContaining(both));
      expect(await recipients(pair, '/api/v2/search?kind=to&query=alice@two.example')).toEqual(both);
    }
    await ask(ONE, '/api/v1/messages', 'DELETE');
    expect(await recipients(ONE, '/api/v2/messages')).toEqual([]);
    expect(await recipients(TWO, '/api/v2/search?kind=to&query=alice@two.example')).toEqual(both);
    await ask(TWO, '/api/v1/messages', 'DELETE');
  });
}
