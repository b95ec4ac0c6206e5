import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Answer, freshAddress, PATIENCE_MS, type RunningTool, startTool } from '../../shared/test/compat-api.js';

/** The number of messages, and the number of recipients of each. */
const MAILS = 40;
const PEOPLE = 400;

let mailpit: RunningTool;

beforeAll(async () => {
  mailpit = await startTool('mailpit', { compatApiLimit: 'off' });
  const named = (kind: string) => Array.from({ length: PEOPLE }, (_, i) => `"Nämed ${i}" <${kind}${i}@app.test>`);
  for (let i = 0; i < MAILS; i += 1) {
    const envelope = { from: 'app@app.test', to: [freshAddress()] };
    await mailpit.send({ to: named('t'), cc: named('c'), subject: `mail ${i}`, envelope });
  }
}, PATIENCE_MS);

afterAll(() => mailpit.stop());

test('a large list is sent in chunks, with the same contents as small lists', async () => {
  const answer = await mailpit.ask('/api/v1/messages?limit=500', { headers: { 'accept-encoding': 'identity' } });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
  // A response in one piece would have a Content-Length.
  expect(answer.headers.get('content-length')).toBeNull();
  const text = await answer.text();
  expect(text.length).toBeGreaterThan(1024 * 1024);
  const { messages, ...counts } = JSON.parse(text) as Answer;
  const single: Answer[] = [];
  for (let start = 0; start < MAILS; start += 1) {
    const small = await mailpit.json(`/api/v1/messages?start=${start}&limit=1`);
    expect(small).toMatchObject({ total: MAILS, count: 1, start });
    single.push(...small.messages);
  }
  expect(messages).toEqual(single);
  expect(messages[0]).toMatchObject({ Subject: `mail ${MAILS - 1}` });
  expect(counts).toMatchObject({ total: MAILS, count: MAILS, messages_count: MAILS, start: 0, tags: [] });
});
