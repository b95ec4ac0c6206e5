import { describe, expect, test, vi } from 'vitest';
import { Mayfly } from '../src/index.js';
import { inVain, saysInVain } from './in-vain.js';
import { recordingFetch } from './recording-fetch.js';
import { freshName, serviceOfFile, startService } from './service.js';

/** A timeout that no test reaches, so a call can only end because of an event. */
const A_DAY_MS = 86_400_000;

const service = await serviceOfFile();

function newInbox() {
  const { fetch, requests, answered } = recordingFetch();
  const inbox = new Mayfly({ baseUrl: service.url, fetch }).inbox(freshName());
  return {
    inbox,
    requests,
    answered,
    mail: (subject: string, text = '') => service.mail(inbox.name, { subject, text }),
  };
}

const CODE = 'Your code is 482913';
const LINK = 'Open https://app.test/verify?token=abc';

describe('waitForEmail', () => {
  test('returns an email that has already arrived, with its time as a Date', async () => {
    const { inbox, mail } = newInbox();
    const before = Date.now();
    await mail('Welcome', CODE);
    const after = Date.now();
    const email = await inbox.waitForEmail();
    expect(email).toMatchObject({ subject: 'Welcome', otp: '482913', magicLink: null, to: inbox.address });
    expect(email.receivedAt.getTime()).toBeGreaterThanOrEqual(before);
    expect(email.receivedAt.getTime()).toBeLessThanOrEqual(after);
  });

  test('receives a later email on its first stream, without another request', async () => {
    // Slows down the server's clock, so that the server neither checks the inbox again nor sends a keep-alive.
    const patient = await startService({ speed: 1e-5 });
    const { fetch, requests } = recordingFetch();
    const inbox = new Mayfly({ baseUrl: patient.url, fetch }).inbox(freshName());
    const waiting = inbox.waitForEmail({ subject: 'code', hasOtp: true });
    await patient.mail(inbox.name, { subject: 'Your code' });
    await patient.mail(inbox.name, { subject: 'Your code', text: CODE });
    expect((await waiting).otp).toBe('482913');
    expect(requests).toEqual(['stream?subject=code&hasOtp=true']);
    await patient.stop();
  });

  test('returns an older email that matches a RegExp, which only the client can evaluate', async () => {
    const { inbox, mail, requests } = newInbox();
    for (const subject of ['Code 1', 'Code 22', 'Receipt', 'Code 3']) await mail(subject);
    expect((await inbox.waitForEmail({ subject: /\d\d$/, body: '' })).subject).toBe('Code 22');
    expect(requests).toEqual(['stream?body=', 'summary?body=&limit=200&source=sdk', 'email']);
  });

  test('rejects with an error that where() throws', async () => {
    const { inbox, mail } = newInbox();
    await mail('one');
    const where = () => {
      throw new RangeError('mine');
    };
    await expect(inbox.waitForEmail({ where })).rejects.toThrow(new RangeError('mine'));
  });
});

describe('after and mark()', () => {
  test('select only later emails', async () => {
    const { inbox, mail, requests } = newInbox();
    await mail('first', CODE);
    const first = await inbox.waitForEmail();
    const waiting = inbox.waitForEmail({ after: first.receivedAt });
    await mail('second');
    const second = await waiting;
    expect(second.subject).toBe('second');
    expect(requests.at(-1)).toBe(`stream?after=${first.receivedAt.toISOString()}`);
    expect(await inbox.mark()).toEqual(second.receivedAt);
    expect((await inbox.emails({ after: first.receivedAt })).map(({ subject }) => subject)).toEqual(['second']);
  });
});

