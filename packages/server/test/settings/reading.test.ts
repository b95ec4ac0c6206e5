import { availableParallelism } from 'node:os';
import { describe, expect, test } from 'vitest';
import '../../src/plugin/installed.js';
import { environmentName, readSettings, SettingsError, settingsOfEnvironment } from '../../src/settings/reading.js';
import { settingOf } from '../../src/settings/table.js';

const NONE = new Map<string, string[]>();

/** Bytes that the store adds to a message of the maximum size. */
const ADDED_BYTES = 64 * 1024;

/** Each setting with its maximum value, and a value above it. */
const BOUNDS: readonly [string, string, string][] = [
  ['max-message', '64MiB', '65MiB'],
  ['max-in-flight', '16GiB', '17GiB'],
  ['store-quota', '1024GiB', '1025GiB'],
  ['ad-hoc-quota', '1024GiB', '1025GiB'],
  ['http-max-body', '1MiB', '1025KiB'],
  ['max-recipients', '1000', '1001'],
  ['max-emails', '100000', '100001'],
  ['smtp-connections-total', '20000', '20001'],
  ['smtp-connections', '20000', '20001'],
  ['http-connections', '100000', '100001'],
  ['parser-threads', '64', '65'],
  ['streams', '100000', '100001'],
  ['streams-per-client', '100000', '100001'],
  ['smtp-idle', '1h', '61m'],
  ['smtp-data-time', '1h', '61m'],
  ['http-request-time', '1h', '61m'],
  ['http-header-time', '1h', '61m'],
  ['store-replicas', '5', '6'],
  ['retention', '24d', '25d'],
  ['fetch-limit', '1000000/24d', '1000001/24d'],
  ['smtp-data-speed', '1GiB/1h', '1025MiB/1h'],
  ['smtp-data-speed', '1GiB/1h', '1GiB/61m'],
];

function withFlag(name: string, ...texts: string[]): unknown {
  return (readSettings(new Map([[name, texts]]), NONE) as Record<string, unknown>)[name];
}

