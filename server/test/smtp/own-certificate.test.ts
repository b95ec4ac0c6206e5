import { setImmediate as turn } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { createTransport } from 'nodemailer';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { OwnCertificate } from '../../dist/smtp/own-certificate.js';
import { startSmtp } from '../../dist/smtp/smtp-listener.js';
import type { SmtpOptions } from '../../src/smtp/smtp-listener.js';
import { RawClient } from './client.js';
import { Collector, type LogLine, testOptions } from './start.js';

/** Makes the thread fail: the library for certificates takes every text for a name, but nothing else. */
const NO_NAME = null as unknown as string;

const logged: LogLine[] = [];
const to = (level: LogLine['level']) => (facts: object, message: string) => void logged.push({ level, facts, message });
const log = { debug: to('debug'), info: to('info'), warn: to('warn'), error: to('error') };

let stop: (() => Promise<void>) | undefined;

/** The threads that were begun. */
const threads: Worker[] = [];
const noteThread = (thread: Worker) => void threads.push(thread);

beforeEach(() => void process.on('worker', noteThread));

afterEach(async () => {
  vi.useRealTimers();
  process.off('worker', noteThread);
  threads.length = 0;
  await stop?.();
  stop = undefined;
  logged.length = 0;
});

async function startWithoutCertificate(options: Partial<SmtpOptions> = {}) {
  const inbox = new Collector();
  const smtp = await startSmtp(testOptions({ tls: null, inbox, log, ...options }));
  stop = () => smtp.stop(0);
  return { ...smtp, inbox };
}

test('the log says that nobody vouches for the certificate, which is made for the host by the time that it is needed', async () => {
  const { port, inbox } = await startWithoutCertificate({ hostname: 'mail.inbox.test' });
  expect(logged).toEqual([
    {
      level: 'info',
      facts: { host: 'mail.inbox.test' },
      message: 'No TLS certificate was given: STARTTLS is served with a self-signed one.',
    },
  ]);
  const tls = { rejectUnauthorized: false };
  const transport = createTransport({ host: '127.0.0.1', port, requireTLS: true, tls });
  await transport.sendMail({ from: 'a@app.test', to: 'demo@inbox.test', text: 'Hello' });
  expect(inbox.mails).toHaveLength(1);
  const client = await RawClient.greeted(port);
  await client.ask('STARTTLS');
  const secure = await client.startTls();
  expect(secure.getPeerX509Certificate()?.checkHost('mail.inbox.test')).toBe('mail.inbox.test');
});

test('one that is begun before is the one that is served', async () => {
  const certificate = new OwnCertificate({ hostname: 'inbox.test', log, now: Date.now });
  const making = certificate.context();
  expect(certificate.context()).toBe(making);
  const context = await making;
  expect(context).not.toBeNull();
  expect(certificate.context()).toBe(context);
});

test('a service that stops meanwhile ends the thread, and reports no fault', async () => {
  const certificate = new OwnCertificate({ hostname: 'inbox.test', log, now: Date.now });
  const making = certificate.context();
  await certificate.close();
  expect(await making).toBeNull();
  expect(certificate.context()).toBeNull();
  expect(logged).toEqual([]);
});

test('none is made before it is asked for, and the thread of one that is being made ends with the service', async () => {
  const { warmUp } = await startWithoutCertificate();
  await turn();
  expect(threads).toEqual([]);
  warmUp();
  warmUp();
  await vi.waitFor(() => expect(threads).not.toEqual([]));
  expect(threads.map(({ resourceLimits }) => resourceLimits?.maxOldGenerationSizeMb)).toEqual([64]);
  await stop?.();
  // What a thread has whose end has come.
  expect(threads[0]?.threadId).toBe(-1);
});

test.each([
  [29_999, true],
  [30_000, false],
])('after %i ms, whether it is still being made: %s', async (ms, isMade) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const certificate = new OwnCertificate({ hostname: 'inbox.test', log, now: Date.now });
  const making = certificate.context();
  vi.advanceTimersByTime(ms);
  expect((await making) !== null).toBe(isMade);
  expect(logged).toHaveLength(isMade ? 0 : 1);
  expect(vi.getTimerCount()).toBe(0);
});

describe('one that cannot be made', () => {
  test('refuses STARTTLS with 454, says why in the log, and lets the client go on in clear', async () => {
    const { port, inbox, warmUp } = await startWithoutCertificate({ hostname: NO_NAME });
    warmUp();
    const client = await RawClient.greeted(port);
    expect(await client.ask('STARTTLS')).toMatch(/^454 4\.7\.0 TLS is not available now/);
    const errors = logged.filter(({ level }) => level === 'error');
    expect(errors).toHaveLength(1);
    // Of the library, and not that the thread has ended.
    expect(errors[0]?.facts).toEqual({ err: expect.objectContaining({ message: expect.not.stringMatching('ended') }) });
    expect(await client.mail('hello')).toMatch(/^250 /);
    expect(inbox.mails).toHaveLength(1);
  });

  test('is tried again after a minute, and not before', async () => {
    let now = 0;
    const certificate = new OwnCertificate({ hostname: NO_NAME, log, now: () => now });
    expect(await certificate.context()).toBeNull();
    now = 59_999;
    expect(certificate.context()).toBeNull();
    expect(logged).toHaveLength(1);
    now = 60_000;
    expect(await certificate.context()).toBeNull();
    expect(logged).toHaveLength(2);
  });
});
