import { Mayfly } from 'mayfly-client';
import { createTransport } from 'nodemailer';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '../../../../tools/needs.js';
import { endAll } from '../service/process.js';
import { RawClient } from '../smtp/client.js';
import { type Shared, startShared, startTopology, statusOf, type Topology } from './topology.js';

/** HAProxy chooses the node, so a test repeats up to this many times until every case has occurred. */
const TRIES = 20;

/** Sends one message over a new connection from a local address. */
function send({ smtpPort, domain }: Topology, inbox: string, subject: string, options: object = {}) {
  const mail = createTransport({ host: '127.0.0.1', port: smtpPort, ...options });
  return mail.sendMail({ from: 'a@app.test', to: `${inbox}@${domain}`, subject, text: 'Your code is 482913' });
}

/** Sends a message again until it is accepted, as a mail server does. */
async function sendUntilTaken(topology: Topology, inbox: string, subject: string): Promise<void> {
  await expect.poll(() => send(topology, inbox, subject).then(() => 'taken', String)).toBe('taken');
}

/** Opens a stream and resolves after its first bytes. */
async function openStream({ url }: Topology, inbox: string) {
  const response = await fetch(`${url}/api/inbox/${inbox}/stream`);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const first = await reader?.read();
  const stream = { first: first?.value, text: '', state: 'open' as 'open' | 'ended' | 'cut', ended: Promise.resolve() };
  stream.ended = (async () => {
    for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) stream.text += part.value;
  })().then(
    () => {
      stream.state = 'ended';
    },
    () => {
      stream.state = 'cut';
    },
  );
  return stream;
}

/** Sends half of a message, and returns a function that sends the rest. */
async function sendHalf({ smtpPort, domain }: Topology, inbox: string) {
  const client = await RawClient.greeted(smtpPort);
  await client.begin(`${inbox}@${domain}`);
  await client.send('Subject: half\r\n\r\nhalf of it');
  return async () => {
    expect(await client.ask(' and the rest\r\n.')).toMatch(/^250 /);
    client.destroy();
  };
}

async function subjectsOf({ nodes: [, node] }: Topology, inbox: string): Promise<string[]> {
  const response = await fetch(`${node.url}/api/inbox/${inbox}/summary`);
  const { emails } = (await response.json()) as { emails: { subject: string }[] };
  return emails.map(({ subject }) => subject);
}

