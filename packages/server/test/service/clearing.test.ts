import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { endAll, fetchInbox, type RunningMayfly, serve, temporaryFolder, transportTo } from './process.js';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;

beforeAll(async () => {
  folder = await temporaryFolder();
});

afterEach(endAll);
afterAll(() => folder.remove());

const MAILS = 40;
const MAIL_BYTES = 300_000;

/** A list whose answer has begun, and which is not read any further yet. */
async function begunList({ url }: RunningMayfly): Promise<IncomingMessage> {
  const request = get(`${url}/api/inbox/demo`);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  await once(response, 'readable');
  return response;
}

describe.each(['memory:', 'lmdb:'])('with %s', (scheme) => {
  test('a long list that is read slowly comes whole, though its inbox is emptied meanwhile', async () => {
    const store = scheme === 'lmdb:' ? `lmdb:${folder.path}` : scheme;
    const mayfly = await serve(['--store', store, '--fetch-limit', 'off']);
    const transport = transportTo(mayfly, { pool: true });
    const raw = `Subject: Hello\r\n\r\n${'a line of text\r\n'.repeat(MAIL_BYTES / 16)}`;
    const envelope = { from: 'app@app.test', to: ['demo@inbox.example.com'] };
    for (let i = 0; i < MAILS; i++) await transport.sendMail({ envelope, raw });
    transport.close();

    const lists = await Promise.all(Array.from({ length: 5 }, () => begunList(mayfly)));
    const cleared = await fetch(`${mayfly.url}/api/inbox/demo`, { method: 'DELETE' });
    expect(cleared.status).toBe(204);
    expect(await fetchInbox(mayfly, 'demo')).toEqual({ emails: [], count: 0 });
    for (const list of lists) {
      const pieces: Buffer[] = [];
      for await (const piece of list) pieces.push(piece);
      expect(JSON.parse(Buffer.concat(pieces).toString()).count).toBe(MAILS);
    }
  });
});
