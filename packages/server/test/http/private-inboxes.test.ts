import { newPrivateName } from 'mayfly-client/api';
import { describe, expect, test } from 'vitest';
import { api, restart, startApiForEachTest } from './api.js';
import { OPERATIONS, request } from './operations.js';

const KEY = 'p-key-of-16-chars';
const LIMITED = { count: 3, windowMs: 60_000 };
const { name, secret } = newPrivateName();
const other = newPrivateName();

// Names of private inboxes begin with "p-", as the names of workspace `p` do, but that workspace must not own them.
startApiForEachTest({ workspaces: [{ workspace: 'p', key: KEY }] });

async function mailed(inbox: string): Promise<string> {
  await api.mail(inbox, 'Your code is 482913');
  const { emails } = (await api.app.inject({ url: `/api/inbox/${inbox}`, headers: bearer(secret) })).json();
  return emails[0].receivedAt;
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

describe('a private inbox (D65)', () => {
  test.each(OPERATIONS)('requires its secret for $method $path, even if the inbox has no mail', async (operation) => {
    const empty = newPrivateName();
    const receivedAt = await mailed(name);
    for (const inbox of [name, name.toUpperCase(), empty.name]) {
      for (const key of [undefined, KEY, other.secret, `${secret}a`, 'x']) {
        const answer = await request(operation, inbox, receivedAt, key && `Bearer ${key}`);
        expect([answer.statusCode, answer.headers['mayfly-error']]).toEqual([401, 'private-inbox']);
        expect(answer.body).not.toContain('482913');
      }
    }
    const answer = await request(operation, name, receivedAt, `Bearer ${secret}`);
    expect(answer.statusCode).not.toBe(401);
    expect(answer.statusCode).toBeLessThan(500);
  });

  test('opens only with its own secret, even if a fault such as "--hold" follows its name', async () => {
    const open = (inbox: string) => api.app.inject({ url: `/api/inbox/${inbox}`, headers: bearer(secret) });
    expect((await open(`${name}--hold`)).statusCode).toBe(200);
    expect((await open(other.name)).statusCode).toBe(401);
    expect((await open('demo')).statusCode).toBe(401);
  });

  test('accepts only its own secret in the form of the HTML preview', async () => {
    const receivedAt = await mailed(name);
    const preview = (key: string) =>
      api.app.inject({
        ...{ method: 'POST', url: `/api/inbox/${name}/${receivedAt}/html`, payload: `key=${key}` },
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
    expect((await preview(secret)).statusCode).toBe(200);
    expect((await preview(other.secret)).statusCode).toBe(401);
    expect((await preview(KEY)).statusCode).toBe(401);
  });

  test('counts a wrong secret as a wrong key, and rejects the correct secret after too many wrong keys', async () => {
    await restart({ wrongKeyRate: LIMITED });
    const fetched = async (key: string) =>
      (await api.app.inject({ url: `/api/inbox/${name}`, headers: bearer(key) })).statusCode;
    expect(await fetched(secret)).toBe(200);
    for (let n = 0; n < LIMITED.count; n++) expect(await fetched(other.secret)).toBe(401);
    expect(await fetched(other.secret)).toBe(429);
    expect(await fetched(secret)).toBe(429);
  });
});