describe('the topology of deploy/compose.yaml', needs('haproxy', 'redis-server'), () => {
  let shared: Shared;
  let topology: Topology;
  beforeAll(async () => {
    shared = await startShared();
  });
  afterEach(async () => {
    await topology.end();
    endAll();
  });
  afterAll(async () => {
    // SIGKILL, because a master does not stop on SIGTERM while it writes its first file after a synchronization.
    await Promise.all([shared.replica.end('SIGKILL'), shared.master.end('SIGKILL')]);
  });

  test('mail to either node reaches a stream on either node, and the first line of the stream is not buffered', async () => {
    topology = await startTopology(shared);
    const seen = new Set<string>();
    const counts = () => [topology.served('smtp').length, topology.served('http').length];
    for (let n = 0; n < TRIES && seen.size < 4; n++) {
      const [mails = 0, streams = 0] = counts();
      const stream = await openStream(topology, `either-${n}`);
      expect(stream.first).toBe(': connected\n\n');
      await send(topology, `either-${n}`, `mail ${n}`);
      await stream.ended;
      expect(stream.text).toContain(`"subject":"mail ${n}"`);
      await expect.poll(counts).toEqual([mails + 1, streams + 1]);
      seen.add(`${topology.served('smtp').at(-1)} ${topology.served('http').at(-1)}`);
      // HAProxy alternates the nodes. The extra message shifts the alternation, so that all combinations occur.
      if (n % 2 === 1) await send(topology, 'other', 'in between');
      await expect.poll(counts).toEqual([mails + 1 + (n % 2), streams + 1]);
    }
    expect([...seen].sort()).toEqual(['node-1 node-1', 'node-1 node-2', 'node-2 node-1', 'node-2 node-2']);
  });

  test('clients are counted by their real addresses, whatever headers they send', async () => {
    topology = await startTopology(shared, { MAYFLY_FETCH_LIMIT: '3/1h', MAYFLY_SMTP_LIMIT: '3/1h' });
    const [busy, other] = [{ localAddress: '127.0.0.2' }, { localAddress: '127.0.0.3' }];
    // Both nodes share one request count.
    const asked = Array.from({ length: 7 }, () => statusOf(topology.url, '/api/inbox/demo', busy));
    expect((await Promise.all(asked)).sort()).toEqual([...Array(3).fill(200), ...Array(4).fill(429)]);
    const lying = { ...busy, headers: { 'x-forwarded-for': '127.0.0.9' } };
    const again = Array.from({ length: 7 }, () => statusOf(topology.url, '/api/inbox/demo', lying));
    expect(await Promise.all(again)).toEqual(Array(7).fill(429));
    expect(await statusOf(topology.url, '/api/inbox/demo', other)).toBe(200);

    const mails = Array.from({ length: 7 }, (_, n) =>
      send(topology, 'demo', `mail ${n}`, busy).then(() => 'taken', String),
    );
    const refused = (await Promise.all(mails)).filter((result) => result !== 'taken');
    expect(refused).toEqual(Array(4).fill(expect.stringMatching(/ 451 /)));
    await send(topology, 'demo', 'from another', other);
  });

  test('when a node dies, mail is still accepted, and waiting clients get it from the other node', async () => {
    topology = await startTopology(shared);
    const mayfly = new Mayfly({ baseUrl: topology.url, domain: topology.domain });
    const inboxes = Array.from({ length: 6 }, () => mayfly.createInbox());
    const waits = inboxes.map((inbox) => inbox.waitForOtp({ timeout: 60_000 }));
    const streams = await Promise.all([0, 1, 2, 3].map((n) => openStream(topology, `watched-${n}`)));
    await topology.nodes[0].end('SIGKILL');
    await Promise.all(inboxes.map(({ name }) => send(topology, name, 'still here')));
    expect(await Promise.all(waits)).toEqual(Array(6).fill('482913'));
    for (let n = 0; n < 10; n++) expect(await statusOf(topology.url, '/api/inbox/demo')).toBe(200);
    // HAProxy has distributed the streams, so some of them were on the dead node.
    await expect.poll(() => new Set(streams.map(({ state }) => state))).toEqual(new Set(['cut', 'open']));
  });

  test('a stopping node finishes its requests and loses no mail', async () => {
    topology = await startTopology(shared);
    // One unfinished message on each node.
    const halves = await Promise.all([0, 1].map((n) => sendHalf(topology, `half-${n}`)));
    const pool = createTransport({ host: '127.0.0.1', port: topology.smtpPort, pool: true });
    let taken = 0;
    const mails = Array.from({ length: 200 }, async (_, n) => {
      const [inbox, subject] = [`load-${n % 4}`, `mail ${n}`];
      const mail = { from: 'a@app.test', to: `${inbox}@${topology.domain}`, subject, text: 'x' };
      await pool.sendMail(mail).catch(() => sendUntilTaken(topology, inbox, subject));
      taken += 1;
    });
    await expect.poll(() => taken).toBeGreaterThanOrEqual(50);
    const ended = topology.nodes[0].end('SIGTERM');
    await expect.poll(() => topology.isFirstDown()).toBe(true);
    await Promise.all(halves.map((finish) => finish()));
    await Promise.all(mails);
    expect(await ended).toBe(0);
    pool.close();
    const found = (await Promise.all([0, 1, 2, 3].map((n) => subjectsOf(topology, `load-${n}`)))).flat();
    expect(new Set(found).size).toBe(200);
    for (const n of [0, 1]) expect(await subjectsOf(topology, `half-${n}`)).toEqual(['half']);
  });

  test('mail is rejected with the reason while the replica is down, and accepted again afterwards', async () => {
    topology = await startTopology(shared);
    await send(topology, 'replica', 'before');
    await shared.replica.end('SIGKILL');
    await expect(send(topology, 'replica', 'meanwhile')).rejects.toThrow(/451 [\d.]+ The mail store is not responding/);
    expect(await statusOf(topology.url, '/api/inbox/replica')).toBe(200);
    shared = { ...shared, replica: await shared.newReplica() };
    await sendUntilTaken(topology, 'replica', 'after');
    expect((await subjectsOf(topology, 'replica')).filter((subject) => subject !== 'meanwhile')).toEqual([
      'after',
      'before',
    ]);
  });
});
