import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { serviceOfFile } from '../../send-apis/test/provider.js';
import { APIS, type Api, freshNumber, post, send } from './texts.js';

const service = await serviceOfFile({ smtpLimit: 'off' });

/** Values that no field accepts: other types and sizes, broken surrogates, and the start of a header. */
const hostile = fc.oneof(
  fc.constantFrom<unknown>(null, true, -1, 1e308, 0.5, '', '\0', '+', '%%%', [], {}, [[]], [null], { length: 5 }),
  fc.constantFrom<unknown>('a\r\nBcc: evil@b.test', '__proto__', 'constructor', '\ud800', 'x'.repeat(1_000_000)),
  fc.constantFrom<unknown>(Array(10_000).fill('+15555550100'), Array(10_000).fill('+15555550100').join(), '+0', '٠١٢'),
  fc.string(),
  fc.jsonValue({ maxDepth: 3 }),
);

/** The beginning of a request, up to the length of its body. */
const HEAD = 'POST /messages HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ';

const isError = (api: Api, body: string) => api.codeIn(body) !== undefined;

describe.each(APIS)('the API of $name', (api) => {
  test("reports bad input in its provider's format, never as an internal error", async () => {
    const fields = api.fields({ from: 'Acme', to: '+15555550100', text: 'Hi' });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...Object.keys(fields)), hostile, async (name, given) => {
        const answer = await post(service, api, { ...fields, [name]: given });
        const body = await answer.text();
        expect(answer.status).toBeLessThan(500);
        const hint = answer.headers.get('mayfly-hint');
        if (hint === null) return;
        expect(hint).toMatch(/^\S+ .+ .+\.$/);
        expect(isError(api, body)).toBe(true);
      }),
      { numRuns: 60 },
    );
    for (const body of ['', '{', '[', 'null', '"a"', '5', '[[[[', `{"${'k'.repeat(200_000)}":1}`]) {
      const answer = await service.post(api.path, body, api.headers);
      expect(answer.headers.get('mayfly-hint')).not.toBeNull();
      expect(isError(api, await answer.text())).toBe(true);
    }
  });

  test('rejects 10,000 recipients, and a text of 1 MB', async () => {
    const numbers = Array.from({ length: 10_000 }, () => '+15555550100');
    const many = Object.fromEntries(
      Object.entries(api.fields({ from: 'Acme', to: 'NUMBERS', text: 'Hi' })).map(([name, value]) => {
        if (Array.isArray(value)) return [name, numbers];
        return [name, value === 'NUMBERS' ? numbers.join('<') : value];
      }),
    );
    const large = api.fields({ from: 'Acme', to: '+15555550100', text: 'x'.repeat(1_000_000) });
    for (const fields of [many, large]) {
      const answer = await post(service, api, fields);
      expect(answer.headers.get('mayfly-hint')).not.toBeNull();
      expect(isError(api, await answer.text())).toBe(true);
    }
  });

  test('replaces broken surrogates, and stores line breaks as part of the text', async () => {
    const to = freshNumber();
    const text = 'a\ud800b\nBcc: evil@b.test\r\n\r\nc';
    expect((await send(service, api, { from: 'Acme', to, text })).ok).toBe(true);
    const { headers, text: stored } = await service.parts(to);
    expect(stored.trimEnd()).toBe('a\ufffdb\nBcc: evil@b.test\n\nc');
    expect(JSON.stringify(headers)).not.toContain('evil');
  });

  test.each(['', 'a\r\nb', 'a name that is long', 'é', '12', '\ud800'])(
    'rejects the sender %j, or replaces it by the usual sender',
    async (from) => {
      const to = freshNumber();
      const answer = await send(service, api, { from, to, text: 'Hi' });
      const [email] = await service.emails(to);
      const hasUsual = api.errors.noSender.status === 200 && api.errors.noSender.code === undefined;
      expect([answer.headers.get('mayfly-hint') === null, email?.from]).toEqual([
        hasUsual,
        hasUsual ? 'NOTICE' : undefined,
      ]);
    },
  );
});

test('a request from a page of another site is refused', async () => {
  for (const api of APIS) {
    const fields = api.fields({ from: 'Acme', to: '+15555550100', text: 'Hi' });
    const headers = { ...api.headers, origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' };
    expect((await service.post(api.path, fields, headers)).status).toBe(403);
  }
});

test('a body that stops halfway delays no other text', async () => {
  const { hostname, port } = new URL(service.url);
  const slow = connect(Number(port), hostname);
  slow.write(`${HEAD}900\r\n\r\n{`);
  const to = freshNumber();
  for (const api of APIS) await send(service, api, { from: 'Acme', to, text: 'Hi' });
  expect(await service.emails(to)).toHaveLength(APIS.length);
  slow.destroy();
});

test('a body that is too large is rejected before it arrives', async () => {
  const { hostname, port } = new URL(service.url);
  const client = connect(Number(port), hostname);
  client.write(`${HEAD}60000000\r\n\r\n{`);
  const answer = await text(client);
  expect(answer).toMatch(/^HTTP\/1\.1 422 /);
  expect(answer).toContain('body-too-large');
});

test('rejects ten million plus signs or separators within the time of a request', async () => {
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  for (const [path, field] of [
    ['/2010-04-01/Accounts/AC1/Messages.json', `To=${'+'.repeat(10_000_000)}`],
    ['/v1/Account/MA1/Message/', `dst=${'<'.repeat(10_000_000)}`],
  ] as const) {
    const answer = await service.post(path, field, type);
    expect([answer.status, answer.headers.get('mayfly-error')]).toEqual([400, null]);
  }
}, 60_000);
