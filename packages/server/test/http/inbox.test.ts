import { beforeEach, describe, expect, test } from 'vitest';
import { api, RETENTION_MS, restart, startApiForEachTest } from './api.js';

startApiForEachTest();

async function fetchInbox(path: string, headers: Record<string, string> = {}) {
  return api.app.inject({ url: `/api/inbox/${path}`, headers });
}

async function subjects(path: string): Promise<string[]> {
  const response = await fetchInbox(path);
  expect(response.statusCode).toBe(200);
  return response.json().emails.map((email: { subject: string }) => email.subject);
}

describe('GET /api/inbox/{name}', () => {
  test('returns an empty list for an inbox without mail', async () => {
    const response = await fetchInbox('demo');
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(response.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    });
    expect(response.body).toBe('{"emails":[],"count":0}');
  });

  test('lists all nine fields of each email, newest first', async () => {
    await api.mail('demo', 'first', { Subject: 'one', 'Message-ID': '<1@app.test>' });
    await api.clock.advance(5);
    await api.mail('demo', 'Your code is 482913', { Subject: 'two', 'Message-ID': '<2@app.test>' });
    const { emails, count } = (await fetchInbox('demo')).json();
    expect(count).toBe(2);
    expect(emails.map((email: { id: string }) => email.id)).toEqual(['<2@app.test>', '<1@app.test>']);
    expect(emails[0]).toEqual({
      id: '<2@app.test>',
      from: 'app@app.test',
      to: 'demo@inbox.example.com',
      subject: 'two',
      body: 'Your code is 482913',
      rawBody: 'From: app@app.test\r\nSubject: two\r\nMessage-ID: <2@app.test>\r\n\r\nYour code is 482913\r\n',
      receivedAt: new Date(api.clock.now()).toISOString(),
      otp: '482913',
      magicLink: null,
    });
  });

  test('keeps all messages with the same Message-ID and time, each with a later receivedAt', async () => {
    for (let copy = 0; copy < 3; copy++) await api.mail('demo', `copy ${copy}`, { 'Message-ID': '<same@app.test>' });
    const { emails } = (await fetchInbox('demo')).json();
    const times = emails.map((email: { receivedAt: string }) => Date.parse(email.receivedAt));
    expect(times).toEqual([api.clock.now() + 2, api.clock.now() + 1, api.clock.now()]);
  });

  test('shows an email until its retention is over, and not a millisecond longer', async () => {
    await api.mail('demo');
    await api.clock.advance(RETENTION_MS - 1);
    expect((await fetchInbox('demo')).json().count).toBe(1);
    await api.clock.advance(1);
    expect((await fetchInbox('demo')).json()).toEqual({ emails: [], count: 0 });
  });

  test('ignores case and percent-encoding in the name', async () => {
    await api.mail('demo+tag');
    expect(await subjects('DEMO+Tag')).toHaveLength(1);
    expect(await subjects('demo%2Btag')).toHaveLength(1);
  });

  test.each(['a..b', '.a', 'a.', 'a%20b', 'a%2Fb', 'ä', 'x'.repeat(65), 'x'.repeat(5000), 'a%00', '%E2%84%AA'])(
    'rejects the name %j',
    async (name) => {
      for (const path of [name, `${name}/stream`]) {
        const response = await fetchInbox(path);
        expect(response.statusCode).toBe(400);
        expect(response.json().error).toMatch(/^The inbox name is not valid\. /);
      }
    },
  );

  test.each(['browser', 'sdk', 'mcp', 'ruby-sdk', '', '&source=twice', '%00'])('accepts source=%s', async (source) => {
    expect((await fetchInbox(`demo?source=${source}`)).statusCode).toBe(200);
  });

  describe('filters (D9)', () => {
    beforeEach(async () => {
      await api.mail('demo', 'Your code is 482913', { Subject: 'Code', From: 'Login <login@app.test>' });
      await api.mail('demo', 'Click https://app.test/verify?t=1', { Subject: 'Link', From: 'team@other.test' });
      await api.mail('demo', 'Nothing in it', { Subject: 'Plain' });
    });

    test.each([
      ['hasOtp=true', ['Code']],
      ['hasOtp=false', ['Plain', 'Link']],
      ['hasMagicLink=true', ['Link']],
      ['hasMagicLink=false&hasOtp=false', ['Plain']],
      ['from=LOGIN@', ['Code']],
      ['subject=in', ['Plain', 'Link']],
      ['body=CLICK', ['Link']],
      ['subject=nothing', []],
      ['subject=', ['Plain', 'Link', 'Code']],
      ['unknown=1', ['Plain', 'Link', 'Code']],
    ])('the query %s selects the emails %j', async (query, expected) => {
      expect(await subjects(`demo?${query}`)).toEqual(expected);
    });

    test('?after is a cursor that excludes the given email and all earlier ones', async () => {
      const { emails } = (await fetchInbox('demo')).json();
      expect(await subjects(`demo?after=${emails[1].receivedAt}`)).toEqual(['Plain']);
      expect(await subjects(`demo?after=${emails[0].receivedAt}`)).toEqual([]);
    });

    test.each([
      'hasOtp=yes',
      'hasOtp=',
      'hasMagicLink=TRUE',
      'after=yesterday',
      'after=2026-02-30T00:00:00Z',
      'after=2026-01-01T00:00:00',
      'after=2026-01-01T00:00:00%2B01:00',
      'after=1767225600000',
      'after=',
      'subject=a&subject=b',
    ])('%s is rejected with an explanation', async (query) => {
      for (const path of [`demo?${query}`, `demo/stream?${query}`]) {
        const response = await fetchInbox(path);
        expect(response.statusCode).toBe(400);
        expect(response.json().error).toMatch(/^The query parameter "\w+" is not valid: use .*\.$/);
      }
    });
  });

  test('returns all emails, newest first, even if the JSON needs more than one chunk', async () => {
    const texts = Array.from({ length: 30 }, (_, n) => `${n}|`.repeat(10_000));
    for (const text of texts) await api.mail('demo', text);
    const { emails, count } = (await fetchInbox('demo')).json();
    expect(count).toBe(30);
    const bodies = emails.map((email: { rawBody: string }) => email.rawBody.split('\r\n\r\n')[1]?.trim());
    expect(bodies).toEqual(texts.reverse());
  });

  test('returns the field raw as a copy of rawBody if ZeroDrop clients are supported (D16)', async () => {
    await restart({ zerodrop: true });
    await api.mail('demo', 'text');
    const [email] = (await fetchInbox('demo?source=mcp')).json().emails;
    expect(email.raw).toBe(email.rawBody);
  });
});

