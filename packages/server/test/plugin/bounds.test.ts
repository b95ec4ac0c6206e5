import { expect, test } from 'vitest';
import { openLog } from '../../src/base/log.js';
import { Changes } from '../../src/inbox/changes.js';
import type { Addressee, Delivered, MailSlot } from '../../src/inbox/inboxes.js';
import { emailListeners } from '../../src/plugin/email-listeners.js';
import { guardedSlot } from '../../src/plugin/guarded-slot.js';
import { ManualClock } from '../manual-clock.js';

const LIMIT_MS = 30_000;

/** Creates a service with listeners and an inbox that always has an email. */
function listening() {
  const clock = new ManualClock();
  const warnings: string[] = [];
  const log = openLog('silent', 'json');
  log.warn = ((_facts: object, line: string) => void warnings.push(line)) as typeof log.warn;
  const changes = new Changes({ watch: () => () => {}, hasToldAll: async () => true });
  const inboxes = { briefAt: async (inbox: string) => JSON.stringify({ id: inbox }), changes };
  const arrive = (receivedAt: number) => changes.came(new Set(['anna']), [{ inbox: 'anna', receivedAt }]);
  return { clock, warnings, arrive, listeners: emailListeners(inboxes, clock, log) };
}

const NEVER = new Promise<void>(() => {});

test('a listener that handles an email for 30 s is aborted, and then receives the next email', async () => {
  const { clock, warnings, arrive, listeners } = listening();
  const signals: AbortSignal[] = [];
  listeners.add('slow', (_email, { signal }) => {
    signals.push(signal);
    return NEVER;
  });
  for (let n = 0; n < 9; n += 1) arrive(n);
  await clock.advance(LIMIT_MS - 1);
  expect(signals.map(({ aborted }) => aborted)).toEqual(Array(8).fill(false));
  await clock.advance(1);
  expect(signals.map(({ aborted }) => aborted)).toEqual([...Array(8).fill(true), false]);
  expect(warnings).toEqual(['The plugin slow failed to handle a new email: it took more than 30 s.']);
});

test('a listener with 10,000 waiting emails misses further emails, and other listeners miss none', async () => {
  const { clock, warnings, arrive, listeners } = listening();
  let count = 0;
  listeners.add('slow', () => NEVER);
  listeners.add('quick', () => {
    count += 1;
  });
  for (let n = 0; n < 10_020; n += 1) {
    arrive(n);
    if (n % 1_000 === 0) await clock.advance(0);
  }
  await expect.poll(() => count).toBe(10_020);
  expect(warnings).toEqual(['The plugin slow missed an email: it has more than 10000 emails to handle.']);
});

test.each([
  ['an error without a message', () => Object.assign(new Error('x'), { message: undefined })],
  ['an object that cannot be converted to a string', () => Object.create(null)],
])('a listener that throws %s only causes a warning', async (_name, thrown) => {
  const { clock, warnings, arrive, listeners } = listening();
  listeners.add('odd', () => {
    throw thrown();
  });
  arrive(1);
  await clock.advance(0);
  await expect.poll(() => warnings).toEqual([expect.stringMatching(/^The plugin odd failed to handle a new email: /)]);
});

test('a stopping service aborts the listeners of plugins, and waits at most 5 s until they return', async () => {
  const { clock, arrive, listeners } = listening();
  let signal: AbortSignal | undefined;
  listeners.add('slow', (_email, about) => {
    signal = about.signal;
    return NEVER;
  });
  arrive(1);
  await clock.advance(0);
  let isOver = false;
  const stopped = listeners.stop().then(() => {
    isOver = true;
  });
  await clock.advance(4_999);
  expect([signal?.aborted, isOver]).toEqual([true, false]);
  await clock.advance(1);
  await stopped;
});

const RECIPIENT: Addressee = { inbox: 'anna', to: 'anna@inbox.example.com' };
const STORED: Delivered = { stored: true, receivedAt: [1] };
const mail = (raw = Buffer.from('a')) => ({
  ...{ client: 'c', raw, envelopeFrom: 'app@app.example', recipients: [RECIPIENT], receivedAt: 1 },
});

