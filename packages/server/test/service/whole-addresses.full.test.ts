/** One name in two domains means two separate inboxes, on every path (D64). */
import { Mayfly } from 'mayfly-client';
import { afterEach, describe, expect, test } from 'vitest';
import { saysInVain } from '../../../client/test/in-vain.js';
import { readStream } from './end-to-end.js';
import { endAll, type RunningMayfly, serve, transportTo } from './process.js';

const TWO_DOMAINS = ['--domain', 'a.test,b.test', '--fetch-limit', 'off'];

/** The address and the message of each inbox. Bare names mean the first domain, a.test. */
const ALICES = {
  a: { address: 'alice@a.test', text: 'Your code is 111222', code: '111222', subject: 'Only for A' },
  b: { address: 'alice@b.test', text: 'Your code is 333444', code: '333444', subject: 'Only for B' },
} as const;

type Side = keyof typeof ALICES;

const OTHER: Readonly<Record<Side, Side>> = { a: 'b', b: 'a' };

afterEach(endAll);

async function send(mayfly: RunningMayfly, ...sides: readonly Side[]): Promise<void> {
  for (const side of sides) {
    const { address, subject, text } = ALICES[side];
    await transportTo(mayfly).sendMail({ from: `app@${side}.example`, to: address, subject, text });
  }
}

/** Returns texts of an inbox that must not appear in the other inbox. */
const traces = (side: Side) => [ALICES[side].address, ALICES[side].subject, ALICES[side].code, `app@${side}.example`];

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

// biome-ignore lint/suspicious/noExplicitAny: answers have many shapes, and a test reads the fields that it names
type Answer = any;

async function jsonOf(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  return (await fetch(url, { headers })).json();
}

async function textOf(url: string): Promise<string> {
  const response = await fetch(url, { headers: { accept: '*/*' } });
  return `${response.status} ${await response.text()}`;
}

/** Calls every read operation on one inbox, and resolves to the responses by path. */
async function everythingOf(mayfly: RunningMayfly, side: Side): Promise<Map<string, string>> {
  const { address } = ALICES[side];
  const { paths }: OpenApi = await jsonOf(`${mayfly.url}/openapi.json`);
  const { emails } = await jsonOf(`${mayfly.url}/api/inbox/${address}/summary`);
  const answers = new Map<string, string>();
  for (const [path, operations] of Object.entries(paths)) {
    // Skips the lists of all mail and of runs, which are not about one inbox.
    if (!('get' in operations) || path === '/openapi.json' || /^\/api\/(?:emails|runs?)\b/.test(path)) continue;
    const filled = path
      .replace('{name}', address)
      .replace('{receivedAt}', emails[0]?.receivedAt)
      .replace('{path}', '1');
    answers.set(path, await textOf(mayfly.url + filled));
  }
  return answers;
}

describe('two domains', () => {
  test('with the same inbox name show only their own mail on every path of the interface', async () => {
    const mayfly = await serve([...TWO_DOMAINS, '--store', 'memory:']);
    await send(mayfly, 'a', 'b');
    for (const side of ['a', 'b'] as const) {
      const answers = await everythingOf(mayfly, side);
      expect(answers.size).toBeGreaterThan(10);
      for (const [path, answer] of answers) {
        for (const trace of traces(OTHER[side])) expect(answer, path).not.toContain(trace);
      }
      const mail = [...answers].filter(([, answer]) => answer.includes(ALICES[side].subject)).map(([path]) => path);
      expect(mail).toEqual(
        expect.arrayContaining(['/api/inbox/{name}', '/api/inbox/{name}/summary', '/api/inbox/{name}/stream']),
      );
    }
  });

  test('each receive a message that is sent to both, and a stream ignores mail to the other domain', async () => {
    const mayfly = await serve([...TWO_DOMAINS, '--store', 'memory:']);
    const stream = await readStream(mayfly, 'alice@b.test/stream');
    await send(mayfly, 'a');
    await transportTo(mayfly).sendMail({
      ...{ from: 'app@app.test', to: [ALICES.a.address, ALICES.b.address] },
      ...{ subject: 'For both', text: 'Hello' },
    });
    const { text } = await stream.ended;
    expect(text).toContain('"to":"alice@b.test"');
    expect(text).toContain('"subject":"For both"');
    const { emails } = await jsonOf(`${mayfly.url}/api/inbox/alice@a.test`);
    expect(emails.map(({ to, subject }: Record<string, string>) => [to, subject])).toEqual([
      ['alice@a.test', 'For both'],
      ['alice@a.test', 'Only for A'],
    ]);
  });
});

