import { afterEach, expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.js';
import { openLog } from '../../src/base/log.js';
import { Inboxes } from '../../src/inbox/inboxes.js';
import { type RunningSmtp, startSmtp } from '../../src/smtp/smtp-listener.js';
import { openStore } from '../../src/store/open-store.js';
import { addressingOf } from '../addressing.js';
import { startApi, type TestApi } from '../http/api.js';
import { newThreads } from '../inbox/threads/threads.js';
import { ROOMY } from '../store/mail.js';
import { temporaryDirectories } from '../store/temporary.js';
import { RawClient } from './client.js';
import { testOptions } from './start.js';
import { stuffed } from './stuffed.js';

const MAILS = 300;

/** Some sizes are those at which a message needs other memory; the others lie anywhere below that bound. */
const SIZES = [4, 16, 64].flatMap((kib) => [kib * 1024 - 1, kib * 1024, kib * 1024 + 1]);
const MAX_BYTES = 90_000;

/** How many connections send at once in each of the ways. */
const CONNECTIONS = 4;

/** How many mails each of two others breaks off, one after the other. */
const BROKEN = 40;

/** The mails are for so many inboxes. */
const INBOXES = 10;

const newDirectory = temporaryDirectories();
const running: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const stop of running.splice(0).reverse()) await stop();
});

/** The way of a mail from the socket to whoever reads it, with a store of its own. */
async function start(url: string): Promise<{ readonly smtp: RunningSmtp; readonly api: TestApi }> {
  const log = openLog('silent', 'json');
  const { store } = await openStore(url, ROOMY);
  running.push(() => store.close());
  const threads = newThreads();
  running.push(() => threads.close());
  const inboxes = new Inboxes({ store, addressing: addressingOf(), compat: false, threads, clock: systemClock, log });
  const api = await startApi({ inboxes });
  running.push(() => api.close());
  const smtp = await startSmtp(testOptions({ inbox: inboxes }));
  running.push(() => smtp.stop(0));
  return { smtp, api };
}

/** A message of which each line says whose it is and where it stands. Some lines begin with a dot. Nothing in it is text to be read. */
function mailOf(number: number): Buffer {
  const bytes = SIZES[number] ?? 200 + ((number * 7_919) % (MAX_BYTES - 200));
  let text = `Subject: mail ${number}\r\nContent-Type: application/octet-stream\r\n\r\n`;
  for (let line = 0; text.length < bytes; line += 1) {
    text += `${line % 7 === 0 ? '.' : ''}mail ${number}, line ${line}, ${'x'.repeat((number + line) % 50)}\r\n`;
  }
  return Buffer.from(`${text.slice(0, bytes - 2)}\r\n`);
}

const recipientOf = (number: number) => `box-${number % INBOXES}@inbox.example.com`;

const envelope = (number: number) => `MAIL FROM:<a@app.test>\r\nRCPT TO:<${recipientOf(number)}>\r\nDATA\r\n`;

/** The content as it is sent, in one to four packets of uneven lengths. */
function packetsOf(number: number): Buffer[] {
  const sent = stuffed(mailOf(number));
  const cuts = [0, 0.1, 0.25, 0.7].slice(0, 1 + (number % 4)).map((part) => Math.floor(part * sent.length));
  return cuts.map((cut, index) => sent.subarray(cut, cuts[index + 1]));
}

async function sendOneByOne(port: number, numbers: readonly number[]): Promise<void> {
  const client = await RawClient.greeted(port);
  for (const number of numbers) {
    await client.begin(recipientOf(number));
    for (const packet of packetsOf(number)) await client.send(packet);
    expect(await client.reply()).toMatch(/^250 /);
  }
  client.destroy();
}

/** Sends with the end of each mail the commands of the next, and all commands of a mail at once (RFC 2920 section 3.1). */
async function sendPipelined(port: number, numbers: readonly number[]): Promise<void> {
  const client = await RawClient.greeted(port);
  await client.send(envelope(numbers[0] as number));
  for (const [index, number] of numbers.entries()) {
    for (const code of ['250', '250', '354']) expect((await client.reply()).slice(0, 3)).toBe(code);
    const packets = packetsOf(number);
    const last = packets.pop() as Buffer;
    for (const packet of packets) await client.send(packet);
    const next = numbers[index + 1];
    await client.send(Buffer.concat([last, Buffer.from(next === undefined ? '' : envelope(next))]));
    expect(await client.reply()).toMatch(/^250 /);
  }
  client.destroy();
}

/** Goes in the middle of a mail, again and again. */
async function breakOff(port: number): Promise<void> {
  for (let number = 0; number < BROKEN; number += 1) {
    const client = await RawClient.greeted(port);
    await client.begin('broken@inbox.example.com');
    const sent = stuffed(mailOf(number));
    await client.send(sent.subarray(0, sent.length / 2));
    if (number % 2 === 0) client.reset();
    else client.destroy();
  }
}

/** Every message of an inbox, byte for byte, by its number. */
async function messagesOf({ app }: TestApi, inbox: string): Promise<[number: number, raw: Buffer][]> {
  const { emails } = (await app.inject(`/api/inbox/${inbox}`)).json();
  return Promise.all(
    emails.map(async ({ subject, receivedAt }: { subject: string; receivedAt: string }) => {
      const { rawPayload } = await app.inject(`/api/inbox/${inbox}/${receivedAt}/raw`);
      return [Number(subject.slice('mail '.length)), rawPayload];
    }),
  );
}

test.each(['memory', 'lmdb'])(
  'mails that come in together, some of them broken off, are each kept byte for byte: %s',
  async (kind) => {
    const { smtp, api } = await start(kind === 'memory' ? 'memory:' : `lmdb:${await newDirectory()}`);
    const numbers = Array.from({ length: MAILS }, (_, number) => number);
    const ways = Array.from({ length: CONNECTIONS }, () => [sendOneByOne, sendPipelined]).flat();
    const sent = ways.map((send, way) => {
      const own = numbers.filter((number) => number % ways.length === way);
      return send(smtp.port, own);
    });
    await Promise.all([...sent, breakOff(smtp.port), breakOff(smtp.port)]);
    const found = new Map<number, Buffer>();
    for (let box = 0; box < INBOXES; box += 1) {
      for (const [number, raw] of await messagesOf(api, `box-${box}`)) found.set(number, raw);
    }
    expect(numbers.filter((number) => found.get(number)?.equals(mailOf(number)) !== true)).toEqual([]);
    expect(await messagesOf(api, 'broken')).toEqual([]);
  },
);
