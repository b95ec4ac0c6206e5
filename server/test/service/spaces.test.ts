import { request as httpRequest } from 'node:http';
import { Mayfly, MayflyAuthError } from 'mayfly-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  CLIENT_MAYFLY,
  endAll,
  type RunningMayfly,
  runMayfly,
  serve,
  temporaryFolder,
  transportTo,
} from './process.js';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let mayfly: RunningMayfly;

const ADDRESS = 'alice@app.example';
const [ONE, TWO] = ['run-1:secret-of-one', 'run-2:secret-of-two'] as const;

/** Nothing of the first project that others must not see. */
const MARKS = ['739164', 'Only for one', 'one@app.example', 'token-of-one'];

beforeAll(async () => {
  folder = await temporaryFolder();
  const limits = ['--fetch-limit', 'off', '--look-limit', 'off', '--drop-in-limit', 'off', '--wrong-key-limit', 'off'];
  const others = ['--drop-in', 'mailpit', '--mcp', '--send-apis', 'all', '--domain', '*', '--log-level', 'debug'];
  mayfly = await serve(['--spaces', '--store', `lmdb:${folder.path}/store`, ...limits, ...others]);
});

afterAll(async () => {
  endAll();
  await folder.remove();
});

const authOf = (pair: string) => ({ user: pair.split(':')[0] as string, pass: pair.split(':')[1] as string });

const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`;

const inSpace = (space: string | undefined) => new Mayfly({ baseUrl: mayfly.url, space });

async function send(pair: string | null, to: string | string[], subject: string, code = '111111', from = 'a@app.test') {
  const smtp = transportTo(mayfly, pair === null ? {} : { auth: authOf(pair) });
  const text = `Your code is ${code}. Or open https://app.example/verify?token=token-of-${from.split('@')[0]}`;
  await smtp.sendMail({ from, to, subject, text }).finally(() => smtp.close());
}

const sendOne = () => send(ONE, ADDRESS, 'Only for one', '739164', 'one@app.example');

interface Asked {
  readonly method: string;
  readonly path: string;
}

async function operations(): Promise<Asked[]> {
  const document = (await (await fetch(`${mayfly.url}/openapi.json`)).json()) as { paths: Record<string, object> };
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path })),
  );
}

interface Tried extends Asked {
  readonly receivedAt: string;
  readonly id: string;
}

/** The ID of the newest message that the drop-in lists for a space. */
async function newestId(pair: string): Promise<string> {
  const listed = await fetch(`${mayfly.url}/api/v1/messages`, { headers: { authorization: basic(pair) } });
  return ((await listed.json()) as { messages: { ID: string }[] }).messages[0]?.ID ?? 'none';
}

/** What a route shows of the first project. */
async function marksIn({ method, path, receivedAt, id }: Tried, authorization: string | null): Promise<string[]> {
  const values: Record<string, string> = { name: ADDRESS, receivedAt, path: '1', id };
  const url = mayfly.url + path.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? name);
  // A stream of an empty inbox would be open for 30 s.
  const signal = AbortSignal.timeout(path.endsWith('/stream') ? 500 : 30_000);
  const type = path.endsWith('/html') ? 'application/x-www-form-urlencoded' : 'application/json';
  const hasBody = method === 'POST' && !path.endsWith('/release');
  const headers = { ...(authorization && { authorization }), ...(hasBody && { 'content-type': type }) };
  const body = hasBody ? (path.endsWith('/html') ? '' : '{}') : null;
  const text = await fetch(url, { method, headers, body, signal, redirect: 'manual' })
    .then(async (answer) => `${answer.headers.get('location') ?? ''}${await answer.text()}`)
    .catch(() => '');
  return MARKS.filter((mark) => text.includes(mark)).map((mark) => `${method} ${path} shows ${mark}`);
}

/** Every path of the drop-in that shows or deletes mail. */
const DROP_IN: readonly Asked[] = [
  ...['/messages', '/message/{id}', '/message/latest', '/message/{id}/raw', '/message/{id}/headers', '/info', '/tags'],
  ...['/search?query=code', `/search?query=to:${ADDRESS}`, '/message/{id}/part/1'],
]
  .map((path) => ({ method: 'GET', path: `/api/v1${path}` }))
  .concat([
    { method: 'DELETE', path: `/api/v1/search?query=to:${ADDRESS}` },
    { method: 'DELETE', path: '/api/v1/messages' },
    ...['/view/latest.txt', '/view/{id}.html', '/view/{id}'].map((path) => ({ method: 'GET', path })),
  ]);