describe('the client with several domains', () => {
  test('waits for a full address, and adds its domain option or the first domain to a bare name', async () => {
    const mayfly = await serve([...TWO_DOMAINS, '--store', 'memory:']);
    const waits = [
      new Mayfly({ baseUrl: mayfly.url }).inbox('alice').waitForOtp(),
      new Mayfly({ baseUrl: mayfly.url }).inbox('Alice@B.test').waitForOtp(),
      new Mayfly({ baseUrl: mayfly.url, domain: 'b.test' }).inbox('alice').waitForOtp(),
    ];
    await send(mayfly, 'a', 'b');
    expect(await Promise.all(waits)).toEqual(['111222', '333444', '333444']);
    const inbox = new Mayfly({ baseUrl: mayfly.url, domain: 'b.test' }).createInbox();
    await transportTo(mayfly).sendMail({ from: 'a@app.test', to: `${inbox}`, text: 'Your code is 555666' });
    expect(await inbox.waitForOtp()).toBe('555666');
    expect(await (await fetch(inbox.pageUrl)).text()).toContain('<!doctype html>');
    await new Mayfly({ baseUrl: mayfly.url }).inbox('alice').clear();
    expect(await new Mayfly({ baseUrl: mayfly.url }).inbox('alice@b.test').emails()).toHaveLength(1);
  });

  test('releases the mail of a --hold address in any domain', async () => {
    const mayfly = await serve(['--store', 'memory:']);
    const inbox = new Mayfly({ baseUrl: mayfly.url }).inbox('jane--hold@bücher.example');
    const plain = new Mayfly({ baseUrl: mayfly.url }).inbox('jane@bücher.example');
    for (const { address } of [inbox, plain]) {
      await transportTo(mayfly).sendMail({ from: 'a@app.test', to: address, text: 'Your code is 482913' });
    }
    expect(await plain.waitForOtp()).toBe('482913');
    expect(await inbox.emails()).toEqual([]);
    expect(await inbox.release()).toBe(1);
    expect(await inbox.waitForOtp()).toBe('482913');
  });
});

describe('a service that only this machine can reach', () => {
  test('accepts mail for any domain, and a timeout for a bare name reports which full address got mail', async () => {
    const mayfly = await serve(['--store', 'memory:']);
    const jane = { from: 'a@app.test', to: 'jane@example.com', text: 'Your code is 482913' };
    await transportTo(mayfly).sendMail(jane);
    expect(await new Mayfly({ baseUrl: mayfly.url }).inbox('jane@example.com').waitForOtp()).toBe('482913');
    const client = new Mayfly({ baseUrl: mayfly.url });
    await saysInVain(
      (timeout) => client.inbox('jane').waitForOtp({ timeout }),
      "No email came to jane@inbox.example.com. Mail came to jane@example.com, which is another inbox: use mayfly.inbox('jane@example.com').",
    );
    // The error must not reveal that another address received mail.
    await saysInVain((timeout) => client.inbox('jane@example.org').waitForOtp({ timeout }), /^(?!.*example\.com)/);
  });

  test('has one inbox per name with --inbox-by name', async () => {
    const mayfly = await serve(['--store', 'memory:', '--inbox-by', 'name']);
    await transportTo(mayfly).sendMail({ from: 'a@app.test', to: 'jane@example.com', text: 'Your code is 482913' });
    const client = new Mayfly({ baseUrl: mayfly.url });
    for (const given of ['jane', 'jane@example.com', 'jane@elsewhere.test']) {
      expect(await client.inbox(given).waitForOtp()).toBe('482913');
    }
  });
});
