import { beforeEach, describe, expect, test } from 'vitest';
import { api, restart, startApiForEachTest } from './api.js';

startApiForEachTest();

async function newest(inbox: string): Promise<string> {
  const { emails } = (await api.app.inject(`/api/inbox/${inbox}`)).json();
  return `/api/inbox/${inbox}/${emails[0].receivedAt}`;
}

async function deliver(raw: Buffer): Promise<void> {
  const recipients = [{ inbox: 'demo', to: 'demo@inbox.example.com' }];
  await api.inboxes.deliver({ client: '127.0.0.1', raw, envelopeFrom: '', recipients, receivedAt: api.clock.now() });
}

const OPERATIONS = ['raw', 'html', 'explain', 'parts', 'parts/1'];

describe('GET /api/inbox/{name}/{receivedAt}/raw', () => {
  test.each([
    ['ASCII', Buffer.from('Subject: a\r\n\r\n"quoted" \\ and\ttab\r\n.\r\n')],
    ['UTF-8', Buffer.from('Subject: ä\r\n\r\n😀 "," \u0000\u001f\r\n')],
    ['bytes that are not UTF-8', Buffer.from([...Array(256).keys(), 0xc3])],
    ['nothing', Buffer.alloc(0)],
  ])('returns the message byte for byte: %s', async (_, raw) => {
    for (const zerodrop of [false, true]) {
      await restart({ zerodrop });
      await deliver(raw);
      const response = await api.app.inject(`${await newest('demo')}/raw`);
      expect(response.statusCode).toBe(200);
      expect(response.rawPayload.equals(raw)).toBe(true);
    }
  });

  test('is served as a download', async () => {
    await api.mail('demo');
    const { headers } = await api.app.inject(`${await newest('DEMO')}/raw`);
    expect(headers).toMatchObject({
      'content-type': 'message/rfc822',
      'content-disposition': 'attachment; filename="demo-2026-01-01T00-00-00.000Z.eml"',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
  });
});

describe('GET /api/inbox/{name}/{receivedAt}/explain', () => {
  test('lists each candidate for the code with its score and reasons', async () => {
    await api.mail('demo', 'Your code is 482913. Order 20260114.');
    const response = await api.app.inject(`${await newest('demo')}/explain`);
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    const { otp, magicLink, otpThreshold, otpCandidates, magicLinkCandidates } = response.json();
    expect({ otp, magicLink, magicLinkCandidates }).toEqual({
      otp: '482913',
      magicLink: null,
      magicLinkCandidates: [],
    });
    const [first, second] = otpCandidates;
    expect(first).toMatchObject({ value: '482913', verdict: 'chosen', where: 'text' });
    expect(first.reasons.reduce((sum: number, { points }: { points: number }) => sum + points, 0)).toBe(first.score);
    expect(first.score).toBeGreaterThanOrEqual(otpThreshold);
    expect(second.value).toBe('20260114');
    expect(second.verdict).not.toBe('chosen');
  });
});

describe('GET /api/inbox/{name}/{receivedAt}/html', () => {
  const HTML = { 'Content-Type': 'text/html' };

  test('returns a document that cannot run scripts, load resources or submit forms', async () => {
    await api.mail('demo', '<p onclick="x()">Hello</p><script>x()</script>', HTML);
    const response = await api.app.inject(`${await newest('demo')}/html`);
    expect(response.body).toContain('<p>Hello</p>');
    expect(response.body).not.toContain('x()');
    expect(response.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'",
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
      'x-dns-prefetch-control': 'off',
      'cache-control': 'no-store',
    });
  });

  test('loads remote images only on request', async () => {
    await api.mail('demo', '<img src="https://a.test/x.png">', HTML);
    const sources = async (query: string) => {
      const { headers } = await api.app.inject(`${await newest('demo')}/html${query}`);
      return /img-src ([^;]*);/.exec(String(headers['content-security-policy']))?.[1];
    };
    expect(await sources('')).toBe('data:');
    expect(await sources('?images=remote')).toBe('data: https: http:');
  });
});

describe('a missing email', () => {
  test.each(OPERATIONS)('returns 404 with a sentence for %s', async (operation) => {
    await api.mail('demo');
    await api.mail('demo');
    await api.mail('other');
    const between = new Date(api.clock.now() - 1).toISOString();
    const after = new Date(api.clock.now() + 2).toISOString();
    for (const path of [`demo/${between}`, `demo/${after}`, `other/${new Date(api.clock.now() + 1).toISOString()}`]) {
      const response = await api.app.inject(`/api/inbox/${path}/${operation}`);
      expect(response.statusCode).toBe(404);
      expect(response.json()).toEqual({ error: 'This inbox has no such email. It may have expired.' });
      expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    }
  });
});

describe('the routes of one email', () => {
  const workspaces = [{ workspace: 'acme', key: 'acme-key-of-16-chars' }];

  describe('a form with the key', () => {
    const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
    const post = (name: string, payload: string, headers: Record<string, string> = FORM) =>
      api.app.inject({
        method: 'POST',
        url: `/api/inbox/${name}/${new Date(api.clock.now()).toISOString()}/html`,
        payload,
        headers,
      });

    beforeEach(async () => {
      await restart({ workspaces, readRate: { count: 5, windowMs: 10_000 } });
      await api.mail('acme-box', 'for Acme');
      await api.mail('free', 'for all');
    });

    test.each([
      ['acme-box', 'key=acme-key-of-16-chars', 200],
      ['acme-box', 'key=other', 401],
      ['acme-box', 'key=', 401],
      ['acme-box', '', 401],
      ['acme-box', 'key=acme-key-of-16-chars&key=acme-key-of-16-chars', 400],
      ['free', '', 200],
      ['free', 'key=acme-key-of-16-chars', 200],
      ['free', 'key=other', 401],
      ['free', `key=${'+'.repeat(16_000)}%0a`, 401],
      ['free', `key=${'a'.repeat(16_000)}%0a`, 401],
      ['acme-box', 'key=acme-key-of-16-chars%0a', 401],
      ['acme-box', 'key=+acme-key-of-16-chars', 401],
    ])('sent to %s as %.40j gets the status %i', async (name, payload, status) => {
      const response = await post(name, payload);
      expect(response.statusCode).toBe(status);
      if (status === 200) expect(response.headers['content-security-policy']).toMatch(/^sandbox /);
      else expect(response.json().error).toMatch(/^[A-Z].*\.$/);
    });
  });
});

describe('many concurrent requests', () => {
  /** Counts reads of messages from the store, and blocks each read until `release` is called. */
  function holdMessages() {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const content = api.store.content.bind(api.store);
    const held = { asked: 0, release };
    api.store.content = async (email) => {
      held.asked += 1;
      await released;
      return content(email);
    };
    return held;
  }

  const from = (remoteAddress: string, path: string) =>
    api.app.inject({ url: path, remoteAddress }).then((response) => response);

  /** Starts this many requests from a client. Each of them then runs or waits for its turn. */
  async function begin(remoteAddress: string, path: string, times: number) {
    const answers = Array.from({ length: times }, () => from(remoteAddress, path));
    await api.clock.advance(0);
    return answers;
  }

  test('get 503 once they have waited for ten seconds', async () => {
    await api.mail('demo');
    const path = `${await newest('demo')}/explain`;
    const held = holdMessages();
    const [, , third] = await begin('192.0.2.1', path, 3);
    await api.clock.advance(10_000);
    const response = await third;
    expect(response?.statusCode).toBe(503);
    expect(response?.json()).toEqual({ error: 'Too many messages are being parsed. Try again in a moment.' });
    expect(response?.headers['retry-after']).toBe('1');
    held.release();
  });

  test('that still wait for the parser when the service stops get 503, and the others get 200', async () => {
    await api.mail('demo');
    const path = `${await newest('demo')}/explain`;
    const held = holdMessages();
    const [third, ...first] = (await begin('192.0.2.1', path, 3)).reverse();
    api.inboxes.messages.close();
    const response = await third;
    expect(response?.statusCode).toBe(503);
    expect(response?.headers['mayfly-error']).toBe('stopping');
    held.release();
    for (const answer of first) expect((await answer).statusCode).toBe(200);
  });
});
