import { describe, expect, test } from 'vitest';
import { api, RETENTION_MS, startApiForEachTest } from './api.js';

startApiForEachTest();

type Method = 'GET' | 'HEAD' | 'DELETE' | 'POST' | 'PUT';

function ask(method: Method, path: string, headers: Record<string, string> = {}) {
  return api.app.inject({ method, url: `/api/inbox/${path}`, headers });
}

/** Fetches an inbox, and resolves to its emails. */
async function fetched(inbox = 'demo') {
  return (await ask('GET', inbox)).json().emails;
}

async function newest(inbox = 'demo'): Promise<string> {
  const [{ receivedAt }] = await fetched(inbox);
  return `${inbox}/${receivedAt}`;
}

const GONE = { error: 'This inbox has no such email. It may have expired.' };

describe('GET /api/inbox/{name}/{receivedAt}', () => {
  test('returns each email with the nine fields of a fetch', async () => {
    for (const text of ['first', 'Your code is 482913', 'third']) await api.mail('demo', text);
    const emails = await fetched();
    expect(emails).toHaveLength(3);
    for (const email of emails) {
      const response = await ask('GET', `DEMO/${email.receivedAt}`);
      expect(response.statusCode).toBe(200);
      expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
      expect(response.headers['content-length']).toBe(`${response.rawPayload.length}`);
      expect(response.json()).toEqual(email);
    }
  });

  test('is sent in chunks if its JSON is large, even if the message is small', async () => {
    // JSON escapes each of these characters as six.
    await api.mail('demo', '\u0001'.repeat(60_000));
    const { headers, rawPayload } = await ask('GET', await newest());
    expect(rawPayload.length).toBeGreaterThan(256 * 1024);
    expect(headers['transfer-encoding']).toBe('chunked');
  });

  test('returns all fields of a large email', async () => {
    await api.mail('demo', 'x "quoted" 字\r\n'.repeat(100_000));
    const response = await ask('GET', await newest());
    expect(response.headers).not.toHaveProperty('content-length');
    expect(response.json()).toEqual((await fetched())[0]);
  });

  test('returns 404 for an email that is deleted before it is read', async () => {
    await api.mail('demo');
    const list = api.store.list.bind(api.store);
    // Reads from the store, because a read over HTTP would keep the email's JSON in the cache for a second.
    const [{ receivedAt } = { receivedAt: Number.NaN }] = await list('demo', {}, api.clock.now());
    const path = `demo/${new Date(receivedAt).toISOString()}`;
    api.store.list = async (...query) => {
      const listed = await list(...query);
      await api.inboxes.clear('demo');
      while (await api.store.purge(api.clock.now()));
      return listed;
    };
    const response = await ask('GET', path);
    expect(response.statusCode).toBe(404);
    expect(response.json()).toEqual(GONE);
  });
});

describe('DELETE /api/inbox/{name}/{receivedAt}', () => {
  test('deletes only the named email, and every later request for this email gets 404', async () => {
    for (const subject of ['1', '2', '3']) await api.mail('demo', subject, { Subject: subject });
    const [, { receivedAt }] = await fetched();
    const response = await ask('DELETE', `Demo/${receivedAt}`);
    expect(response.statusCode).toBe(204);
    expect(response.body).toBe('');
    expect((await fetched()).map(({ subject }: { subject: string }) => subject)).toEqual(['3', '1']);
    expect((await ask('GET', 'demo?subject=2')).json().count).toBe(0);
    expect((await ask('GET', 'demo/summary')).json().count).toBe(2);
    for (const operation of ['', '/raw', '/html', '/explain']) {
      expect((await ask('GET', `demo/${receivedAt}${operation}`)).statusCode).toBe(404);
    }
  });
});

describe.each(['GET', 'DELETE'] as const)('%s of one email', (method) => {
  test('returns 404 with a sentence if the email is missing', async () => {
    await api.mail('demo');
    await api.mail('other');
    const at = (ms: number) => new Date(api.clock.now() + ms).toISOString();
    for (const path of [`demo/${at(1)}`, `demo/${at(-1)}`, `none/${at(0)}`, 'demo/1960-01-01T00:00:00.000Z']) {
      const response = await ask(method, path);
      expect(response.statusCode).toBe(404);
      expect(response.json()).toEqual(GONE);
      expect(response.headers['mayfly-error']).toBe('no-such-email');
    }
    expect(await fetched()).toHaveLength(1);
  });

  test('returns 404 from the millisecond at which the email expires', async () => {
    await api.mail('demo');
    const path = await newest();
    await api.clock.advance(RETENTION_MS);
    expect((await ask(method, path)).statusCode).toBe(404);
  });

  test.each(['2026-02-30T00:00:00Z', '2026-01-01T00:00:00', '1767225600000', '0', '9'.repeat(5_000)])(
    'responds with 400 to the time %.30j',
    async (receivedAt) => {
      const response = await ask(method, `demo/${receivedAt}`);
      expect(response.statusCode).toBe(400);
      expect(response.json().error).toMatch(/^The path does not identify an email\. /);
    },
  );
});