describe('emails() and latest()', () => {
  test('return all emails, newest first, and the newest email or null', async () => {
    const { inbox, mail, requests } = newInbox();
    expect(await inbox.emails()).toEqual([]);
    expect(await inbox.latest()).toBeNull();
    await mail('one', CODE);
    await mail('two');
    expect((await inbox.emails()).map(({ subject }) => subject)).toEqual(['two', 'one']);
    expect((await inbox.latest({ hasOtp: true }))?.subject).toBe('one');
    expect((await inbox.latest({ subject: /nobody/ })) ?? null).toBeNull();
    expect(requests.filter((request) => !/^(?:summary\?.*source=sdk|email)$/.test(request))).toEqual([]);
  });
});

describe.concurrent('waitForEmails', () => {
  test('returns exactly `count` emails, even if some arrive during the wait', async () => {
    const { inbox, mail } = newInbox();
    await mail('one');
    const waiting = inbox.waitForEmails({ count: 3, settle: 50, subject: /^(one|two|three)$/ });
    for (const subject of ['other', 'two', 'three']) await mail(subject);
    expect((await waiting).map(({ subject }) => subject)).toEqual(['three', 'two', 'one']);
  });

  test.each([1, 2])('rejects immediately if more than %i emails have arrived', async (count) => {
    const { inbox, mail } = newInbox();
    for (let n = 0; n <= count; n++) await mail(`mail ${n}`);
    const rejected = inbox.waitForEmails({ count, settle: A_DAY_MS });
    await expect(rejected).rejects.toMatchObject({
      name: 'MayflyUnexpectedEmailError',
      expected: count,
      address: inbox.address,
      emails: { length: count + 1 },
    });
  });

  test('rejects immediately if one email too many arrives within `settle`', async () => {
    const { inbox, mail } = newInbox();
    await mail('one');
    const waiting = inbox.waitForEmails({ count: 1, settle: A_DAY_MS, timeout: A_DAY_MS });
    const rejected = expect(waiting).rejects.toThrow(
      `Expected exactly 1 email, but 2 emails came to ${inbox}: 'two', 'one'.`,
    );
    await mail('two');
    await rejected;
  });
});

describe('expectNoEmail', () => {
  test('resolves if no matching email arrives in time', async () => {
    const { inbox, mail } = newInbox();
    await mail('Receipt');
    const startedAt = performance.now();
    await inbox.expectNoEmail({ hasOtp: true, within: 200 });
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(199);
  });

  test.each([0, A_DAY_MS])('rejects immediately if the inbox already has a match (within: %i)', async (within) => {
    const { inbox, mail } = newInbox();
    await mail('Your code', CODE);
    await expect(inbox.expectNoEmail({ hasOtp: true, within })).rejects.toThrow(
      `Expected no email with a code, but 1 email came to ${inbox}: 'Your code'.`,
    );
  });

  test('rejects immediately if a matching email arrives', async () => {
    const { inbox, mail } = newInbox();
    const waiting = inbox.expectNoEmail({ within: 10_000 });
    const rejected = expect(waiting).rejects.toMatchObject({ name: 'MayflyUnexpectedEmailError', expected: 0 });
    await mail('Surprise');
    await rejected;
  });
});

