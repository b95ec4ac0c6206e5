import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { RawClient } from './client.js';
import { startTestSmtp, type TestSmtp } from './start.js';

let smtp: TestSmtp | undefined;

afterEach(async () => await smtp?.stop(0));

test('greets and closes a client that closes its side before the greeting', async () => {
  smtp = await startTestSmtp();
  const socket = connect(smtp.port, '127.0.0.1').end();
  expect(await text(socket)).toBe('220 inbox.example.com ESMTP Mayfly\r\n');
});

test('disconnects a client that sends before the greeting', async () => {
  smtp = await startTestSmtp();
  const early = await RawClient.open(smtp.port);
  await early.send('EHLO early.test\r\n');
  expect(await early.line()).toBe('421 4.5.1 Wait for the greeting before sending: closing the connection');
  expect(await early.line()).toBeNull();
});