describe('two projects with the same address on one host', () => {
  test.each([
    ['in another space, by Basic', basic(TWO)],
    ['in another space, by bearer', `Bearer ${TWO}`],
    ['outside of every space', null],
    ['with the same user and another password', basic('run-1:secret-of-two')],
  ])('see nothing of each other on any route: %s', async (_, authorization) => {
    await sendOne();
    const one = inSpace(ONE).inbox(ADDRESS);
    const receivedAt = (await one.waitForEmail({ hasOtp: true })).receivedAt.toISOString();
    const id = await newestId(ONE);
    const asked = [...(await operations()), ...DROP_IN].map((operation) => ({ ...operation, receivedAt, id }));
    const shown = async (authorization: string | null, list: readonly Tried[]) => {
      const found: string[] = [];
      for (const tried of list) found.push(...(await marksIn(tried, authorization)));
      return found;
    };
    expect(await shown(authorization, asked)).toEqual([]);
    // None of the deletions reached it, and its own project sees it on those routes.
    expect(await one.emails()).toHaveLength(1);
    const reading = asked.filter(({ method }) => method === 'GET');
    expect((await shown(basic(ONE), reading)).length).toBeGreaterThan(20);
    await one.clear();
  });

  test('are two inboxes by their domains, without spaces', async () => {
    await send(null, 'bob@one.example', 'For one');
    await send(null, 'bob@two.example', 'For two');
    const [one, two] = ['bob@one.example', 'bob@two.example'].map((address) => inSpace(undefined).inbox(address));
    expect((await one?.emails())?.map(({ subject }) => subject)).toEqual(['For one']);
    expect((await two?.emails())?.map(({ subject }) => subject)).toEqual(['For two']);
  });

  test('one user signs in to 50 runs at the same time', async () => {
    const runs = Array.from({ length: 50 }, (_, n) => ({ pair: `ci:password-of-${n}`, code: `${100_000 + n}` }));
    const codes = await Promise.all(
      runs.map(async ({ pair, code }) => {
        const inbox = inSpace(pair).inbox('seeded-user@app.example');
        const [otp] = await Promise.all([
          inbox.waitForOtp({ timeout: 60_000 }),
          send(pair, inbox.address, 'Hello', code),
        ]);
        return [otp, (await inbox.emails()).length];
      }),
    );
    expect(codes).toEqual(runs.map(({ code }) => [code, 1]));
  });
});

