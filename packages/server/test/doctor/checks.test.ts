import { once } from 'node:events';
import { utimes, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import path from 'node:path';
import { type StartedMayfly, startMayfly } from 'mayfly-inbox';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkCertificate } from '../../src/doctor/check-certificate.js';
import { checkMx } from '../../src/doctor/check-mx.js';
import { checkPorts } from '../../src/doctor/check-ports.js';
import { checkStore } from '../../src/doctor/check-store.js';
import { checkClock, checkNode, checkProxies } from '../../src/doctor/examine.js';
import type { Finding } from '../../src/doctor/finding.js';
import { readSettings } from '../../src/settings/reading.js';
import type { SettingName, Settings } from '../../src/settings/table.js';
import { openStore } from '../../src/store/open-store.js';
import { selfSigned } from '../../src/tls/certificate.js';
import { temporaryFolder } from '../service/process.js';
import { type DnsServer, type Records, startDns } from './dns-server.js';

const DAY_MS = 24 * 60 * 60 * 1000;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
const opened: { close(): unknown }[] = [];

beforeEach(async () => {
  folder = await temporaryFolder();
});

afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
  await folder.remove();
});

function settings(given: Partial<Record<SettingName, string | number>> = {}): Settings {
  const flags = Object.entries(given).map(([name, value]) => [name as SettingName, [String(value)]] as const);
  return readSettings(new Map(flags), new Map());
}

const shown = (found: readonly Finding[]) => found.map(({ check, level, text }) => `${level} ${check}: ${text}`);

describe("the doctor's check of ports", () => {
  async function listening(greeting: string): Promise<number> {
    const server: Server = createServer((socket) => void socket.on('error', () => {}).end(greeting)).listen(
      0,
      '127.0.0.1',
    );
    opened.push(server);
    await once(server, 'listening');
    return (server.address() as { port: number }).port;
  }

  test.each(['', '220 mail.example ESMTP Postfix\r\n', 'HTTP/1.1 200 OK\r\n\r\n{"status":"up"}'])(
    'recognizes another program by its answer %j',
    async (greeting) => {
      const port = await listening(greeting);
      for (const name of ['http-port', 'smtp-port', 'metrics'] as const) {
        const found = await checkPorts(settings({ 'http-port': 0, 'smtp-port': 0, [name]: port }));
        expect(shown(found)).toContain(
          `problem ${name}: --${name}: port ${port} of 127.0.0.1 is in use by another program. Stop that program, or choose another port.`,
        );
      }
    },
  );

  test('accepts ports that a running Mayfly uses', async () => {
    const mayfly: StartedMayfly = await startMayfly({ metrics: 0 });
    opened.push({ close: () => mayfly.stop() });
    const [http, metrics] = [mayfly.url, mayfly.metricsUrl as string].map((url) => new URL(url).port);
    const found = await checkPorts(
      settings({ 'smtp-port': mayfly.smtp.port, 'http-port': http ?? '', metrics: metrics ?? '' }),
    );
    expect(found.map(({ level }) => level)).toEqual(['ok', 'ok', 'ok']);
    for (const { text } of found) expect(text).toContain('Mayfly is already running on ');
    // Each port is in use by Mayfly, but for the other protocol.
    const crossed = await checkPorts(settings({ 'smtp-port': http ?? '', 'http-port': mayfly.smtp.port }));
    expect(crossed.map(({ level }) => level)).toEqual(['problem', 'problem']);
  });
});

describe("the doctor's check of proxies", () => {
  const of = (given: Parameters<typeof settings>[0]) => shown(checkProxies(settings(given)));

  test('accepts a proxy that can reach the service', () => {
    const given = { 'smtp-proxy': '10.0.0.5,2001:db8::/64', 'smtp-proxy-lazy': '127.0.0.1', host: '0.0.0.0' };
    expect(of(given)).toEqual([
      'ok smtp-proxy: SMTP connections from 10.0.0.5, 2001:db8::/64 must begin with a PROXY header, before the greeting; others must not.',
      "ok smtp-proxy-lazy: SMTP connections from 127.0.0.1 must begin with a PROXY header, with the client's first bytes; others must not.",
    ]);
  });

  test.each(['127.0.0.1', 'localhost', '::1'])('reports a proxy that cannot reach a service on %s', (host) => {
    expect(of({ 'smtp-proxy': '10.0.0.5', host })[0]).toBe(
      `warning smtp-proxy: --host is ${host}, which is reachable only from this machine, but --smtp-proxy lists no proxy on this machine. Set --host to the address at which the proxies reach Mayfly.`,
    );
    expect(of({ 'smtp-proxy': '10.0.0.5,127.0.0.0/8,::1', host }).join()).not.toContain('warning');
  });

  test.each([
    ['0.0.0.0/0', true],
    ['10.0.0.0/7', true],
    ['10.0.0.0/8', false],
    ['::/0', true],
    ['2001::/16', false],
  ])('warns if the range %s is too wide to be trusted: %s', (range, isWide) => {
    const found = of({ 'smtp-proxy': range, host: '0.0.0.0' });
    expect(found.some((text) => text.startsWith('warning') && text.includes(range))).toBe(isWide);
  });
});

