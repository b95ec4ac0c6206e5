import { createHash, createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Mayfly as Client, type Mayfly, MayflyOptionError } from 'mayfly-client';
import { createPhone, phone } from 'mayfly-client/phone';
import { textWebhooks } from 'mayfly-client/webhooks';
import { startMayfly } from 'mayfly-inbox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

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

test.each([
  ['US', /^\+1[2-9]\d\d55501\d\d$/],
  ['CA', /^\+1[2-9]\d\d55501\d\d$/],
  ['GB', /^\+442079460\d{3}$/],
  ['FR', /^\+3319900\d{4}$/],
  ['DE', /^\+4917139200\d\d$/],
  ['SE', /^\+467017406[1-9]\d$/],
] as const)('createPhone makes numbers of %s in the range reserved for fiction, each once', (country, range) => {
  const numbers = Array.from({ length: 50 }, () => createPhone(mayfly, { country }).number);
  expect(numbers.filter((number) => !range.test(number))).toEqual([]);
  expect(new Set(numbers).size).toBe(numbers.length);
});

test('createPhone repeats no number before its range is used up', () => {
  // The test above used 50 of 1,000.
  const numbers = Array.from({ length: 950 }, () => createPhone(mayfly, { country: 'GB' }).number);
  expect(new Set(numbers).size).toBe(numbers.length);
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
  expect(() => phone(mayfly, 'alice')).toThrow(MayflyOptionError);
  expect(() => createPhone(mayfly, { country: 'XX' as 'US' })).toThrow(MayflyOptionError);
});

describe('textWebhooks()', () => {
  const SECRET = 'secret-of-the-application';

  /** An application that records posts. */
  async function application() {
    const posts: { headers: Record<string, unknown>; body: string }[] = [];
    const server = createServer(async (request, response) => {
      posts.push({ headers: request.headers, body: await text(request) });
      response.end('ok');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/status`;
    return { posts, url, close: () => server.close() };
  }

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
    const { posts, url, close } = await application();
    const email = await received();
    const answer = await textWebhooks({ as: 'twilio', url, secret: SECRET })[kind](email);
    const fields = new URLSearchParams(posts[0]?.body);
    const signed = url + [...fields].sort().flat().join('');
    expect([answer.ok, fields.get('MessageStatus'), fields.get('ErrorCode')]).toEqual([true, kind, code]);
    expect(email.id).toContain(fields.get('MessageSid'));
    expect(posts[0]?.headers['x-twilio-signature']).toBe(createHmac('sha1', SECRET).update(signed).digest('base64'));
    close();
  });

  test.each([
    ['delivered', 'delivered'],
    ['undelivered', 'undeliverable'],
    ['failed', 'rejected'],
  ] as const)('posts that a text was %s, signed as Vonage signs', async (kind, status) => {
    const { posts, url, close } = await application();
    await textWebhooks({ as: 'vonage', url, secret: SECRET })[kind](await received());
    const [{ headers, body } = { headers: {}, body: '' }] = posts;
    const [, head, claims, signature] = /^Bearer (.+)\.(.+)\.(.+)$/.exec(String(headers.authorization)) ?? [];
    expect(signature).toBe(createHmac('sha256', SECRET).update(`${head}.${claims}`).digest('base64url'));
    const payload_hash = createHash('sha256').update(body).digest('hex');
    expect(JSON.parse(Buffer.from(claims ?? '', 'base64url').toString())).toMatchObject({
      iss: 'Vonage',
      payload_hash,
    });
    expect(JSON.parse(body)).toMatchObject({ status, channel: 'sms' });
    close();
  });

  test('signs with another secret, and posts twice', async () => {
    const { posts, url, close } = await application();
    const email = await received();
    const reports = textWebhooks({ as: 'twilio', url, secret: SECRET });
    await reports.delivered(email, { twice: true });
    await reports.delivered(email, { signature: 'wrong' });
    const [first, second, wrong] = posts.map(({ headers }) => headers['x-twilio-signature']);
    expect([second === first, wrong === first]).toEqual([true, false]);
    close();
  });

  test('rejects a missing secret and an address that is not HTTP', () => {
    expect(() => textWebhooks({ as: 'twilio', url: 'http://127.0.0.1/', secret: '' })).toThrow(MayflyOptionError);
    expect(() => textWebhooks({ as: 'vonage', url: 'ftp://a.test/', secret: 'a' })).toThrow(MayflyOptionError);
  });
});