describe('what belongs to a space', () => {
  test('bare names, made-up addresses, deletion, attempts and rehearsals', async () => {
    const client = inSpace('run-3:secret-of-three');
    const inbox = client.createInbox({ rehearse: ['hold'] });
    await send('run-3:secret-of-three', inbox.address, 'Held');
    expect(await inbox.emails()).toEqual([]);
    expect(await inbox.release()).toBe(1);
    expect(await inbox.emails()).toHaveLength(1);
    expect((await inbox.attempts())[0]?.outcome).toBe('kept');
    expect(await inSpace(TWO).inbox(inbox.address).attempts()).toEqual([]);
    await inbox.clear();
    expect(await inbox.emails()).toEqual([]);
  });

  test('mail that is sent without AUTH is in none', async () => {
    await send(null, ADDRESS, 'Outside');
    expect((await inSpace(undefined).inbox(ADDRESS).emails()).map(({ subject }) => subject)).toContain('Outside');
    expect(await inSpace('run-4:secret-of-four').inbox(ADDRESS).emails()).toEqual([]);
  });

  test('a drop-in lists, finds and deletes the mail of the space alone', async () => {
    const pair = 'run-5:secret-of-five';
    await send(pair, [ADDRESS, 'bob@app.example'], 'Of five');
    const ask = async (path: string, method = 'GET') => {
      const answer = await fetch(`${mayfly.url}/api/v1${path}`, { method, headers: { authorization: basic(pair) } });
      return method === 'GET'
        ? ((await answer.json()) as { messages: { Subject: string; ID: string }[] }).messages
        : [];
    };
    const subjects = async (path: string) => (await ask(path)).map(({ Subject }) => Subject);
    expect(await subjects('/messages')).toEqual(['Of five']);
    expect(await subjects('/search?query=to:bob@app.example')).toEqual(['Of five']);
    const [message] = await ask('/messages');
    const read = await fetch(`${mayfly.url}/api/v1/message/${message?.ID}`, {
      headers: { authorization: basic(pair) },
    });
    expect(((await read.json()) as { To: unknown[] }).To).toHaveLength(2);
    await sendOne();
    await ask('/messages', 'DELETE');
    expect(await subjects('/messages')).toEqual([]);
    expect(await inSpace(ONE).inbox(ADDRESS).emails()).toHaveLength(1);
    await inSpace(ONE).inbox(ADDRESS).clear();
  });

  test('a drop-in gives no held mail, whatever its id', async () => {
    const pair = 'run-6:secret-of-six';
    await send(pair, ['bob@app.example', 'bob--hold@app.example'], 'Of six');
    const asked = async (path: string) => fetch(mayfly.url + path, { headers: { authorization: basic(pair) } });
    const { messages } = (await (await asked('/api/v1/messages')).json()) as { messages: { ID: string }[] };
    const [time, shown] = Buffer.from(messages[0]?.ID ?? '', 'base64url')
      .toString()
      .split(' ');
    const raw = async (inbox: string | undefined) =>
      (await asked(`/api/v1/message/${Buffer.from(`${time} ${inbox}`).toString('base64url')}/raw`)).status;
    expect(await raw(shown)).toBe(200);
    expect(await raw(`.${shown?.replace('bob@', 'bob--hold@')}`)).toBe(404);
  });

  test('an agent reads a private inbox with or without its secret', async () => {
    const call = async (name: string, args: object) => {
      const headers = {
        ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        authorization: `Bearer ${ONE}`,
      };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });
      return (await fetch(`${mayfly.url}/mcp`, { method: 'POST', headers, body })).text();
    };
    const inbox = inSpace(ONE).createInbox({ private: true });
    await send(ONE, inbox.address, 'Private', '204816');
    for (const secret of [inbox.secret, undefined]) {
      expect(await call('check_inbox', { inbox: inbox.address, secret })).toContain('204816');
    }
  });

  test('an export has no mail of a space, and the log neither user nor password', async () => {
    await sendOne();
    const exported = await runMayfly(['export', `${folder.path}/out`, '--store', `lmdb:${folder.path}/store`]);
    expect(exported).toMatchObject({ exitCode: 0 });
    for (const part of [...ONE.split(':'), Buffer.from(ONE).toString('base64')]) {
      expect(mayfly.log() + mayfly.output()).not.toContain(part);
    }
    await inSpace(ONE).inbox(ADDRESS).clear();
  });

  test('the command line reads it', async () => {
    await sendOne();
    const run = (environment: Record<string, string>, flags: string[] = []) => {
      const settings = { MAYFLY_URL: mayfly.url, ...environment };
      return runMayfly(['wait', ADDRESS, '--otp', '--timeout', '2s', ...flags], settings, { command: CLIENT_MAYFLY });
    };
    expect((await run({ MAYFLY_SPACE: ONE })).stdout).toBe('739164\n');
    expect((await run({}, ['--space', ONE])).stdout).toBe('739164\n');
    expect(await run({ MAYFLY_SPACE: 'run-1:mistyped' })).toMatchObject({ exitCode: 1, stdout: '' });
    await inSpace(ONE).inbox(ADDRESS).clear();
  });

  test('an agent sees it with its pair', async () => {
    await sendOne();
    const call = async (pair: string) => {
      const headers = {
        ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        authorization: `Bearer ${pair}`,
      };
      const params = { name: 'check_inbox', arguments: { inbox: ADDRESS } };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
      return (await fetch(`${mayfly.url}/mcp`, { method: 'POST', headers, body })).text();
    };
    expect(await call(ONE)).toContain('739164');
    expect(await call(TWO)).not.toContain('739164');
    await inSpace(ONE).inbox(ADDRESS).clear();
  });
});

