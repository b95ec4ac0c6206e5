import { afterEach, beforeEach, expect, test } from 'vitest';
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

test('nothing is done of what comes behind it', async () => {
  const mail = 'MAIL FROM:<a@app.test>\r\nRCPT TO:<demo@inbox.example.com>\r\nDATA\r\nhello\r\n.\r\n';
  await client.send(`${'x'.repeat(20_000)}\r\n${mail}`);
  expect(await client.line()).toMatch(/^421 /);
  expect(await client.line()).toBeNull();
  expect(smtp.inbox.mails).toEqual([]);
});

test('a flood of commands is answered one by one', async () => {
  const count = 5_000;
  await client.send('NOOP\r\n'.repeat(count));
  for (let replies = 0; replies < count; replies += 1) expect(await client.line()).toBe('250 2.0.0 OK');
});

// That none of them takes more than linear time is what tools/check-regexes.js sees to.
test('an address of the greatest length is answered', async () => {
  for (const part of ['"', '\\', '"\\', '<', '>', '@a,', 'a@', '""', ' ', '.']) {
    expect(await client.ask(`MAIL FROM:<${part.repeat(15_000 / part.length)}`)).toMatch(/^501 5\.1\.7 /);
  }
});

// Turns are counted, and not timed, for the time depends on the machine. There are some 20 of them at the least, and 3 for twelve
// clients where one may hand over at once all that it has.
test.each([
  ['dots', 1, '..\r\n', 10],
  ['dots that begin nothing', 1, '.\r', 10],
  ['bare line feeds', 1, '\n.', 10],
  ['carriage returns', 1, '\r', 10],
  ['dots', 12, '..\r\n', 6],
])('%s from each of %i clients: others have their turn between the pieces', async (_, count, unit, mebibytes) => {
  const mail = Buffer.from(`${unit.repeat(Math.floor((mebibytes * MIB - 2) / unit.length))}\r\n.\r\n`);
  const senders = await Promise.all(Array.from({ length: count }, () => RawClient.greeted(smtp.port)));
  for (const sender of senders) await sender.begin();
  let answered = 0;
  const answers = senders.map(async (sender) => {
    await sender.send(mail);
    expect(await sender.reply()).toMatch(/^250 /);
    answered += 1;
  });
  let turns = 0;
  while (answered < count) {
    await client.ask('NOOP');
    turns += 1;
  }
  await Promise.all(answers);
  expect(turns).toBeGreaterThan(10);
  for (const sender of senders) sender.destroy();
});

// Five clients with 3 MB of commands each, of which there are 64 a turn for each: 9,400 turns in all.
test('floods of commands: others have their turn between them', async () => {
  const flood = Buffer.from('NOOP\r\n'.repeat(100_000));
  const flooders = await Promise.all(Array.from({ length: 5 }, () => RawClient.greeted(smtp.port)));
  let unread = flooders.length;
  for (const flooder of flooders) {
    flooder.flood(flood);
    void (async () => {
      for (let replies = 0; replies < 20_000; replies += 1) await flooder.line();
      unread -= 1;
    })();
  }
  let turns = 0;
  for (; unread > 0; turns += 1) await client.ask('NOOP');
  expect(turns).toBeGreaterThan(50);
  for (const flooder of flooders) flooder.destroy();
});
