import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endAll, fetchInbox, type RunningMayfly, serve, transportTo } from '../service/process.js';

/** The largest message that is taken, read by the compiled service in its threads. */
const RAW = Buffer.concat([
  Buffer.from('From: a@app.test\r\nSubject: Large\r\nContent-Type: text/html\r\n\r\n<p>Your code is 482913</p>\r\n'),
  Buffer.from(`<p>"line \\ of" text ${'x'.repeat(60)}\u00e9</p>\r\n`.repeat(90_000), 'latin1'),
]);

let mayfly: RunningMayfly;
let path: string;

beforeAll(async () => {
  mayfly = await serve(['--store', 'memory:', '--fetch-limit', 'off']);
  await transportTo(mayfly).sendMail({ envelope: { from: 'a@app.test', to: ['demo@inbox.example.com'] }, raw: RAW });
  const { emails } = await fetchInbox(mayfly, 'demo');
  path = `${mayfly.url}/api/inbox/demo/${emails[0]?.receivedAt}`;
});

afterAll(endAll);

describe('a message of many chunks', () => {
  test('comes back byte for byte', async () => {
    const response = await fetch(`${path}/raw`);
    expect(response.status).toBe(200);
    expect(Buffer.from(await response.arrayBuffer()).equals(RAW)).toBe(true);
  });

  test('is explained and shown', async () => {
    const explanation = (await (await fetch(`${path}/explain`)).json()) as { otp: string };
    expect(explanation.otp).toBe('482913');
    const preview = await fetch(`${path}/html`);
    expect(preview.status).toBe(200);
    expect(await preview.text()).toContain('<p>Your code is 482913</p>');
  });
});
