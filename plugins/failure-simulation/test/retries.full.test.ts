/** Tests simulated failures with Postfix, a relay that retries by itself, and with nodes that share their counts. */
import { Mayfly } from 'mayfly-client';
import { startMayfly } from 'mayfly-inbox';
import { createTransport } from 'nodemailer';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../../packages/server/test/ports.js';
import { endAll, serve, transportTo } from '../../../packages/server/test/service/process.js';
import { startPostfix } from '../../../packages/server/test/smtp/postfix.js';
import { type RedisServer, startRedis } from '../../../packages/store-redis/test/redis-server.js';
import { needs } from '../../../tools/needs.js';

/** Time limit for Postfix to start and to retry. */
const PATIENCE_MS = 600_000;

/** Number of emails that two nodes release at the same time, enough for conflicts. */
const HELD = 30;

/** Makes Postfix retry deferred mail every second. */
const QUICKLY = [
  'smtp_tls_security_level = none',
  'minimal_backoff_time = 1s',
  'maximal_backoff_time = 1s',
  'queue_run_delay = 1s',
  // Makes Postfix continue to use a destination that rejected mail.
  'default_destination_concurrency_failed_cohort_limit = 0',
];

describe('Postfix', needs('Postfix'), () => {
  test('retries deferred mail, repeats mail whose reply was lost, and never retries a permanent refusal', {
    timeout: 3 * PATIENCE_MS,
  }, async () => {
    const mayfly = await startMayfly();
    const port = await freePort();
    const postfix = await startPostfix(port, mayfly.smtp.port, QUICKLY);
    const relay = createTransport({ host: '127.0.0.1', port, ignoreTLS: true });
    try {
      await expect.poll(() => relay.verify().catch(() => false), { timeout: PATIENCE_MS }).toBe(true);
      const client = new Mayfly({ baseUrl: mayfly.url, timeout: PATIENCE_MS });
      const steps = ['451x2', 'data451x1', 'lost250', 'greylist1s', '550', 'twice', 'hold', 'delay1s', 'limit1per2s'];
      const inboxes = steps.map((step) => client.createInbox({ simulate: [step] }));
      const [putOff, late, lost, greylisted, refused, twice, held, delayed, limited] = inboxes;
      const send = (inbox: (typeof inboxes)[number]) =>
        relay.sendMail({ from: 'app@app.test', to: inbox.address, subject: 'Hi', text: 'Your code is 482913' });
      await Promise.all([...inboxes, ...inboxes.slice(-1)].map(send));
      for (const inbox of [putOff, late, greylisted, delayed]) {
        expect(await inbox?.waitForEmails({ count: 1 })).toHaveLength(1);
      }
      // Postfix retries the second email, which Mayfly accepts two seconds after the first.
      expect(await limited?.waitForEmails({ count: 2 })).toHaveLength(2);
      // A client that receives no reply sends again (RFC 1047).
      expect(await lost?.waitForEmails({ count: 2 })).toHaveLength(2);
      expect(await twice?.waitForEmails({ count: 2 })).toHaveLength(2);
      expect(await refused?.emails()).toEqual([]);
      expect(await held?.emails()).toEqual([]);
      expect(await held?.release()).toBe(1);
    } finally {
      relay.close();
      await postfix.stop();
      await mayfly.stop();
    }
  });
});

describe('two nodes', needs('redis-server'), () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterEach(endAll);
  afterAll(() => redis.end());

  test('count the faults of an address together, and each node can release mail held by the other node', async () => {
    const store = ['--store', redis.newUrl()];
    const [one, two] = await Promise.all([serve(store), serve(store)]);
    const client = new Mayfly({ baseUrl: two.url });
    const reply = (node: typeof one, to: string, subject = 'Hi') =>
      transportTo(node)
        .sendMail({ from: 'a@app.test', to, subject, text: 'Hi' })
        .then(
          ({ response }) => Number(response.slice(0, 3)),
          ({ responseCode, message }) => responseCode ?? message,
        );
    const { address } = client.createInbox({ simulate: ['451 x2'] });
    expect([await reply(one, address), await reply(two, address), await reply(one, address)]).toEqual([451, 451, 250]);

    const limited = client.createInbox({ simulate: ['limit 1 per 600s'] }).address;
    expect([await reply(one, limited), await reply(two, limited)]).toEqual([250, 421]);

    const atEnd = client.createInbox({ simulate: ['data452 x1', 'lost250'] });
    const replies = [await reply(one, atEnd.address), await reply(two, atEnd.address), await reply(one, atEnd.address)];
    expect(replies).toEqual([452, 'Connection closed unexpectedly', 250]);
    expect(await atEnd.emails()).toHaveLength(2);

    const twice = client.createInbox({ simulate: ['twice', 'delay 1s'] });
    expect(await reply(one, twice.address)).toBe(250);
    expect(await twice.emails()).toHaveLength(2);

    const greylisted = client.createInbox({ simulate: ['greylist 1s'] }).address;
    expect(await reply(one, greylisted)).toBe(451);
    await expect.poll(() => reply(two, greylisted), { timeout: PATIENCE_MS }).toBe(250);

    const held = client.createInbox({ simulate: ['hold'] });
    expect([await reply(one, held.address, 'one'), await reply(two, held.address, 'two')]).toEqual([250, 250]);
    expect(await held.emails()).toEqual([]);
    expect(await held.release([2])).toBe(1);
    expect(await held.release()).toBe(1);
    expect(await reply(one, held.address, 'three')).toBe(250);
    expect((await held.emails()).map(({ subject }) => subject)).toEqual(['three', 'one', 'two']);
  });

  test('list each held email only once even if both nodes release it at the same time', async () => {
    const store = ['--store', redis.newUrl()];
    const [one, two] = await Promise.all([serve(store), serve(store)]);
    const [client, other] = [one, two].map(({ url }) => new Mayfly({ baseUrl: url })) as [Mayfly, Mayfly];
    const inbox = client.createInbox({ simulate: ['hold'] });
    const transport = transportTo(one);
    for (let i = 0; i < HELD; i += 1)
      await transport.sendMail({ from: 'a@app.test', to: inbox.address, subject: `${i}`, text: 'Hi' });
    const released = await Promise.all([inbox.release(), other.inbox(inbox.address).release()]);
    // The sum is lower if a client retries on a busy machine: the second response omits what the first released.
    expect(released.reduce((sum, shown) => sum + shown)).toBeLessThanOrEqual(HELD);
    const subjects = (await inbox.emails()).map(({ subject }) => subject);
    expect(subjects).toHaveLength(HELD);
    expect(new Set(subjects).size).toBe(HELD);
  });
});
