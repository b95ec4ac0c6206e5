import { execFile } from 'node:child_process';
import { createHash, createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startMayfly } from 'mayfly-inbox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '../../../tools/needs.js';
import { emptyPhone } from '../src/fixtures/fixtures.js';
import { Mayfly as Client, type Mayfly, MayflyOptionError } from '../src/index.js';
import { createPhone, phone } from '../src/phone.js';
import { textWebhooks } from '../src/testing/webhooks.js';
import { applicationOfFile } from './webhook-fixtures.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

let service: Awaited<ReturnType<typeof startMayfly>>;
let mayfly: Mayfly;

beforeAll(async () => {
  service = await startMayfly();
  mayfly = new Client({ baseUrl: service.url });
}, 120_000);
afterAll(() => service?.stop());

function send(to: string, body: string): Promise<Response> {
  const fields = new URLSearchParams({ To: to, From: '+15005550006', Body: body });
  return fetch(`${service.url}/2010-04-01/Accounts/AC1/Messages.json`, { method: 'POST', body: fields });
}

const RANGES = [
  ['US', 9_500, /^\+1[2-9]\d\d55501\d\d$/],
  ['CA', 2_000, /^\+1[2-9]\d\d55501\d\d$/],
  ['GB', 1_000, /^\+442079460\d{3}$/],
  ['FR', 10_000, /^\+3319900\d{4}$/],
  ['DE', 100, /^\+4917139200\d\d$/],
  ['SE', 90, /^\+467017406[1-9]\d$/],
] as const;

/** As many numbers of each country as its range has. */
const MADE = RANGES.map(([country, count]) => {
  return Array.from({ length: count }, () => createPhone(new Client(), { country }).number).sort();
});

test.each(RANGES)(
  'createPhone makes each number of %s once: %i reserved for fiction',
  async (country, count, range) => {
    const numbers = MADE[RANGES.findIndex(([one]) => one === country)] ?? [];
    expect([new Set(numbers).size, numbers.filter((number) => !range.test(number))]).toEqual([count, []]);
    const document = await readFile(path.join(ROOT, 'docs/sms.md'), 'utf8');
    expect(document).toMatch(new RegExp(`\`${country}\`.*\\| ${count.toLocaleString('en')} \\|`));
  },
);

test('the Python client makes the same numbers', { ...needs('python3'), timeout: 30_000 }, async () => {
  const script =
    'import json; from mayfly_client import _phones as p; print(json.dumps([p._numbers_of(c) for c in p.RANGES]))';
  const env = { ...process.env, PYTHONPATH: path.join(ROOT, 'clients/python/src') };
  const { stdout } = await promisify(execFile)('python3', ['-B', '-c', script], { env, maxBuffer: 2 ** 20 });
  expect(JSON.parse(stdout).map((numbers: string[]) => numbers.sort())).toEqual(MADE);
});

test('the phone of a fixture has no texts of a process that chose the same number', async () => {
  const others = new Set(Array.from({ length: 9_499 }, () => createPhone(mayfly).number));
  const last = MADE[0]?.find((number) => !others.has(number)) ?? '';
  expect((await send(last, 'Your code is 111111')).ok).toBe(true);
  const own = await emptyPhone(mayfly);
  expect([own.number, await own.emails()]).toEqual([last, []]);
});

test('a phone waits for the code of a text', async () => {
  const own = createPhone(mayfly);
  const waiting = own.waitForOtp();
  await send(own.number, 'Your code is 482913');
  expect([await waiting, `${own}`]).toEqual(['482913', own.number]);
});

test('phone() opens a number in any notation, and rejects other texts', async () => {
  await send('+12015550142', 'Your code is 391847');
  expect(await phone(mayfly, '+1 (201) 555-0142').waitForOtp()).toBe('391847');
  expect(() => phone(mayfly, 'alice')).toThrow('"alice" is not a phone number. Use one such as +12015550142.');
  expect(() => phone(mayfly, '1'.repeat(100_000))).toThrow(`"${'1'.repeat(60)}…" is not a phone number.`);
  expect(() => createPhone(mayfly, { country: 'XX' as 'US' })).toThrow(MayflyOptionError);
});

describe('textWebhooks()', async () => {
  const { application, last } = await applicationOfFile();
  const url = `${application.url}/status`;
  const SECRET = 'secret-of-the-application';

  async function received() {
    const own = createPhone(mayfly);
    await send(own.number, 'Hi');
    return own.waitForEmail();
  }

  test.each([
    ['delivered', null],
    ['undelivered', '30003'],
    ['failed', '30008'],
  ] as const)('posts that a text was %s, signed as Twilio signs', async (kind, code) => {
    const email = await received();
    const answer = await textWebhooks({ as: 'twilio', url, secret: SECRET })[kind](email);
    const fields = new URLSearchParams(last().body);
    const signed = url + [...fields].sort().flat().join('');
    expect([answer.ok, fields.get('MessageStatus'), fields.get('ErrorCode')]).toEqual([true, kind, code]);
    expect(email.id).toContain(fields.get('MessageSid'));
    expect(last().headers['x-twilio-signature']).toBe(createHmac('sha1', SECRET).update(signed).digest('base64'));
  });

  test.each([
    ['delivered', 'delivered'],
    ['undelivered', 'undeliverable'],
    ['failed', 'rejected'],
  ] as const)('posts that a text was %s, signed as Vonage signs', async (kind, status) => {
    await textWebhooks({ as: 'vonage', url, secret: SECRET })[kind](await received());
    const { headers, body } = last();
    const [, head, claims, signature] = /^Bearer (.+)\.(.+)\.(.+)$/.exec(String(headers.authorization)) ?? [];
    expect(signature).toBe(createHmac('sha256', SECRET).update(`${head}.${claims}`).digest('base64url'));
    const payload_hash = createHash('sha256').update(body).digest('hex');
    expect(JSON.parse(Buffer.from(claims ?? '', 'base64url').toString())).toMatchObject({
      iss: 'Vonage',
      payload_hash,
    });
    expect(JSON.parse(body)).toMatchObject({ status, channel: 'sms' });
  });

  test('signs with another secret, and posts twice', async () => {
    const email = await received();
    const reports = textWebhooks({ as: 'twilio', url, secret: SECRET });
    await reports.delivered(email, { twice: true });
    await reports.delivered(email, { signature: 'wrong' });
    const [first, second, wrong] = application.arrived.map(({ headers }) => headers['x-twilio-signature']);
    expect([second === first, wrong === first]).toEqual([true, false]);
  });

  test('rejects a missing secret and an address that is not HTTP', () => {
    expect(() => textWebhooks({ as: 'twilio', url: 'http://127.0.0.1/', secret: '' })).toThrow(MayflyOptionError);
    expect(() => textWebhooks({ as: 'vonage', url: 'ftp://a.test/', secret: 'a' })).toThrow(MayflyOptionError);
  });
});
