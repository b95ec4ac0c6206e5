import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, basic, PATIENCE_MS, type RunningTool, startTool } from './compat-api.js';

/** Two teams, and inboxes without a team. Each name appears only in the envelope. */
const KEYS = { acme: 'acme-key-0123456789abcdef', globex: 'globex-key-0123456789abcde' } as const;
const ENVELOPE = ['acme-bid@app.test', 'globex-bid@app.test', 'walk-in@app.test'];

/** Callers with their credentials, and the names that each may see. */
const CALLERS = [
  ['this machine without a key', {}, ['walk-in']],
  ['the first team', basic(KEYS.acme), ['acme-bid', 'walk-in']],
  ['the second team', basic(KEYS.globex), ['globex-bid', 'walk-in']],
] as const;

const NAMES = ['acme-bid', 'globex-bid', 'walk-in'];

/** Returns the names from the envelope that a text contains, also within IDs. */
function namesIn(text: string): string[] {
  const ids = [...text.matchAll(/[\w-]{10,120}/g)].map(([id]) => Buffer.from(id, 'base64url').toString());
  return NAMES.filter((name) => text.includes(name) || ids.some((id) => id.includes(name)));
}

let tool: RunningTool;

const start = async (name: string) => {
  tool = await startTool(name, {
    workspace: Object.entries(KEYS).map(([workspace, key]) => `${workspace}=${key}`),
    compatApiLimit: 'off',
  });
  // Laravel and others send a blind copy like this: only its envelope has its recipients.
  const mail = { to: 'Team <team@app.test>', subject: 'of all three', text: 'Hello', messageId: '<one@app.test>' };
  await tool.send({ ...mail, envelope: { from: 'app@app.test', to: ENVELOPE } });
};

/** Sends a request that must succeed. Resolves to the names from the envelope in the response. */
const seen = async (path: string, headers: Record<string, string>, init: RequestInit = {}) => {
  const answer = await tool.ask(path, { ...init, headers });
  expect([path, answer.status]).toEqual([path, 200]);
  return namesIn(await answer.text());
};

