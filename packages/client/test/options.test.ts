import { afterEach, describe, expect, test, vi } from 'vitest';
import { type CreateInboxOptions, Mayfly, MayflyOptionError, type MayflyOptions } from '../src/index.js';
import { readSettings } from '../src/wait/settings.js';

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('new Mayfly()', () => {
  test('uses the address of "mayfly serve" by default', () => {
    const mayfly = new Mayfly();
    expect(mayfly.baseUrl).toBe('http://127.0.0.1:8080');
    expect(mayfly.domain).toBe('inbox.example.com');
  });

  test('reads its options from the environment', () => {
    vi.stubEnv('MAYFLY_URL', 'https://mail.example.com/mayfly/');
    vi.stubEnv('MAYFLY_DOMAIN', 'Example.com, inbox.example.com');
    vi.stubEnv('MAYFLY_API_KEY', 'acme=k3y-of-16-chars==');
    const mayfly = new Mayfly();
    expect(mayfly.baseUrl).toBe('https://mail.example.com/mayfly');
    expect(mayfly.domain).toBe('example.com');
    expect(mayfly.createInbox().address).toMatch(/^acme-[a-z]+-[a-z]+-[a-z2-7]{12}@example\.com$/);
  });

  test('prefers options over the environment', () => {
    vi.stubEnv('MAYFLY_URL', 'not an address');
    vi.stubEnv('MAYFLY_DOMAIN', '-');
    vi.stubEnv('MAYFLY_API_KEY', '=');
    const mayfly = new Mayfly({ baseUrl: 'http://localhost:1234', domain: 'a.test', apiKey: 'acme=key-of-16-letters' });
    expect(mayfly.baseUrl).toBe('http://localhost:1234');
    expect(mayfly.createInbox({ prefix: 'Sign-up' }).name).toMatch(/^acme-sign-up-/);
  });

  test('uses the default for a variable that is empty, and the default domain if MAYFLY_DOMAIN is *', () => {
    vi.stubEnv('MAYFLY_URL', '');
    vi.stubEnv('MAYFLY_DOMAIN', '*');
    vi.stubEnv('MAYFLY_API_KEY', '');
    vi.stubEnv('MAYFLY_CREDENTIALS', '');
    expect(new Mayfly().baseUrl).toBe('http://127.0.0.1:8080');
    expect(new Mayfly().domain).toBe('inbox.example.com');
    expect(new Mayfly().createInbox().name).toMatch(/^[a-z]+-[a-z]+-[a-z2-7]{12}$/);
  });

  test('works without a process object, as in browsers', () => {
    vi.stubGlobal('process', undefined);
    try {
      expect(new Mayfly().baseUrl).toBe('http://127.0.0.1:8080');
    } finally {
      vi.unstubAllGlobals();
    }
  });

  test.each([
    [{ baseUrl: '127.0.0.1:8080' }, '"127.0.0.1:8080" is not a base URL'],
    [{ baseUrl: 'ftp://a.test' }, 'is not a base URL'],
    [{ baseUrl: 'http://a.test/?x=1' }, 'is not a base URL'],
    [{ baseUrl: 'http://user:secret@a.test' }, 'is not a base URL'],
    [{ domain: 'a@b' }, '"a@b" is not a domain. Set domain or MAYFLY_DOMAIN to one such as inbox.example.com.'],
    [{ apiKey: 'key' }, 'Write it as NAME=KEY'],
    [{ apiKey: 'Acme=key-of-16-letters' }, 'Write it as NAME=KEY'],
    [{ apiKey: `acme=${'k'.repeat(15)}` }, 'a key has 16 to 512 characters'],
    [{ credentials: 'run-1' }, 'Write it as USER:PASSWORD'],
    [{ credentials: ':secret' }, 'Write it as USER:PASSWORD'],
    // A header cannot contain these characters, so the request would fail as if the service were down.
    [{ credentials: 'run-1:пароль' }, 'Write it as USER:PASSWORD'],
    [{ credentials: 'run-1:two\nlines' }, 'Write it as USER:PASSWORD'],
    [{ timeout: 0 }, 'Mayfly: timeout must be a whole number of milliseconds from 1 to 86400000.'],
    [{ baseURL: 'http://a.test' }, 'Mayfly: "baseURL" is not an option. Did you mean baseUrl?'],
    [{ fetch: 'fetch' }, 'Mayfly: fetch must be a function.'],
    [{ baseUrl: 8080 }, 'Mayfly: baseUrl must be a string.'],
  ])('rejects %o immediately', (options, sentence) => {
    expect(() => new Mayfly(options as object)).toThrow(MayflyOptionError);
    expect(() => new Mayfly(options as object)).toThrow(sentence);
  });

  test('throws errors that do not contain the invalid API key or password', () => {
    expect(() => new Mayfly({ apiKey: 'sesame' })).toThrow(/^(?!.*sesame).*NAME=KEY/);
    expect(() => new Mayfly({ credentials: 'sesame' })).toThrow(/^(?!.*sesame).*USER:PASSWORD/);
  });
});