/** Each test waits for seconds, so they run concurrently. */
describe.concurrent('the error of a wait', () => {
  test('says that nothing arrived', async () => {
    const { inbox } = newInbox();
    const waited = (timeout: number) => inbox.waitForOtp({ timeout, subject: 'Code' });
    await inVain(waited, (error, timeoutMs) => {
      expect(error).toMatchObject({ name: 'MayflyTimeoutError', timeoutMs, address: inbox.address, emails: [] });
      expect(error.message.replace(/In the last \d+ s/, 'In the last N s')).toBe(
        `Waited ${timeoutMs / 1_000} s for an email with a code, subject "Code". No email came to ${inbox}. ` +
          "In the last N s, no client connected to the SMTP port 2525 from this test's address (Mayfly's log lists clients at other addresses, such as a container's): set the application's SMTP host and port to Mayfly's. Inside a container, 127.0.0.1 is the container itself (https://OWNER.github.io/mayfly/troubleshooting). Or " +
          'the application sends only after this timeout, or refused the address: some validators ask DNS for the domain inbox.example.com (https://OWNER.github.io/mayfly/applications).',
      );
    });
  });

  test('lists the received emails, and why each does not match', async () => {
    const { inbox, mail } = newInbox();
    await mail('Before', CODE);
    const after = await inbox.mark();
    await mail('Welcome');
    await mail('Your receipt', CODE);
    await mail('Bell\u0007 and \u001b[31mred', LINK);
    await mail('x'.repeat(100), CODE);
    const waited = (timeout: number) => inbox.waitForOtp({ timeout, subject: /^Your code/, after });
    await inVain(waited, (error, timeout) => {
      expect(error.message).toBe(
        `Waited ${timeout / 1_000} s for an email with a code, subject /^Your code/. 5 emails came to ${inbox}: ` +
          `'${'x'.repeat(60)}…' (subject does not match), 'Bell  and  [31mred' (subject does not match, no code), ` +
          `'Your receipt' (subject does not match), 'Welcome' (subject does not match, no code), ` +
          `'Before' (not after \`after\`, subject does not match).`,
      );
      expect(error.emails).toHaveLength(5);
    });
  });

  test('lists emails that arrived during the wait but were deleted before its end', async () => {
    const { inbox, answered, mail } = newInbox();
    const waiting = inbox.waitForOtp({ timeout: 24_000 }).catch(({ message }) => message);
    await mail('Your code', 'Your code is A7K-2QX.');
    await vi.waitFor(() => expect(answered).toContain('parts'), { timeout: 22_000 });
    await inbox.clear();
    expect(await waiting).toContain(
      `1 email came to ${inbox}: 'Your code' (no code: A7K-2QX has letters: use waitForCode(); its text begins ` +
        '"Your code is A7K-2QX."; gone by now).',
    );
  });

  test('says why an email does not match, even if the response arrives after the timeout', async () => {
    const name = freshName();
    await service.mail(name, { subject: 'Your code', text: 'Your code is A7K-2QX.' });
    const wait = (timeout: number) => {
      const begunAt = performance.now();
      const isOver = () => expect(performance.now() - begunAt).toBeGreaterThan(timeout);
      const slow: typeof fetch = async (input, init) => {
        const response = await fetch(input, init);
        if (`${input}`.endsWith('/parts')) await vi.waitFor(isOver, { timeout: 2 * timeout });
        return response;
      };
      return new Mayfly({ baseUrl: service.url, fetch: slow }).inbox(name).waitForOtp({ timeout });
    };
    await saysInVain(wait, /'Your code' \(no code: A7K-2QX has letters: use waitForCode\(\); its text begins/);
  });

  test('names at most ten emails', async () => {
    const { inbox, mail } = newInbox();
    for (let n = 1; n <= 12; n++) await mail(`mail ${n}`);
    await saysInVain(
      (timeout) => inbox.waitForOtp({ timeout }),
      /12 emails came to .*'mail 12' \(no code; it has no text\), .*'mail 3' \(no code\) and 2 more\.$/,
    );
  });

  test.each([
    [5, 'Waited 5 ms (did you mean 5000?) for an email'],
    [120, 'Waited 120 ms (did you mean 120000?) for an email'],
    [121, 'Waited 0.121 s for an email'],
  ])('asks whether a timeout of %d was meant in seconds', async (timeout, sentence) => {
    const { inbox } = newInbox();
    // A request succeeds first, so that the error says only that the email is missing.
    await inbox.emails();
    await expect(inbox.waitForEmail({ timeout })).rejects.toThrow(sentence);
  });
});

describe("an abort by the caller's signal", () => {
  test.each(['waitForEmail', 'waitForOtp', 'emails', 'latest', 'expectNoEmail'] as const)(
    'before the call rejects %s without a request',
    async (call) => {
      const { inbox } = newInbox();
      await expect(inbox[call]({ signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough');
    },
  );
});