describe("the doctor's check of the certificate", () => {
  const now = Date.UTC(2030, 5, 1);

  async function found(
    cert: string,
    key: string,
    mxHosts: readonly string[] = [],
    domain = 'mail.app.dev',
  ): Promise<string[]> {
    const files = { cert: path.join(folder.path, 'cert.pem'), key: path.join(folder.path, 'key.pem') };
    await writeFile(files.cert, cert);
    await writeFile(files.key, key);
    return shown(
      await checkCertificate(settings({ domain, 'tls-cert': files.cert, 'tls-key': files.key }), mxHosts, now),
    );
  }

  test('warns that most senders reject a self-signed certificate', async () => {
    expect(shown(await checkCertificate(settings({ tls: 'self-signed' }), []))).toEqual([
      expect.stringMatching(/^warning certificate: The certificate is self-signed\. .* Omit --tls self-signed/),
    ]);
  });

  test('reports a certificate for another name', async () => {
    const { cert, key } = await selfSigned('other.dev', now);
    expect(await found(cert, key, ['mx.app.dev'])).toContainEqual(
      expect.stringMatching(
        /^warning certificate: The certificate is issued for other\.dev, .*not for mail\.app\.dev, mx\.app\.dev\./,
      ),
    );
    expect(await found(cert, key, [], '*')).toHaveLength(1);
  });

  test.each([
    ['has expired', now - 366 * DAY_MS, /^problem certificate: The certificate expired on 2030-05-31\. Renew it/],
    ['expires soon', now - 352 * DAY_MS, /^warning certificate: The certificate expires on 2030-06-14, in 13 days/],
    ['is not valid yet', now + 3 * DAY_MS, /^problem certificate: The certificate is not valid before/],
  ])('reports a certificate that %s', async (_what, madeAt, expected) => {
    const { cert, key } = await selfSigned('mail.app.dev', madeAt);
    expect(await found(cert, key)).toEqual([expect.stringMatching(expected)]);
  });

  test('reports a certificate that is not PEM or does not match its key', async () => {
    const [one, other] = [await selfSigned('mail.app.dev', now), await selfSigned('mail.app.dev', now)];
    for (const [cert, key] of [
      ['nonsense', one.key],
      [one.cert, other.key],
      [one.cert, 'nonsense'],
    ] as const) {
      expect(await found(cert, key)).toEqual([
        expect.stringMatching(/^problem certificate: --tls-cert and --tls-key: .* cannot be used\. Both must be PEM/),
      ]);
    }
  });

  test('reports a missing certificate', async () => {
    const files = { 'tls-cert': path.join(folder.path, 'no.pem'), 'tls-key': path.join(folder.path, 'no.key') };
    expect(shown(await checkCertificate(settings(files), []))).toEqual([
      expect.stringContaining(`--tls-cert: ${files['tls-cert']} cannot be read: there is no such file.`),
    ]);
  });
});

