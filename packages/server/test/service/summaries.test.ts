import type { SummaryResponse } from 'mayfly-client';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { endAll, fetchInbox, type RunningMayfly, serve, temporaryFolder, transportTo } from './process.js';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;

beforeAll(async () => {
  folder = await temporaryFolder();
});

afterEach(endAll);

afterAll(() => folder.remove());

const start = (name: string) => serve(['--store', `lmdb:${folder.path}/${name}`, '--fetch-limit', 'off']);

async function summaries({ url }: RunningMayfly, inbox: string): Promise<SummaryResponse> {
  const response = await fetch(`${url}/api/inbox/${inbox}/summary`);
  expect(response.status).toBe(200);
  return (await response.json()) as SummaryResponse;
}

test('a mail of many parts is summarized for each of its recipients, and still is after a restart', async () => {
  const before = await start('parts');
  await transportTo(before).sendMail({
    from: '"Ék, Anna" <anna@app.test>',
    to: ['one@inbox.example.com', 'a-longer-name@inbox.example.com'],
    subject: 'Ihre Rechnung für Mai',
    text: 'Your code is 482913.\n',
    html: '<p>Your code is <b>482913</b></p><img src="cid:logo@app.test">',
    attachments: [
      { filename: 'logo.png', cid: 'logo@app.test', contentDisposition: 'inline', content: Buffer.alloc(500, 1) },
      { filename: 'Rechnung.pdf', content: Buffer.alloc(2_000_000, 7) },
    ],
  });
  const { emails } = await fetchInbox(before, 'one');
  const { rawBody, body, ...email } = emails[0] as (typeof emails)[0];
  const expected = {
    ...email,
    fromName: 'Ék, Anna',
    size: Buffer.byteLength(rawBody),
    attachments: 1,
    text: body,
    cut: [],
    code: '482913',
    action: false,
  };
  expect(await summaries(before, 'one')).toEqual({ emails: [expected], count: 1 });
  await before.end('SIGTERM');

  const after = await start('parts');
  expect(await summaries(after, 'one')).toEqual({ emails: [expected], count: 1 });
  const [other] = (await summaries(after, 'a-longer-name')).emails;
  expect(other).toEqual({ ...expected, to: 'a-longer-name@inbox.example.com', receivedAt: other?.receivedAt });
});

test('an email that was deleted by itself stays so over a restart, and the others stay', async () => {
  const before = await start('deleted');
  for (const subject of ['1', '2', '3']) {
    await transportTo(before).sendMail({ from: 'a@app.test', to: 'demo@inbox.example.com', subject, text: subject });
  }
  const [, second] = (await summaries(before, 'demo')).emails;
  const path = `/api/inbox/demo/${second?.receivedAt}`;
  expect(await (await fetch(before.url + path)).json()).toMatchObject({ subject: '2' });
  expect((await fetch(before.url + path, { method: 'DELETE' })).status).toBe(204);
  await before.end('SIGTERM');

  const after = await start('deleted');
  expect((await summaries(after, 'demo')).emails.map(({ subject }) => subject)).toEqual(['3', '1']);
  expect((await fetch(after.url + path)).status).toBe(404);
  expect((await fetch(after.url + path, { method: 'DELETE' })).status).toBe(404);
});

test('a large list is compressed for a client that takes it so, and is the same', async () => {
  const mayfly = await start('compressed');
  const text = 'A sentence that comes again and again. '.repeat(3_000);
  for (const subject of ['1', '2', '3']) {
    await transportTo(mayfly).sendMail({ from: 'a@app.test', to: 'demo@inbox.example.com', subject, text });
  }
  const answers = await Promise.all(
    ['br', 'gzip', 'identity'].map(async (encoding) => {
      const response = await fetch(`${mayfly.url}/api/inbox/demo`, { headers: { 'accept-encoding': encoding } });
      return { encoding: response.headers.get('content-encoding') ?? 'identity', text: await response.text() };
    }),
  );
  expect(answers.map(({ encoding }) => encoding)).toEqual(['br', 'gzip', 'identity']);
  const [first, ...others] = answers.map(({ text }) => text);
  expect(JSON.parse(first ?? '').count).toBe(3);
  for (const other of others) expect(other === first).toBe(true);
});