/** Puts a plugin's mail slot in front of one that counts stored messages. */
function guarded(wrap: (next: MailSlot) => Partial<MailSlot>) {
  const clock = new ManualClock();
  let stored = 0;
  const next: MailSlot = {
    recipientOf: () => RECIPIENT,
    async deliver() {
      stored += 1;
      return STORED;
    },
  };
  const options = { plugin: 'p', next, clock, log: openLog('silent', 'json') };
  const slot = guardedSlot({ ...options, wrap: (inner) => ({ ...inner, ...wrap(inner) }) });
  return { clock, slot, stored: () => stored };
}

test('a delivery hook that hangs is skipped after 30 s, and nothing is stored twice', async () => {
  let goOn = () => {};
  const { clock, slot, stored } = guarded((next) => ({
    refusalOf: () => NEVER as never,
    async deliver(own) {
      await new Promise<void>((resolve) => {
        goOn = resolve;
      });
      return next.deliver(own);
    },
  }));
  const refusal = slot.refusalOf(RECIPIENT, 'app@app.example');
  const delivered = slot.deliver(mail());
  await clock.advance(LIMIT_MS - 1);
  expect(stored()).toBe(0);
  await clock.advance(1);
  expect([await refusal, await delivered]).toEqual([null, STORED]);
  goOn();
  await clock.advance(0);
  expect(stored()).toBe(1);
});

test.each([
  [{ stored: true, receivedAt: [] }],
  [{ stored: false, reason: 'weather' }],
  [{ stored: false, reason: 'rehearsed', error: { code: 250, enhanced: '2.0.0', text: 'fine' } }],
  [{ ...STORED, ending: { delayMs: 600_001, isLost: false } }],
  [{ ...STORED, ending: { delayMs: 0 } }],
  [null],
])("a hook's invalid result %j is ignored", async (answer) => {
  const { slot, stored } = guarded(() => ({ deliver: async () => answer as never }));
  expect([await slot.deliver(mail()), stored()]).toEqual([STORED, 1]);
});

test.each([
  [() => 'weather' as never],
  [() => ({}) as never],
  [() => ({ inbox: '', to: '' })],
  [() => ({ inbox: 'x'.repeat(5_000), to: 'anna@inbox.example.com' })],
  [
    () => {
      throw new Error('no');
    },
  ],
])('a recipientOf that returns neither a recipient nor a reason for a refusal is ignored', (recipientOf) => {
  const { slot } = guarded(() => ({ recipientOf }));
  expect(slot.recipientOf('anna@inbox.example.com')).toBe(RECIPIENT);
});

test('a delivery hook that fails cannot change the message or its recipients', async () => {
  const taken: unknown[] = [];
  const slot = guardedSlot({
    ...{ plugin: 'p', clock: new ManualClock(), log: openLog('silent', 'json') },
    next: {
      recipientOf: () => RECIPIENT,
      refusalOf: ({ inbox }) => void taken.push(inbox) as never,
      deliver: async ({ raw, recipients }) => {
        taken.push(Buffer.from(raw).toString(), ...recipients.map(({ inbox }) => inbox));
        return STORED;
      },
    },
    wrap: (next) => ({
      ...next,
      refusalOf: (recipient) => Object.assign(recipient, { inbox: 'eve' }) as never,
      deliver: async (own) => {
        const attempts = [
          () => Object.assign(own, { raw: Buffer.from('b') }),
          () => Object.assign(own.recipients, { length: 0 }),
          () => Object.assign(own.recipients[0] as Addressee, { inbox: 'eve' }),
        ];
        for (const change of attempts) expect(change).toThrow(TypeError);
        throw new Error('no');
      },
    }),
  });
  await slot.refusalOf({ ...RECIPIENT }, 'app@app.example');
  expect(await slot.deliver(mail())).toBe(STORED);
  expect(taken).toEqual(['anna', 'a', 'anna']);
});

test('if the store fails during a delivery, the delivery hook of a plugin does not replace the error', async () => {
  const failure = new Error('the store is away');
  const { slot } = guarded((next) => ({ deliver: (own) => next.deliver(own) }));
  const away = guardedSlot({
    ...{ plugin: 'p', wrap: (next) => next, clock: new ManualClock(), log: openLog('silent', 'json') },
    next: { recipientOf: () => RECIPIENT, deliver: async () => Promise.reject(failure) },
  });
  await expect(away.deliver(mail())).rejects.toBe(failure);
  expect(await slot.deliver(mail())).toBe(STORED);
});