describe('settings', () => {
  // The other defaults are in docs/configuration.md, which "npm run check" compares with the settings.
  test('have the documented default values', () => {
    expect(readSettings(NONE, NONE)).toMatchObject({
      domain: ['inbox.example.com', '*'],
      host: '127.0.0.1',
      retention: 30 * 60 * 1000,
      'fetch-limit': { count: 20, windowMs: 10_000 },
      workspace: [],
      'smtps-port': null,
    });
  });

  test.each<[string, string, unknown]>([
    ['retention', '5s', 5_000],
    ['retention', '2h', 7_200_000],
    ['fetch-limit', 'off', null],
    ['smtp-data-speed', '4KiB/30s', { bytes: 4096, periodMs: 30_000 }],
    ['smtp-data-speed', 'off', null],
    ['parser-threads', 'auto', Math.max(1, availableParallelism() - 1)],
    ['max-message', '512KiB', 524_288],
    ['http-port', '0', 0],
    ['metrics', '9464', { host: '127.0.0.1', port: 9464 }],
    ['metrics', '0.0.0.0:9464', { host: '0.0.0.0', port: 9464 }],
    ['metrics', '[::1]:0', { host: '::1', port: 0 }],
    ['store', 'memory:', 'memory:'],
    ['store', 'lmdb:~mail/~', 'lmdb:~mail/~'],
    ['domain', 'Mail.Example', ['mail.example']],
    ['workspace', 'acme=s3cret.key-of_~+/==', [{ workspace: 'acme', key: 's3cret.key-of_~+/==' }]],
    ['workspace', `acme=${'k'.repeat(512)}`, [{ workspace: 'acme', key: 'k'.repeat(512) }]],
    ['cors-origin', 'http://localhost:3000', ['http://localhost:3000']],
    ['zerodrop', 'true', true],
  ])('--%s %s has the value %j', (name, text, value) => {
    expect(withFlag(name, text)).toEqual(value);
  });

  test.each<[string, string]>([
    ['retention', '30'],
    ['retention', '0s'],
    ['retention', '30d'],
    ['retention', '5 s'],
    ['fetch-limit', '20'],
    ['fetch-limit', '0/10s'],
    ['smtp-data-speed', '16KiB'],
    ['smtp-data-speed', '16KiB/2h'],
    ['parser-threads', '0'],
    ['max-message', '10MB'],
    ['max-emails', '0'],
    ['http-port', '65536'],
    ['metrics', '65536'],
    ['metrics', '::1:9464'],
    ['metrics', 'http://localhost:9464'],
    ['store', 'sqlite:x'],
    ['store', 'lmdb:'],
    ['store', 'lmdb:~/mail'],
    ['domain', ''],
    ['host', 'a'.repeat(256)],
    ['domain', 'a..b'],
    ['domain', '-a.test'],
    ['domain', `${'a'.repeat(64)}.test`],
    ['host', 'a b'],
    ['trust-proxy', '10.0.0.0/33'],
    ['compat-api-callers', '10.0.0.0-10.0.0.9'],
    ['cors-origin', 'localhost:3000'],
    ['zerodrop', 'yes'],
    ['log-level', 'loud'],
  ])('--%s %j is rejected with an error that states the allowed values', (name, text) => {
    expect(() => withFlag(name, text)).toThrow(SettingsError);
    expect(() => withFlag(name, text)).toThrow(`--${name}: "${text}" is not valid: `);
    expect(() => withFlag(name, text)).toThrow(/ is not valid: (?:use|it is (?:more|less) than the m(?:ax|in)imum,) /);
  });

  test.each<[string, string, string]>([
    ['max-message', '100MiB', 'use a whole number with the unit B, KiB, MiB or GiB, such as 10KiB; at most 64MiB.'],
    ['retention', '30d', 'use a whole number with the unit ms, s, m, h or d, such as 30m; at most 24d.'],
    ['http-port', '80800', 'use a port from 0 to 65535; 0 picks a free port.'],
    [
      'fetch-limit',
      '2000000/10s',
      'use a number per time, such as 20/10s, or off; number at most 1000000, time at most 24d.',
    ],
    [
      'smtp-data-speed',
      '2GiB/1m',
      'use a size per time, such as 16KiB/1m, or off; size at most 1GiB, time at most 1h.',
    ],
    ['store', './data', 'did you mean lmdb:./data? Use lmdb:DIR or redis://'],
    ['store', 'C:\\data', 'did you mean lmdb:C:\\data? Use lmdb:DIR or'],
    ['store', '~/data', 'did you mean lmdb:$HOME/data? Use lmdb:DIR or'],
    ['store', 'memory', 'did you mean memory:? Use lmdb:DIR or'],
  ])('--%s %s is rejected with an error that begins with the reason', (name, text, reason) => {
    expect(() => withFlag(name, text)).toThrow(`--${name}: "${text}" is not valid: ${reason}`);
  });

  test.each([
    ['acme', 'acme=…'],
    ['Acme=key-of-16-letters', 'Acme=…'],
    ['acme=fifteen-letter-', 'acme=…'],
    [`acme=${'k'.repeat(513)}`, 'acme=…'],
    ['acme=two words and more', 'acme=…'],
    [`${'a'.repeat(33)}=${'k'.repeat(16)}`, `${'a'.repeat(33)}=…`],
  ])('the error for --workspace %j gives the rule but not the key, because errors are logged', (text, shown) => {
    const error = catching(() => withFlag('workspace', text));
    expect(error).toBeInstanceOf(SettingsError);
    expect(String(error)).toContain(`--workspace: "${shown}" is not valid: use NAME=KEY`);
    expect(String(error)).not.toContain(text.split('=')[1] || '=key');
  });

  test('flags take precedence over the environment, which takes precedence over defaults', () => {
    const environment = settingsOfEnvironment({ MAYFLY_HTTP_PORT: '1', MAYFLY_SMTP_PORT: '2', PATH: '/bin' });
    const settings = readSettings(new Map([['http-port', ['3']]]), environment);
    expect(settings).toMatchObject({ 'http-port': 3, 'smtp-port': 2, host: '127.0.0.1' });
  });

  test('the error for an invalid variable names the variable', () => {
    const environment = settingsOfEnvironment({ MAYFLY_RETENTION: 'soon' });
    expect(() => readSettings(NONE, environment)).toThrow('MAYFLY_RETENTION: "soon" is not valid');
  });

  test('an unknown MAYFLY_ variable is rejected, except variables of the client and of Kubernetes', () => {
    expect(() => settingsOfEnvironment({ MAYFLY_RETENTOIN: '5s' })).toThrow(
      'MAYFLY_RETENTOIN is not a setting. Did you mean MAYFLY_RETENTION?',
    );
    expect(() => settingsOfEnvironment({ MAYFLY_COLOUR: 'red' })).toThrow('"mayfly serve --help" lists them all.');
    const others = {
      MAYFLY_URL: 'x',
      MAYFLY_API_KEY: 'x',
      MAYFLY_RUN: 'x',
      MAYFLY_PORT: 'tcp://10.0.0.1:80',
      MAYFLY_SERVICE_HOST: 'x',
    };
    expect(
      settingsOfEnvironment({ ...others, MAYFLY_PORT_8080_TCP_ADDR: 'x', MAYFLY_SERVICE_PORT_HTTP: 'x' }).size,
    ).toBe(0);
  });

  test.each([
    ['MAYFLY_NAME', '/r/mayfly'],
    ['MAYFLY_ENV_NODE_VERSION', '24.1.0'],
    ['MAYFLY_PORT', 'tcp://172.17.0.2:1025'],
    ['MAYFLY_PORT_2525_TCP_ADDR', '172.17.0.2'],
    ['MAYFLY_PORT_2525_TCP_PORT', '2525'],
    ['MAYFLY_PORT_2525_TCP_PORT_END', '2526'],
  ])('%s=%s, which a Docker link sets, is ignored and does not stop the start', (variable, text) => {
    expect(settingsOfEnvironment({ [variable]: text }).size).toBe(0);
  });

  test.each([
    ['MAYFLY_HTTP_PORT', 'tcp://10.0.0.1:80', 'mayfly-http'],
    ['MAYFLY_HTTP_SERVICE_HOST', '10.0.0.1', 'mayfly-http'],
    ['MAYFLY_SMTP_PORT', 'tcp://[fd00::1]:25', 'mayfly-smtp'],
    ['MAYFLY_SMTP_SERVICE_PORT', '25', 'mayfly-smtp'],
    ['MAYFLY_SMTP_SERVICE_PORT_SMTP', '25', 'mayfly-smtp'],
    ['MAYFLY_TEAM_1_PORT_80_TCP', 'tcp://10.0.0.1:80', 'mayfly-team-1'],
    ['MAYFLY_TEAM_1_PORT_80_TCP_ADDR', '10.0.0.1', 'mayfly-team-1'],
  ])('%s=%s is rejected with an error that explains that Kubernetes sets it', (variable, text, service) => {
    expect(() => settingsOfEnvironment({ [variable]: text })).toThrow(
      `${variable} is not a setting: Kubernetes sets such variables in every container to announce the service ${service}. Set "enableServiceLinks: false" in`,
    );
  });

  test.each<[Record<string, string[]>, string]>([
    [{ 'tls-cert': ['c.pem'] }, '--tls-cert and --tls-key go together'],
    [{ metrics: ['8080'] }, 'are the same port'],
    [{ 'http-port': ['2525'] }, 'are the same'],
    [
      { 'smtps-port': ['465'] },
      '--smtps-port needs a certificate: set --tls-cert and --tls-key, or let Mayfly generate one with --tls self-signed.',
    ],
    [
      { 'smtps-port': ['2525'], tls: ['self-signed'] },
      '--smtp-port (2525 by default) and --smtps-port (2525) are the same: use two different ports.',
    ],
    [
      { tls: ['self-signed'], 'tls-cert': ['c.pem'], 'tls-key': ['k.pem'] },
      '--tls (self-signed) is for a service without a certificate, but --tls-cert provides one. Remove one of them.',
    ],
    [
      { store: ['redis://localhost'], 'store-replicas-on-disk': ['true'] },
      '--store-replicas-on-disk has no effect without --store-replicas: set both, or remove --store-replicas-on-disk.',
    ],
    [
      { store: ['redis://localhost'], 'store-quota': ['1GiB'] },
      '--store-quota (1GiB) has no effect on Redis, which bounds its own memory. Remove it, and set maxmemory',
    ],
    [{ 'cors-origin': ['http://a.test', '*'] }, '--cors-origin: * allows every origin'],
    [
      { 'max-message': ['2MiB'], 'max-in-flight': ['1MiB'] },
      '--max-message (2MiB) is more than --max-in-flight (1MiB)',
    ],
    [
      { 'max-message': ['2MiB'], 'store-quota': ['1MiB'] },
      '--store-quota (1MiB) is less than the 2162688 bytes that the largest message to one recipient takes in the store. Raise the quota, or lower --max-message.',
    ],
    [{ 'store-quota': ['1KiB'] }, '--store-quota (1KiB) is less than the 131072 bytes that'],
    [{ 'max-message': ['1MiB'], 'store-quota': ['1MiB'] }, '--store-quota (1MiB) is less than the 1114112 bytes that'],
    [
      { 'smtp-connections': ['11'], 'smtp-connections-total': ['10'] },
      '--smtp-connections (11) is more than --smtp-connections-total (10)',
    ],
    [{ streams: ['100'], 'streams-per-client': ['101'] }, '--streams-per-client (101) is more than --streams (100)'],
    [{ 'http-header-time': ['20s'] }, '--http-header-time (20s) is more than --http-request-time (15s by default)'],
    [{ 'max-in-flight': ['5GiB'] }, '--max-in-flight (5GiB) is more than the memory of this machine, 4294967296 bytes'],
    [
      { 'compat-api-callers': ['10.0.0.0/8'] },
      '--compat-api-callers requires --compat-api: set both, or remove --compat-api-callers.',
    ],
    [{ 'http-port': ['1', '2'] }, 'is given 2 times'],
    [{ workspace: ['a=key-of-16-letters', 'b=key-of-16-letters'] }, 'have the same key'],
    [
      { workspace: ['acme=key-of-16-letters', 'acme-eu=another-of-them-'] },
      'acme would also own the inbox names of acme-eu',
    ],
  ])('%j is rejected: %s', (flags, sentence) => {
    const written = new Map(Object.entries(flags) as [string, string[]][]);
    expect(() => readSettings(written, NONE, { machineBytes: 4 * 1024 ** 3 })).toThrow(sentence);
    expect(() => readSettings(written, NONE, { machineBytes: 4 * 1024 ** 3 })).toThrow(SettingsError);
  });

  test.each<[Record<string, string[]>]>([
    [{ 'max-message': ['1MiB'], 'max-in-flight': ['1MiB'], 'store-quota': ['1088KiB'] }],
    [{ 'smtp-connections': ['10'], 'smtp-connections-total': ['10'] }],
    [{ 'http-header-time': ['15s'] }],
    [{ 'http-port': ['0'], 'smtp-port': ['0'] }],
    [{ metrics: ['127.0.0.2:8080'] }],
    [{ 'max-in-flight': ['4GiB'] }],
  ])('%j is accepted, because the settings do not contradict each other', (flags) => {
    const written = new Map(Object.entries(flags) as [string, string[]][]);
    expect(readSettings(written, NONE, { machineBytes: 4 * 1024 ** 3 })).toBeDefined();
  });

  test.each<[string, string, string, number]>([
    ['streams', '100', 'streams-per-client', 100],
    ['streams', '1000', 'streams-per-client', 200],
    ['streams', '10000', 'streams-per-client', 2_000],
    ['streams', '40000', 'streams-per-client', 4_000],
    ['smtp-connections-total', '20', 'smtp-connections', 20],
    ['smtp-connections-total', '200', 'smtp-connections', 80],
    ['http-request-time', '5s', 'http-header-time', 5_000],
    ['max-in-flight', '5MiB', 'max-message', 5 * 1024 ** 2],
    ['store-quota', '5MiB', 'max-message', 5 * 1024 ** 2 - ADDED_BYTES],
    ['store-quota', '128KiB', 'max-message', 64 * 1024],
  ])('if only --%s %s is set, the default of --%s is %i', (name, text, other, value) => {
    const written = new Map([[name, [text]]]);
    expect(readSettings(written, NONE)).toMatchObject({ [other]: value });
    const fromEnvironment = settingsOfEnvironment({ [environmentName(name)]: text });
    expect(readSettings(NONE, fromEnvironment)).toMatchObject({ [other]: value });
  });

  test('limit a message by default to the store quota or the machine memory, whichever is smaller', () => {
    const written = settingsOfEnvironment({ MAYFLY_STORE_QUOTA: '6MiB', MAYFLY_MAX_IN_FLIGHT: '7MiB' });
    expect(readSettings(NONE, written)['max-message']).toBe(6 * 1024 ** 2 - ADDED_BYTES);
    expect(readSettings(NONE, NONE, { machineBytes: 5 * 1024 ** 2 })['max-message']).toBe(5 * 1024 ** 2);
  });

  test.each<[Record<string, string>, Record<string, string[]>, string]>([
    [
      { MAYFLY_MAX_IN_FLIGHT: '5MiB' },
      { 'max-message': ['6MiB'] },
      '--max-message (6MiB) is more than MAYFLY_MAX_IN_FLIGHT (5MiB): a message of the largest size would always be ' +
        'refused. Lower --max-message, or raise MAYFLY_MAX_IN_FLIGHT.',
    ],
    [
      { MAYFLY_STREAMS: '100', MAYFLY_STREAMS_PER_CLIENT: '150' },
      { streams: ['120'] },
      'MAYFLY_STREAMS_PER_CLIENT (150) is more than --streams (120)',
    ],
    [
      { MAYFLY_MAX_MESSAGE: '64MiB' },
      { 'max-in-flight': ['32MiB'] },
      'MAYFLY_MAX_MESSAGE (64MiB) is more than --max-in-flight (32MiB)',
    ],
    [{ MAYFLY_TLS_KEY: 'key.pem' }, {}, '--tls-cert and MAYFLY_TLS_KEY go together'],
    [{ MAYFLY_SMTP_PORT: '8080' }, {}, '--http-port (8080 by default) and MAYFLY_SMTP_PORT (8080) are the same'],
    [{ MAYFLY_CORS_ORIGIN: '*,http://a.test' }, {}, 'MAYFLY_CORS_ORIGIN: * allows every origin'],
    [
      { MAYFLY_WORKSPACE: 'a=key-of-16-letters,b=key-of-16-letters' },
      {},
      'MAYFLY_WORKSPACE: a and b have the same key',
    ],
    [{ MAYFLY_HTTP_PORT: '1,2' }, {}, 'MAYFLY_HTTP_PORT: "1,2" is not valid'],
  ])('the error for contradictory settings names each as the user wrote it: %j, %j', (variables, flags, sentence) => {
    const written = new Map(Object.entries(flags) as [string, string[]][]);
    expect(() => readSettings(written, settingsOfEnvironment(variables))).toThrow(sentence);
  });

  test.each(BOUNDS)('--%s accepts %s, and rejects %s with an error that states the limit', (name, most, tooMuch) => {
    const { kind } = settingOf(name);
    expect(kind.parse(most)).toBeDefined();
    expect(kind.parse(tooMuch)).toBeUndefined();
    expect(kind.rule).toContain(most.split('/')[0]);
  });
});

/** Returns the error that a function throws. */
function catching(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return null;
}