describe('old option names', () => {
  const ONE = 'run-1:secret';
  const BOTH = { MAYFLY_SPACE: ONE, MAYFLY_CREDENTIALS: ONE };
  const faultsOf = (options: CreateInboxOptions) => new Mayfly().createInbox(options).name.replace(/^.*?--/, '');
  function credentialsOf(options: MayflyOptions, variables: Readonly<Record<string, string>> = {}) {
    for (const [name, text] of Object.entries(variables)) vi.stubEnv(name, text);
    return readSettings(options).auth;
  }

  test.each<[name: string, given: () => unknown, meant: string]>([
    ['space', () => credentialsOf({ space: ONE }), ONE],
    ['space next to an unset current name', () => credentialsOf({ credentials: undefined, space: ONE }), ONE],
    ['MAYFLY_SPACE', () => credentialsOf({}, { MAYFLY_SPACE: ONE, MAYFLY_CREDENTIALS: '' }), ONE],
    ['the option, which precedes both variables', () => credentialsOf({ credentials: 'a:b' }, BOTH), 'a:b'],
    ['rehearse', () => faultsOf({ rehearse: ['451 x2'] }), '451x2'],
  ])('still work: %s', (_, given, meant) => expect(given()).toBe(meant));

  test('are validated like the current names', () =>
    expect(() => credentialsOf({ space: 1 } as object)).toThrow('Mayfly: space must be a string.'));
});

describe('Mayfly.inbox() and Mayfly.createInbox()', () => {
  const mayfly = new Mayfly({ domain: 'inbox.example.com' });

  test.each([
    ['demo', 'demo@inbox.example.com'],
    ['Demo@Inbox.Example.com', 'demo@inbox.example.com'],
    ['demo@other.test', 'demo@other.test'],
    ['demo@Bücher.test', 'demo@xn--bcher-kva.test'],
  ])('inbox() maps %s to %s', (text, address) => {
    const inbox = mayfly.inbox(text);
    expect(`${inbox}`).toBe(address);
    expect(inbox).toMatchObject({ address, name: 'demo', pageUrl: `http://127.0.0.1:8080/inbox/${address}` });
  });

  test.each(['', 'a b', '@inbox.example.com', 'a@', 'a@b c', 'a@b@c', '.a'])('inbox(%j) throws', (text) => {
    expect(() => mayfly.inbox(text)).toThrow(MayflyOptionError);
  });

  test.each([
    [{ prefix: 'a b' }, 'is not an inbox name'],
    [{ prefix: 7 }, 'createInbox: prefix must be a string.'],
    [{ name: 'a' }, 'createInbox: "name" is not an option. It takes prefix, simulate, private, rehearse.'],
  ])('createInbox(%o) throws', (options, sentence) => {
    expect(() => mayfly.createInbox(options as object)).toThrow(sentence);
  });
});

describe('options of the calls', () => {
  // Nothing listens on this port, so an option that is wrongly accepted would lead to a different error.
  const inbox = new Mayfly({ baseUrl: 'http://127.0.0.1:9', timeout: 100 }).createInbox();

  test.each([
    ['waitForEmail', { timout: 1 }, 'waitForEmail: "timout" is not an option. Did you mean timeout?'],
    ['waitForEmail', { sender: 1 }, 'waitForEmail: "sender" is not an option. It takes from, subject, body,'],
    ['waitForOtp', { form: 'app' }, '. Did you mean from?'],
    ['waitForEmail', { hasotp: true }, '. Did you mean hasOtp?'],
    ['waitForEmail', { timeout: 0 }, 'timeout must be a whole number of milliseconds from 1 to 86400000'],
    ['waitForEmail', { timeout: '30s' }, 'timeout must be'],
    ['waitForEmail', { timeout: 86_400_001 }, 'timeout must be'],
    ['waitForEmail', { subject: 7 }, 'subject must be a string or a RegExp'],
    ['waitForEmail', { hasOtp: 'true' }, 'hasOtp must be true or false'],
    ['waitForEmail', { where: true }, 'where must be a function'],
    ['waitForEmail', { after: '2026-01-31T09:30:00.000Z' }, 'after must be a Date'],
    ['waitForEmail', { signal: {} }, 'signal must be an AbortSignal'],
    ['waitForOtp', { hasOtp: true }, 'waitForOtp: "hasOtp" is not an option'],
    ['waitForMagicLink', { hasMagicLink: false }, 'waitForMagicLink: "hasMagicLink" is not an option'],
    ['waitForEmails', {}, 'waitForEmails: count must be a whole number of emails from 1 to 1000'],
    ['waitForEmails', { count: 0 }, 'count must be'],
    ['waitForEmails', { count: 2, settle: -1 }, 'settle must be a whole number of milliseconds from 0'],
    ['expectNoEmail', { within: -1 }, 'within must be a whole number of milliseconds from 0'],
    ['expectNoEmail', { timeout: 100 }, 'expectNoEmail: "timeout" is not an option'],
    ['emails', { timeout: 100 }, 'emails: "timeout" is not an option'],
  ] as const)('%s(%o) rejects immediately', async (call, options, sentence) => {
    const rejected = (inbox[call] as (options: unknown) => Promise<unknown>)(options);
    await expect(rejected).rejects.toThrow(MayflyOptionError);
    await expect(rejected).rejects.toThrow(sentence);
  });
});
