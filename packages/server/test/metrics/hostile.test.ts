import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { StartedMayfly } from 'mayfly-inbox';
import { afterEach, expect, test } from 'vitest';
import { RawClient } from '../smtp/client.js';
import { scraped, startCounting } from './scrape.js';

let service: StartedMayfly;

afterEach(async () => await service.stop());

/** This text is part of everything that the client sends, and must not appear in the metrics. */
const SECRET = 'zebra';

const made = () => `${SECRET}-${randomBytes(6).toString('hex')}`;

async function talk(bytes: string): Promise<void> {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  socket.write(bytes);
  await text(socket).catch(() => '');
}

/** Sends requests with new names in every place that a client controls. */
async function provoke(): Promise<void> {
  const name = made();
  const head = (line: string) => `${line} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
  const paths = [
    `/api/inbox/${name}?source=${made()}`,
    `/api/inbox/${name}?source=sdk&source=${made()}`,
    `/api/inbox/${name}/${made()}?source=%22%7D`,
    `/api/inbox/${name}/summary?${made()}=${made()}`,
    `/api/inbox/${name}/2026-01-31T09:30:00.000Z/parts/${made()}`,
    `/${made()}/%zz`,
    `/inbox/${name}`,
    `/constructor?__proto__=${made()}&source=__proto__`,
  ];
  for (const path of paths) await talk(head(`GET ${path}`));
  for (const method of ['PROPFIND', 'OPTIONS', 'CONNECT', made().toUpperCase()])
    await talk(head(`${method} /${made()}`));
  const client = await RawClient.open(service.smtp.port);
  await client.reply();
  for (const line of [
    `EHLO ${made()}`,
    `${made()}`,
    `MAIL FROM:<${made()}@${made()}>`,
    `RCPT TO:<${made()}@${made()}.test>`,
  ]) {
    await client.ask(line);
  }
  await client.ask(`RCPT TO:<${made()}@inbox.example.com>`);
  await client.ask('DATA');
  await client.ask(`Subject: ${made()}\r\nMessage-ID: <${made()}>\r\n\r\nYour code is 482913\r\n.`);
  client.destroy();
}

test('a client cannot add a series or a label value to the metrics', async () => {
  service = await startCounting({ fetchLimit: 'off', readLimit: 'off' });
  await provoke();
  const before = await scraped(service);
  for (let times = 0; times < 20; times += 1) await provoke();
  const after = await scraped(service);
  // Compares only Mayfly's own metrics, because those of the process vary with Node's state.
  const own = (figures: ReadonlyMap<string, number>) =>
    [...figures.keys()].filter((name) => name.startsWith('mayfly_'));
  expect(own(after)).toEqual(own(before));
  expect(after.get('mayfly_smtp_messages_total{result="stored",reason=""}')).toBe(21);
  expect([...after.keys()].filter((name) => /zebra|482913|inbox\.example\.com/i.test(name))).toEqual([]);
});