describe("Mailpit's API", () => {
  beforeAll(() => start('mailpit'), PATIENCE_MS);
  afterAll(() => tool.stop());

  const found = async (query: string, headers: Record<string, string>): Promise<string[]> => {
    const { messages } = await tool.json(`/api/v1/search?query=${encodeURIComponent(query)}`, { headers });
    return messages.map(({ Subject }: Answer) => Subject);
  };

  test.each(CALLERS)('hides from %s the names of inboxes that this caller may not open', async (_, headers, own) => {
    expect(await seen('/api/v1/messages', headers)).toEqual(own);
    expect(await seen('/api/v1/search?query=subject:three', headers)).toEqual(own);
    const { messages } = await tool.json('/api/v1/messages', { headers });
    expect(messages[0].Bcc.map(({ Address }: Answer) => Address)).toEqual(own.map((name) => `${name}@app.test`));
    for (const id of [messages[0].ID, 'latest']) {
      expect(await seen(`/api/v1/message/${id}`, headers)).toEqual(own);
      for (const path of [`/api/v1/message/${id}/headers`, `/api/v1/message/${id}/raw`, `/view/${id}.txt`]) {
        expect([path, await seen(path, headers)]).toEqual([path, []]);
      }
      expect(await seen(`/api/v1/message/${id}/part/1`, headers)).toEqual([]);
    }
    for (const path of [`/view/${messages[0].ID}`, '/view/latest', '/search?q=subject:three']) {
      const { headers: led } = await tool.ask(path, { headers, redirect: 'manual' });
      expect([path, namesIn(led.get('location') ?? '')]).toEqual([path, [own[0]]]);
    }
    for (const path of ['/api/v1/info', '/api/v1/tags']) expect(await seen(path, headers)).toEqual([]);
  });

  test('does not show tags from the address of a hidden inbox, and finds no message by such a tag', async () => {
    const to = ['acme-bid+blue@app.test', 'walk-in+green@app.test'];
    await tool.send({ subject: 'tagged', envelope: { from: 'app@app.test', to } });
    expect(await tool.json('/api/v1/tags')).toEqual(['green']);
    expect(await found('tag:blue', {})).toEqual([]);
    expect(await found('tag:blue', basic(KEYS.acme))).toEqual(['tagged']);
    expect(await tool.json('/api/v1/tags', { headers: basic(KEYS.acme) })).toEqual(['blue', 'green']);
    await tool.ask('/api/v1/search?query=subject:tagged', { method: 'DELETE', headers: basic(KEYS.acme) });
  });

  test.each(CALLERS)('for %s, a search for a hidden inbox name finds nothing', async (_, headers, own) => {
    for (const name of NAMES) {
      const [is, isNot] = own.some((one) => one === name) ? [['of all three'], []] : [[], ['of all three']];
      for (const query of [`bcc:${name}`, `addressed:${name}`, name]) {
        expect([query, await found(query, headers)]).toEqual([query, is]);
        expect([query, await found(`subject:three -${query}`, headers)]).toEqual([query, isNot]);
        const latest = await tool.ask(`/api/v1/message/latest?query=${query}`, { headers });
        expect(latest.status).toBe(is.length > 0 ? 200 : 404);
      }
    }
  });

  test('does not mark or delete messages found only by the name of a hidden inbox', async () => {
    const put = (body: object) => tool.ask('/api/v1/messages', { method: 'PUT', body: JSON.stringify(body) });
    await put({ Search: 'subject:three', Read: false });
    await put({ Search: 'bcc:acme-', Read: true });
    expect(await found('is:unread', {})).toHaveLength(1);
    await put({ Search: 'bcc:walk-in', Read: true });
    expect(await found('is:read', {})).toHaveLength(1);
    await tool.ask('/api/v1/search?query=bcc:acme-', { method: 'DELETE' });
    expect(await found('subject:three', {})).toHaveLength(1);
    await tool.send({ subject: 'another', envelope: { from: 'app@app.test', to: ENVELOPE } });
    await tool.ask('/api/v1/search?query=subject:another%20bcc:walk-in', { method: 'DELETE' });
    expect(await found('subject:another', {})).toEqual([]);
    expect(await found('subject:another', basic(KEYS.acme))).toEqual(['another']);
  });

  test('deletes messages from the inboxes that the caller may open, and keeps them in other inboxes', async () => {
    await tool.ask('/api/v1/messages', { method: 'DELETE' });
    expect((await tool.json('/api/inbox/walk-in@app.test')).count).toBe(0);
    for (const [team, key] of Object.entries(KEYS)) {
      expect(await found('subject:three', basic(key))).toEqual(['of all three']);
      const own = await tool.json(`/api/inbox/${team}-bid@app.test`, {
        headers: { authorization: `Bearer ${key}` },
      });
      expect([team, own.count]).toEqual([team, 2]);
    }
  });

  test.each(CALLERS)(
    'responds to a message sent by %s with the ID of an email in an inbox that the caller may open',
    async (_, headers, own) => {
      const body = { From: { Email: 'app@app.test' }, Bcc: ENVELOPE, Subject: 'sent', Text: 'Hello' };
      const sent = await tool.json('/api/v1/send', { method: 'POST', headers, body: JSON.stringify(body) });
      expect(namesIn(JSON.stringify(sent))).toEqual([own[0]]);
      expect(await seen(`/api/v1/message/${sent.ID}`, headers)).toEqual(own);
    },
  );
});

describe("MailHog's API", () => {
  beforeAll(() => start('mailhog'), PATIENCE_MS);
  afterAll(() => tool.stop());

  const find = (kind: string, query: string) => `/api/v2/search?kind=${kind}&query=${query}`;

  test.each(CALLERS)('hides from %s the names of inboxes that this caller may not open', async (_, headers, own) => {
    const lists = ['/api/v1/messages', '/api/v2/messages', find('containing', 'three'), find('to', 'team@')];
    for (const path of lists) expect([path, await seen(path, headers)]).toEqual([path, own]);
    const { items } = await tool.json('/api/v2/messages', { headers });
    expect(items[0].Raw.To).toEqual(own.map((name) => `${name}@app.test`));
    expect(items[0].To.map(({ Mailbox }: Answer) => Mailbox)).toEqual(own);
    const path = `/api/v1/messages/${items[0].ID}`;
    expect(await seen(path, headers)).toEqual(own);
    expect(await seen(`${path}/download`, headers)).toEqual([]);
  });

  test.each(CALLERS)('for %s, a search for a hidden inbox name finds nothing', async (_, headers, own) => {
    for (const name of NAMES) {
      for (const query of [name, `${name}@app.test`]) {
        const { total } = await tool.json(find('to', query), { headers });
        expect([query, total]).toEqual([query, own.some((one) => one === name) ? 1 : 0]);
      }
    }
  });

  test('deletes messages from the inboxes that the caller may open, and keeps them in other inboxes', async () => {
    await tool.ask('/api/v1/messages', { method: 'DELETE' });
    expect((await tool.json('/api/v2/messages')).total).toBe(0);
    for (const key of Object.values(KEYS)) {
      expect((await tool.json('/api/v2/messages', { headers: basic(key) })).total).toBe(1);
    }
  });
});