describe('DELETE /api/inbox/{name}', () => {
  const clear = (name: string, headers: Record<string, string> = {}) =>
    api.app.inject({ method: 'DELETE', url: `/api/inbox/${name}`, headers });

  test('empties only the named inbox, and mail that arrives afterwards gets a later receivedAt', async () => {
    await api.mail('demo');
    await api.mail('demo');
    await api.mail('other');
    const response = await clear('DEMO');
    expect(response.statusCode).toBe(204);
    expect(response.body).toBe('');
    expect(await subjects('demo')).toEqual([]);
    expect(await subjects('other')).toHaveLength(1);
    await api.mail('demo');
    expect(await subjects(`demo?after=${new Date(api.clock.now() + 1).toISOString()}`)).toHaveLength(1);
  });

  // Many clients send a content type with every request, with or without a body.
  test.each([
    ['no body', 'application/json', ''],
    ['a body', 'application/json', '{}'],
    ['a body that is not of the declared type', 'application/json', 'not JSON'],
    ['no body, of another type', 'application/x-www-form-urlencoded', ''],
    ['a body of another type', 'text/plain', 'anything'],
  ])('accepts a content type with %s', async (_, type, payload) => {
    await api.mail('demo');
    const headers = { 'content-type': type };
    const response = await api.app.inject({ method: 'DELETE', url: '/api/inbox/demo', headers, payload });
    expect(response.statusCode).toBe(204);
    expect(await subjects('demo')).toEqual([]);
  });

  test('is rejected with a message if another workspace owns the inbox', async () => {
    await restart({
      workspaces: [{ workspace: 'acme', key: 'acme-key-of-16-chars' }],
      readRate: { count: 2, windowMs: 10_000 },
    });
    await api.mail('acme-box');
    expect((await clear('acme-box')).json().error).toMatch(/^A workspace owns this inbox name\./);
    expect((await clear('a..b')).json().error).toMatch(/^The inbox name is not valid\./);
    expect((await clear('demo')).statusCode).toBe(429);
    expect((await clear('acme-box', { authorization: 'Bearer acme-key-of-16-chars' })).statusCode).toBe(204);
  });
});

describe('the fetch limit (interface section 8, D12)', () => {
  const TWENTY = { fetchRate: { count: 20, windowMs: 10_000 } };
  const from = (remoteAddress: string, headers: Record<string, string> = {}) =>
    api.app.inject({ url: '/api/inbox/demo', remoteAddress, headers });

  beforeEach(() => restart(TWENTY));

  test('a client gets 429 for its 21st fetch in 10 s over all inboxes, and other clients are served', async () => {
    for (let n = 0; n < 20; n++) {
      expect((await api.app.inject({ url: `/api/inbox/box-${n}` })).statusCode).toBe(200);
      await api.clock.advance(400);
    }
    const refused = await fetchInbox('demo');
    expect(refused.statusCode).toBe(429);
    expect(refused.body).toBe('{"error":"Too many requests. Slow down."}');
    expect(refused.headers['retry-after']).toBe('2');
    expect((await from('192.0.2.1')).statusCode).toBe(200);
    await api.clock.advance(2_000);
    expect((await fetchInbox('demo')).statusCode).toBe(200);
  });

  test('counts the addresses of an IPv6 /64 as one client', async () => {
    for (let n = 1; n <= 20; n++) await from(`2001:db8:1:2::${n}`);
    expect((await from('2001:db8:1:2:ffff::1')).statusCode).toBe(429);
    expect((await from('2001:db8:1:3::1')).statusCode).toBe(200);
  });

  test('does not count a POST to /api/waitlist as a fetch', async () => {
    for (let n = 0; n < 21; n++) {
      const payload = { email: 'a@app.test' };
      expect((await api.app.inject({ method: 'POST', url: '/api/waitlist', payload })).statusCode).toBe(200);
    }
    expect((await fetchInbox('demo')).statusCode).toBe(200);
  });
});
