import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { RawClient } from './client.js';
import { startTestSmtp, type TestSmtp } from './start.js';

const MIB = 1024 * 1024;

let smtp: TestSmtp;
let client: RawClient;

beforeEach(async () => {
  smtp = await startTestSmtp();
  client = await RawClient.greeted(smtp.port);
});

afterEach(async () => {
  client.destroy();
  await smtp.stop(0);
});

test('a line without an end is cut off', async () => {
  await client.send('x'.repeat(MIB));
  expect(await client.line()).toBe('421 4.5.2 The command is too long: closing the connection');
  expect(await client.line()).toBeNull();
});

test('so is one that has an end', async () => {
  await client.send(`NOOP ${'x'.repeat(20_000)}\r\nNOOP\r\n`);
  expect(await client.line()).toBe('421 4.5.2 The command is too long: closing the connection');
  expect(await client.line()).toBeNull();
});

test('a flood of commands is answered one by one', async () => {
  const count = 20_000;
  await client.send('NOOP\r\n'.repeat(count));
  for (let replies = 0; replies < count; replies += 1) expect(await client.line()).toBe('250 2.0.0 OK');
});

test('an address of the greatest length costs no time', async () => {
  for (const part of ['"', '\\', '"\\', '<', '>', '@a,', 'a@', '""', ' ', '.']) {
    const start = performance.now();
    expect(await client.ask(`MAIL FROM:<${part.repeat(15_000 / part.length)}`)).toMatch(/^501 5\.1\.7 /);
    expect(performance.now() - start, part).toBeLessThan(500);
  }
});

describe('10 MB of hostile content', () => {
  test.each([
    ['dots', '..\r\n'],
    ['dots that begin nothing', '.\r'],
    ['bare line feeds', '\n.'],
    ['carriage returns', '\r'],
  ])('%s: others do not wait for more than 100 ms', async (_, unit) => {
    const other = await RawClient.greeted(smtp.port);
    const content = unit.repeat(Math.floor((10 * MIB - 2) / unit.length));
    await client.begin();
    const sent = client.send(`${content}\r\n.\r\n`);
    let isOver = false;
    const answered = sent
      .then(() => client.reply())
      .finally(() => {
        isOver = true;
      });
    let longestMs = 0;
    while (!isOver) {
      const start = performance.now();
      await other.ask('NOOP');
      longestMs = Math.max(longestMs, performance.now() - start);
    }
    expect(await answered).toMatch(/^250 /);
    expect(longestMs).toBeLessThan(100);
    other.destroy();
  });
});
