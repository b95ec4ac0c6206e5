import { request as httpRequest } from 'node:http';
import { describe, expect, test } from 'vitest';
import { saysInVain } from '../../../client/test/in-vain.js';
import { RawClient } from '../smtp/client.js';
import { callTool } from './agent.js';
import { describeApart } from './apart.js';
import { runMayfly, serve, transportTo } from './process.js';
import { serviceOnDisk } from './service-on-disk.js';
import {
  ADDRESS,
  authOf,
  basic,
  fiftyRuns,
  mayflyOf as mayflyIn,
  ONE,
  sendIn,
  sendOne as sendOneTo,
  TWO,
} from './two-workspaces.js';

const LIMITS = ['--fetch-limit', 'off', '--read-limit', 'off', '--compat-api-limit', 'off', '--wrong-key-limit', 'off'];
const OTHERS = ['--compat-api', 'mailpit', '--mcp', '--send-apis', 'all', '--domain', '*'];
const service = serviceOnDisk(['--ad-hoc-workspaces', ...LIMITS, ...OTHERS]);

const mayflyOf = (credentials: string | undefined) => mayflyIn(service.mayfly, credentials);

const send = (pair: string | null, to: string | string[], subject: string, code?: string) =>
  sendIn(service.mayfly, pair, { to, subject, ...(code && { code }) });

const sendOne = () => sendOneTo(service.mayfly);

describeApart(() => ({ sentTo: service.mayfly, asked: service.mayfly, tool: 'mailpit' }));

describe('ad-hoc workspaces on one host', () => {
  test('keep mail to the same address separate in 50 concurrent runs', async () => {
    const { read, sent } = await fiftyRuns({ sentTo: service.mayfly, readAt: service.mayfly });
    expect(read).toEqual(sent);
  });
});

describe('in an ad-hoc workspace', () => {
  test('failure simulation, release, the delivery log and deletion work for a generated address', async () => {
    const client = mayflyOf('run-3:secret-of-three');
    const inbox = client.createInbox({ simulate: ['hold'] });
    await send('run-3:secret-of-three', inbox.address, 'Held');
    expect(await inbox.emails()).toEqual([]);
    expect(await inbox.release()).toBe(1);
    expect(await inbox.emails()).toHaveLength(1);
    expect((await inbox.attempts())[0]?.outcome).toBe('kept');
    expect(await mayflyOf(TWO).inbox(inbox.address).attempts()).toEqual([]);
    await inbox.clear();
    expect(await inbox.emails()).toEqual([]);
  });

  test('a compatibility API returns no held email, even to a client that guesses its ID', async () => {
    const pair = 'run-6:secret-of-six';
    await send(pair, ['bob@app.example', 'bob--hold@app.example'], 'Of six');
    const asked = async (path: string) => fetch(service.mayfly.url + path, { headers: { authorization: basic(pair) } });
    const { messages } = (await (await asked('/api/v1/messages')).json()) as { messages: { ID: string }[] };
    const [time, shown] = Buffer.from(messages[0]?.ID ?? '', 'base64url')
      .toString()
      .split(' ');
    const raw = async (inbox: string | undefined) =>
      (await asked(`/api/v1/message/${Buffer.from(`${time} ${inbox}`).toString('base64url')}/raw`)).status;
    expect(await raw(shown)).toBe(200);
    expect(await raw(`.${shown?.replace('bob@', 'bob--hold@')}`)).toBe(404);
  });

  test('an agent with the credentials reads a private inbox, whether or not it gives the secret', async () => {
    const inbox = mayflyOf(ONE).createInbox({ private: true });
    await send(ONE, inbox.address, 'Private', '204816');
    for (const secret of [inbox.secret, undefined]) {
      const read = await callTool(service.mayfly, 'check_inbox', { inbox: inbox.address, secret }, ONE);
      expect(JSON.stringify(read)).toContain('204816');
    }
  });

  test('an export of the whole store succeeds, and the log contains neither user nor password', async () => {
    await sendOne();
    const exported = await runMayfly(['export', `${service.folder}/out`, ...service.store]);
    expect(exported).toMatchObject({ exitCode: 0 });
    for (const part of [...ONE.split(':'), Buffer.from(ONE).toString('base64')]) {
      expect(service.mayfly.log() + service.mayfly.output()).not.toContain(part);
    }
    await mayflyOf(ONE).inbox(ADDRESS).clear();
  });
});