describe("the doctor's check of MX records", () => {
  async function ask(zone: Readonly<Record<string, Records>> | null, given: Parameters<typeof settings>[0]) {
    const dns: DnsServer = await startDns(zone);
    opened.push(dns);
    const { findings, hosts } = await checkMx(settings(given), [dns.address]);
    return { found: shown(findings), hosts };
  }

  const domain = 'mail.app.dev';
  const open = { domain, host: '0.0.0.0', 'smtp-port': 25 };

  test.each<[string, Readonly<Record<string, Records>>, RegExp, readonly string[]]>([
    ['a name that does not exist', {}, /^problem .* neither an MX record nor an address/, []],
    ['only an address', { [domain]: { a: ['192.0.2.7'] } }, /^warning .* no MX record .* the domain itself/, [domain]],
    ['a null MX', { [domain]: { mx: [[0, '']] } }, /^problem .* accepts no mail \(RFC 7505\)/, []],
    [
      'a host without an address',
      { [domain]: { mx: [[10, 'mx.app.dev']] } },
      /^problem .* A or AAAA record for mx\.app\.dev\./,
      ['mx.app.dev'],
    ],
    [
      'an MX of loopback',
      { [domain]: { mx: [[10, 'mx.app.dev']] }, 'mx.app.dev': { a: ['127.0.0.1'] } },
      /^problem .* the sender's own machine/,
      ['mx.app.dev'],
    ],
    [
      'a host of IPv6',
      { [domain]: { mx: [[10, 'mx.app.dev']] }, 'mx.app.dev': { aaaa: ['2001:db8:0:0:0:0:0:7'] } },
      /^ok .* Mail goes to mx\.app\.dev \(2001:db8::7\)/,
      ['mx.app.dev'],
    ],
    [
      'two hosts, one of which is loopback',
      {
        [domain]: {
          mx: [
            [10, 'a.app.dev'],
            [20, 'b.app.dev'],
          ],
        },
        'a.app.dev': { a: ['192.0.2.7'] },
        'b.app.dev': { a: ['192.0.2.8'], aaaa: ['0:0:0:0:0:0:0:1'] },
      },
      /^problem .*, but b\.app\.dev resolves to the sender's own machine/,
      ['a.app.dev', 'b.app.dev'],
    ],
    [
      'more hosts than are looked up',
      { [domain]: { mx: Array.from({ length: 12 }, (_, n) => [n, `mx${n}.app.dev`] as const) } },
      /^problem .* A or AAAA record for mx0\.app\.dev and .* and mx9\.app\.dev\./,
      Array.from({ length: 10 }, (_, n) => `mx${n}.app.dev`),
    ],
    [
      'what is right',
      { [domain]: { mx: [[10, 'mx.app.dev']] }, 'mx.app.dev': { a: ['192.0.2.7'] } },
      /^ok mx of mail\.app\.dev: Mail goes to mx\.app\.dev \(192\.0\.2\.7\)/,
      ['mx.app.dev'],
    ],
  ])('returns the finding for a domain with %s', async (_what, zone, expected, hosts) => {
    const answer = await ask(zone, open);
    expect(answer.found).toEqual([expect.stringMatching(expected)]);
    expect(answer.hosts).toEqual(hosts);
  });

  test('warns if the MX records are correct, but other machines cannot reach the service', async () => {
    const zone = { [domain]: { mx: [[10, 'mx.app.dev']] }, 'mx.app.dev': { a: ['192.0.2.7'] } } as const;
    expect((await ask(zone, open)).found).toHaveLength(1);
    expect((await ask(zone, { ...open, host: 'localhost' })).found[1]).toMatch(/^warning reach: --host is localhost/);
    expect((await ask(zone, { ...open, host: '127.0.0.1' })).found[1]).toMatch(
      /^warning reach: --host is 127\.0\.0\.1/,
    );
    expect((await ask(zone, { ...open, 'smtp-port': 2525 })).found[1]).toMatch(
      /^warning reach: .* --smtp-port is 2525/,
    );
  });

  test.each(['*', 'inbox.example.com', 'test', 'example.org', 'mail.example.com', 'a.localhost', 'mail.corp.internal'])(
    'sends no query for %s',
    async (name) => {
      const { found } = await ask(null, { ...open, domain: name });
      expect(found).toEqual([expect.stringMatching(/^ok mx of /)]);
    },
  );
});

describe("the doctor's check of the store", () => {
  const HUGE = Number.MAX_SAFE_INTEGER;

  /** Returns doctor's finding about disk space for this quota and this message size, in bytes. */
  async function disk(storeQuota: number, maxMessage = 1): Promise<string | undefined> {
    const given = settings({ store: `lmdb:${folder.path}/store` });
    const found = await checkStore({ ...given, 'store-quota': storeQuota, 'max-message': maxMessage });
    expect(shown(found)[0]).toMatch(/^ok store: /);
    return shown(found)[1];
  }

  test('reports a disk without space for the largest message if the data file can still grow', async () => {
    expect(await disk(HUGE, HUGE)).toMatch(/^problem disk: .* too little for the largest message \(--max-message\)\./);
    const { store } = await openStore(`lmdb:${folder.path}/store`, { retentionMs: 1, maxEmails: 1, budgetBytes: 1 });
    await store.close();
    expect(await disk(HUGE, HUGE)).toMatch(/^problem disk: /);
    expect(await disk(1, HUGE)).toMatch(/^ok disk: /);
  });
});

describe("the doctor's check of the clock", () => {
  test('reports a clock that is off by years', async () => {
    expect(shown([await checkClock(null, Date.UTC(1970, 0, 2))])).toEqual([
      expect.stringMatching(/^problem clock: The clock of this machine says 1970-01-02T00:00:00\.000Z/),
    ]);
  });

  test('reports a clock that was set back since the store was written', async () => {
    const now = Date.UTC(2030, 0, 1);
    await writeFile(path.join(folder.path, 'data.mdb'), '');
    for (const [aheadMs, level] of [
      [3_600_000, 'problem'],
      [1_000, 'ok'],
      [-3_600_000, 'ok'],
    ] as const) {
      const at = new Date(now + aheadMs);
      await utimes(path.join(folder.path, 'data.mdb'), at, at);
      expect((await checkClock(folder.path, now)).level).toBe(level);
    }
  });
});

test.each([
  ['v20.19.0', 'ok'],
  ['v20.18.9', 'problem'],
  ['v18.20.4', 'problem'],
  ['v22.0.0', 'ok'],
  ['v24.1.0-nightly', 'ok'],
])('the doctor reports Node %s as %s', (version, level) => {
  expect(checkNode(version, '>=20.19').level).toBe(level);
});
