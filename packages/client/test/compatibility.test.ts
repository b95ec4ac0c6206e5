import { afterAll, describe, expect, test } from 'vitest';
import { endAll, serve, transportTo } from '../../server/test/service/process.js';
import { freshName } from './service.js';

interface OriginalEmail {
  readonly id: string;
  readonly raw: string;
  readonly rawBody: string;
  readonly otp: string | null;
  readonly magicLink: string | null;
}

const mayfly = await serve(['--store', 'memory:', '--zerodrop', '--fetch-limit', 'off']);

afterAll(endAll);

async function sendTo(name: string): Promise<void> {
  const text = 'Your code is 482913.\nOr open https://app.test/verify?token=abc';
  await transportTo(mayfly).sendMail({
    from: 'app@app.test',
    to: `${name}@inbox.example.com`,
    subject: 'Welcome',
    text,
  });
}

/** Reads a stream as ZeroDrop's clients do: line by line, and each line that begins with "data: " is an email. */
async function readStream(response: Response): Promise<OriginalEmail[]> {
  const emails: OriginalEmail[] = [];
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of response.body ?? []) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line.startsWith('data: ') && line !== 'data: __timeout__') emails.push(JSON.parse(line.slice(6)));
    }
  }
  return emails;
}

function isAsExpected(email: OriginalEmail | undefined): void {
  expect(email).toMatchObject({ otp: '482913', magicLink: 'https://app.test/verify?token=abc' });
  expect(email?.raw).toMatch(/^From: app@app\.test\r\n[\s\S]*Your code is 482913\./);
  expect(email?.raw).toBe(email?.rawBody);
}

describe('a client of ZeroDrop, with --zerodrop', () => {
  test.each(['?source=sdk', '?source=mcp', '?source=ruby-sdk', '?source=browser', ''])(
    'finds an email by polling the inbox%s',
    async (query) => {
      const name = freshName();
      const fetchInbox = async () => {
        const response = await fetch(`${mayfly.url}/api/inbox/${name}${query}`, {
          headers: { Accept: 'application/json' },
        });
        expect(response.status).toBe(200);
        return (await response.json()) as { emails: OriginalEmail[]; count: number };
      };
      expect(await fetchInbox()).toEqual({ emails: [], count: 0 });
      await sendTo(name);
      const { emails, count } = await fetchInbox();
      expect(count).toBe(1);
      isAsExpected(emails[0]);
    },
  );

  test.each(['', '?source=sdk', '?source=ruby-sdk'])('receives an email on its open stream%s', async (query) => {
    const name = freshName();
    const headers = { Accept: 'text/event-stream', 'Cache-Control': 'no-cache' };
    const response = await fetch(`${mayfly.url}/api/inbox/${name}/stream${query}`, { headers });
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    const reading = readStream(response);
    await sendTo(name);
    const emails = await reading;
    expect(emails).toHaveLength(1);
    isAsExpected(emails[0]);
  });
});