describe('a send API with the credentials of an ad-hoc workspace as its key', () => {
  const FROM = 'App <one@app.example>';

  test('rejects a request with two Authorization headers', async () => {
    const body = JSON.stringify({ from: FROM, to: 'two-keys@app.example', subject: 'Two keys', text: 'Hello' });
    const { status } = await new Promise<{ status: number | undefined }>((resolve, reject) => {
      const headers = { authorization: [`Bearer ${ONE}`, `Bearer ${TWO}`], 'content-type': 'application/json' };
      const request = httpRequest(`${service.mayfly.url}/emails`, { method: 'POST' }, (answer) => {
        answer.resume();
        resolve({ status: answer.statusCode });
      });
      for (const [name, value] of Object.entries(headers)) request.setHeader(name, value);
      request.on('error', reject).end(body);
    });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(await mayflyOf(undefined).inbox('two-keys@app.example').emails()).toEqual([]);
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

  test.each(SENDS)('delivers mail through %s to that workspace', async (name, path, headers, body) => {
    const answer = await fetch(service.mayfly.url + path, { method: 'POST', headers, body });
    expect(answer.status, await answer.text()).toBeLessThan(300);
    const inbox = mayflyOf(ONE).inbox(ADDRESS);
    const emails = await inbox.emails({ subject: `By ${name}` });
    expect(emails).toHaveLength(1);
    expect((await inbox.attempts()).at(-1)).toMatchObject({ outcome: 'kept', way: name });
    expect(
      await mayflyOf(undefined)
        .inbox(ADDRESS)
        .emails({ subject: `By ${name}` }),
    ).toEqual([]);
    await inbox.clear();
  });

  test('delivers mail outside of workspaces if its key has no colon, and rejects malformed credentials', async () => {
    const [, path, headers, body] = SENDS[0] as (typeof SENDS)[number];
    const ask = (key: string) =>
      fetch(service.mayfly.url + path, {
        method: 'POST',
        headers: { ...headers, authorization: `Bearer ${key}` },
        body,
      });
    expect((await ask('re_123')).status).toBe(200);
    const refused = await ask('run-1:short');
    expect([refused.status, refused.headers.get('mayfly-hint')]).toEqual([451, expect.stringContaining('6 to 128')]);
  });
});

describe('outside of an ad-hoc workspace', () => {
  test('a client whose AUTH was refused (535) cannot send mail, and the timeout of a wait explains it', async () => {
    const client = await RawClient.greeted(service.mayfly.smtpPort);
    const token = Buffer.from('\0run-1\0short').toString('base64');
    expect(await client.ask(`AUTH PLAIN ${token}`)).toMatch(/^535 5\.7\.8 /);
    expect(await client.ask('MAIL FROM:<a@app.test>')).toMatch(/^530 5\.7\.0 /);
    expect(await client.ask(`RCPT TO:<fred@app.example>`)).toMatch(/^503 /);
    await client.ask('QUIT');
    client.destroy();
    const [attempt] = await mayflyOf(undefined).inbox('fred@app.example').attempts();
    expect(attempt).toMatchObject({ outcome: 'sign-in-first', auth: 'refused', error: { code: 530 } });
    for (const pair of [ONE, 'run-7:secret-of-seven']) {
      const wait = (timeout: number) => mayflyOf(pair).inbox('fred@app.example').waitForEmail({ timeout });
      await saysInVain(wait, /attempts? to send mail came with AUTH that was refused/);
    }
  });

  test('with mistyped credentials, a timeout reports that their ad-hoc workspace has had no mail', async () => {
    await sendOne();
    const wrong = mayflyOf('run-1:secret-of-onx').inbox(ADDRESS);
    await saysInVain((timeout) => wrong.waitForEmail({ timeout }), 'This service remembers no mail in this ad-hoc');
    const right = mayflyOf(ONE).inbox('carol@app.example');
    await saysInVain(
      (timeout) => right.waitForEmail({ timeout }),
      /^(?!.*This service remembers no mail in this ad-hoc workspace)/,
    );
    await mayflyOf(ONE).inbox(ADDRESS).clear();
  });

  test('a timeout reports mail that arrived with credentials if the caller has none, and the reverse', async () => {
    const own = await serve(['--ad-hoc-workspaces', '--store', 'memory:']);
    const wait = (credentials: string | undefined, name: string) => (timeout: number) =>
      mayflyIn(own, credentials).inbox(`${name}@app.example`).waitForEmail({ timeout });
    for (const [name, options] of Object.entries({ dora: { auth: authOf(ONE) }, erna: {} })) {
      const smtp = transportTo(own, options);
      await smtp.sendMail({ from: 'a@app.test', to: `${name}@app.example`, text: 'x' }).finally(() => smtp.close());
    }
    await saysInVain(wait(undefined, 'dora'), /into ad-hoc workspaces: .*MAYFLY_CREDENTIALS/);
    await saysInVain(wait(ONE, 'erna'), /without credentials: .*AUTH/);
  });

  test('a service without ad-hoc workspaces accepts any AUTH, and rejects credentials over HTTP', async () => {
    const plain = await serve(['--store', 'memory:']);
    const smtp = transportTo(plain, { auth: { user: 'any one', pass: 'x' } });
    await smtp.sendMail({ from: 'a@app.test', to: 'alice@inbox.example.com', subject: 'x', text: 'x' });
    smtp.close();
    expect(await mayflyIn(plain, undefined).inbox('alice').emails()).toHaveLength(1);
    const asked = mayflyIn(plain, ONE).inbox('alice').emails();
    await expect(asked).rejects.toThrow('Start the service with --ad-hoc-workspaces');
  });
});

describe('the quota of an ad-hoc workspace', () => {
  test('rejects mail to a full workspace, but not to another workspace', async () => {
    const flags = ['--ad-hoc-workspaces', '--ad-hoc-quota', '20KiB', '--max-message', '16KiB', '--store', 'memory:'];
    const small = await serve(flags);
    const sendTo = async (pair: string, size: number) => {
      const smtp = transportTo(small, { auth: authOf(pair) });
      const text = 'x'.repeat(size);
      await smtp.sendMail({ from: 'a@app.test', to: ADDRESS, text }).finally(() => smtp.close());
    };
    await sendTo(ONE, 12_000);
    await expect(sendTo(ONE, 12_000)).rejects.toThrow(/452.*--ad-hoc-quota/);
    await sendTo(TWO, 12_000);
  });

  test('counts a held message when it arrives, and counts it again when it is released', async () => {
    const flags = ['--ad-hoc-workspaces', '--ad-hoc-quota', '20KiB', '--max-message', '16KiB', '--store', 'memory:'];
    const small = await serve(flags);
    const inbox = mayflyIn(small, ONE).inbox('alice--hold@app.example');
    const sendTo = async (to: string, size: number) => {
      const smtp = transportTo(small, { auth: authOf(ONE) });
      await smtp.sendMail({ from: 'a@app.test', to, text: 'x'.repeat(size) }).finally(() => smtp.close());
    };
    await sendTo(inbox.address, 6_000);
    expect(await inbox.release([1])).toBe(1);
    await sendTo(inbox.address, 100);
    await expect(sendTo(ADDRESS, 3_000)).rejects.toThrow(/452.*--ad-hoc-quota/);
    await sendTo(inbox.address, 100);
    // Earlier messages have used up the quota, so this message stays held.
    await expect(inbox.release([1, 2])).rejects.toThrow('The ad-hoc workspace is full (--ad-hoc-quota)');
    expect((await inbox.emails()).length).toBe(1);
  });
});