describe('a send API enters the space that its key names', () => {
  const FROM = 'App <one@app.example>';

  test('and refuses two keys, of which another reader might take the other', async () => {
    const body = JSON.stringify({ from: FROM, to: 'two-keys@app.example', subject: 'Two keys', text: 'Hello' });
    const { status } = await new Promise<{ status: number | undefined }>((resolve, reject) => {
      const headers = { authorization: [`Bearer ${ONE}`, `Bearer ${TWO}`], 'content-type': 'application/json' };
      const request = httpRequest(`${mayfly.url}/emails`, { method: 'POST' }, (answer) => {
        answer.resume();
        resolve({ status: answer.statusCode });
      });
      for (const [name, value] of Object.entries(headers)) request.setHeader(name, value);
      request.on('error', reject).end(body);
    });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(await inSpace(undefined).inbox('two-keys@app.example').emails()).toEqual([]);
  });

  const SENDS: readonly (readonly [string, string, Record<string, string>, string])[] = [
    [
      'resend',
      '/emails',
      { authorization: `Bearer ${ONE}`, 'content-type': 'application/json' },
      JSON.stringify({ from: FROM, to: ADDRESS, subject: 'By resend', text: 'Your code is 739164' }),
    ],
    [
      'sendgrid',
      '/v3/mail/send',
      { authorization: `Bearer ${ONE}`, 'content-type': 'application/json' },
      JSON.stringify({
        personalizations: [{ to: [{ email: ADDRESS }] }],
        from: { email: 'one@app.example' },
        subject: 'By sendgrid',
        content: [{ type: 'text/plain', value: 'Your code is 739164' }],
      }),
    ],
    [
      'postmark',
      '/email',
      { 'x-postmark-server-token': ONE, 'content-type': 'application/json' },
      JSON.stringify({ From: FROM, To: ADDRESS, Subject: 'By postmark', TextBody: 'Your code is 739164' }),
    ],
    [
      'mailgun',
      '/v3/app.example/messages',
      { authorization: basic(`api:${ONE}`), 'content-type': 'application/x-www-form-urlencoded' },
      new URLSearchParams({ from: FROM, to: ADDRESS, subject: 'By mailgun', text: 'Your code is 739164' }).toString(),
    ],
    [
      'ses',
      '/v2/email/outbound-emails',
      {
        authorization: `AWS4-HMAC-SHA256 Credential=${ONE}/20260101/eu-west-1/ses/aws4_request, SignedHeaders=host, Signature=0`,
        'content-type': 'application/json',
      },
      JSON.stringify({
        FromEmailAddress: FROM,
        Destination: { ToAddresses: [ADDRESS] },
        Content: { Simple: { Subject: { Data: 'By ses' }, Body: { Text: { Data: 'Your code is 739164' } } } },
      }),
    ],
  ];

  test.each(SENDS)('%s', async (name, path, headers, body) => {
    const answer = await fetch(mayfly.url + path, { method: 'POST', headers, body });
    expect(answer.status, await answer.text()).toBeLessThan(300);
    const inbox = inSpace(ONE).inbox(ADDRESS);
    const emails = await inbox.emails({ subject: `By ${name}` });
    expect(emails).toHaveLength(1);
    expect((await inbox.attempts()).at(-1)).toMatchObject({ outcome: 'kept', way: name });
    expect(
      await inSpace(undefined)
        .inbox(ADDRESS)
        .emails({ subject: `By ${name}` }),
    ).toEqual([]);
    await inbox.clear();
  });

  test('and finds its mail by id with that key alone', async () => {
    const [, path, headers, body] = SENDS[0] as (typeof SENDS)[number];
    const sent = (await (await fetch(mayfly.url + path, { method: 'POST', headers, body })).json()) as { id: string };
    const find = async (key: string) => {
      return (await fetch(`${mayfly.url}/emails/${sent.id}`, { headers: { authorization: `Bearer ${key}` } })).status;
    };
    expect([await find(ONE), await find(TWO), await find('re_123')]).toEqual([200, 404, 404]);
    await inSpace(ONE).inbox(ADDRESS).clear();
  });

  test('a key that is no pair sends outside of every space, and a bad pair is refused', async () => {
    const [, path, headers, body] = SENDS[0] as (typeof SENDS)[number];
    const ask = (key: string) =>
      fetch(mayfly.url + path, { method: 'POST', headers: { ...headers, authorization: `Bearer ${key}` }, body });
    expect((await ask('re_123')).status).toBe(200);
    const refused = await ask('run-1:short');
    expect([refused.status, refused.headers.get('mayfly-hint')]).toEqual([451, expect.stringContaining('6 to 128')]);
  });
});

describe('what is no space', () => {
  test.each(['run 1:secret-of-one', 'run-1:short', `run-1:${'x'.repeat(129)}`, 'run-1:pässwörter', ':secret-of-one'])(
    'AUTH and HTTP refuse %j with a sentence',
    async (pair) => {
      await expect(send(pair, ADDRESS, 'x')).rejects.toThrow(/535|Missing credentials/);
      const answer = await fetch(`${mayfly.url}/api/inbox/alice`, { headers: { authorization: basic(pair) } });
      expect([answer.status, answer.headers.get('mayfly-error')]).toEqual([401, 'bad-space']);
      await expect(inSpace('run-1:short').inbox('alice').emails()).rejects.toThrow(MayflyAuthError);
    },
  );

  test('a mistyped pair is another space, and a wait in vain says so', async () => {
    await sendOne();
    const wrong = inSpace('run-1:secret-of-onx').inbox(ADDRESS);
    await expect(wrong.waitForEmail({ timeout: 1_000 })).rejects.toThrow('No mail has ever come to this space');
    const right = inSpace(ONE).inbox('carol@app.example');
    await expect(right.waitForEmail({ timeout: 1_000 })).rejects.not.toThrow('No mail has ever come to this space');
    await inSpace(ONE).inbox(ADDRESS).clear();
  });

  test('a wait in vain tells of mail on the other side of a space', async () => {
    const own = await serve(['--spaces', '--store', 'memory:']);
    const wait = (space: string | undefined, name: string) =>
      new Mayfly({ baseUrl: own.url, space }).inbox(`${name}@app.example`).waitForEmail({ timeout: 1_000 });
    for (const [name, options] of Object.entries({ dora: { auth: authOf(ONE) }, erna: {} })) {
      const smtp = transportTo(own, options);
      await smtp.sendMail({ from: 'a@app.test', to: `${name}@app.example`, text: 'x' }).finally(() => smtp.close());
    }
    await expect(wait(undefined, 'dora')).rejects.toThrow(/into spaces: .*MAYFLY_SPACE/);
    await expect(wait(ONE, 'erna')).rejects.toThrow(/without a space: .*AUTH/);
  });

  test('a bad pair is named after the option that gave it', async () => {
    const refused = inSpace('run-1:short').inbox(ADDRESS).waitForEmail();
    await expect(refused).rejects.toThrow(/See space and MAYFLY_SPACE\.$/);
  });

  test('a service without spaces takes any AUTH as before, and says so of a pair over HTTP', async () => {
    const plain = await serve(['--store', 'memory:']);
    const smtp = transportTo(plain, { auth: { user: 'any one', pass: 'x' } });
    await smtp.sendMail({ from: 'a@app.test', to: 'alice@inbox.test', subject: 'x', text: 'x' });
    smtp.close();
    expect(await new Mayfly({ baseUrl: plain.url }).inbox('alice').emails()).toHaveLength(1);
    const asked = new Mayfly({ baseUrl: plain.url, space: ONE }).inbox('alice').emails();
    await expect(asked).rejects.toThrow('Start it with --spaces');
  });
});

describe('budgets of a space', () => {
  test('a full space refuses mail, and no other space does', async () => {
    const small = await serve(['--spaces', '--space-budget', '20KiB', '--max-message', '16KiB', '--store', 'memory:']);
    const sendTo = async (pair: string, size: number) => {
      const smtp = transportTo(small, { auth: authOf(pair) });
      const text = 'x'.repeat(size);
      await smtp.sendMail({ from: 'a@app.test', to: ADDRESS, text }).finally(() => smtp.close());
    };
    await sendTo(ONE, 12_000);
    await expect(sendTo(ONE, 12_000)).rejects.toThrow(/452.*--space-budget/);
    await sendTo(TWO, 12_000);
  });

  test('a space has a rate of its own', async () => {
    const slow = await serve(['--spaces', '--space-limit', '2/1m', '--store', 'memory:']);
    const sendTo = async (pair: string) => {
      const smtp = transportTo(slow, { auth: authOf(pair) });
      await smtp.sendMail({ from: 'a@app.test', to: ADDRESS, text: 'x' }).finally(() => smtp.close());
    };
    await sendTo(ONE);
    await sendTo(ONE);
    await expect(sendTo(ONE)).rejects.toThrow(/451.*--space-limit/);
    await sendTo(TWO);
  });
});
