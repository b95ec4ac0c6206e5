import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import type { InboxResponse } from 'mayfly-client';
import { SettingsError, type StartedMayfly, type StartOptions, startMayfly } from 'mayfly-inbox';
import { createTransport } from 'nodemailer';
import { afterEach, expect, test, vi } from 'vitest';
import { needs } from '../../../../tools/needs.js';

const started: StartedMayfly[] = [];

afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all(started.splice(0).map((mayfly) => mayfly.stop()));
});

async function start(options?: StartOptions): Promise<StartedMayfly> {
  const mayfly = await startMayfly(options);
  started.push(mayfly);
  return mayfly;
}

function send({ smtp, domain }: StartedMayfly, code: string): Promise<unknown> {
  const transport = createTransport(smtp);
  return transport.sendMail({
    from: 'app@app.test',
    to: `demo@${domain}`,
    subject: 'Hi',
    text: `Your code is ${code}`,
  });
}

async function codesOf({ url }: StartedMayfly): Promise<(string | null)[]> {
  const response = await fetch(`${url}/api/inbox/demo`);
  const { emails } = (await response.json()) as InboxResponse;
  return emails.map(({ otp }) => otp);
}

test('startMayfly runs several services side by side, each with its own mail and options', async () => {
  const [one, two] = await Promise.all([start(), start({ domain: ['a.test', 'b.test'], page: false })]);
  expect(one.smtp.port).not.toBe(two.smtp.port);
  expect([one.domain, two.domain, one.smtp.host]).toEqual(['inbox.example.com', 'a.test', '127.0.0.1']);
  await send(one, '111111');
  await send(two, '222222');
  expect(await codesOf(one)).toEqual(['111111']);
  expect(await codesOf(two)).toEqual(['222222']);
  expect((await fetch(`${one.url}/`)).headers.get('content-type')).toContain('text/html');
  // Version 1 of SES accepts a POST at this path, so another method gets 405.
  expect((await fetch(`${two.url}/`)).status).toBe(405);
});

test('a service stopped by startMayfly no longer listens, and may be stopped again', async () => {
  const mayfly = await start({ host: '::1', domain: '*' });
  expect(mayfly).toMatchObject({
    smtp: { host: '::1' },
    domain: 'inbox.example.com',
    url: expect.stringMatching(/^http:\/\/\[::1\]:/),
  });
  await Promise.all([mayfly.stop(), mayfly[Symbol.asyncDispose]()]);
  await mayfly.stop();
  const [error] = await once(connect(mayfly.smtp.port, mayfly.smtp.host), 'error');
  expect(error).toMatchObject({ code: 'ECONNREFUSED' });
});

test.each<[object, string]>([
  [{ retenton: '5m' }, 'startMayfly: "retenton" is not an option. Did you mean retention?'],
  [{ port: 80 }, 'startMayfly: "port" is not an option. Did you mean httpPort, smtpPort or smtpsPort?'],
  [
    { mailbox: 'a' },
    'startMayfly: "mailbox" is not an option. The options are the settings of "mayfly serve --help" in camel case, such as httpPort.',
  ],
  [{ httpPort: 70_000 }, 'httpPort: "70000" is not valid: use a port from 0 to 65535; 0 picks a free port.'],
  [{ retention: 5 }, 'retention: "5" is not valid: use a whole number with the unit'],
  [{ page: 'perhaps' }, 'page: "perhaps" is not valid: use true or false'],
  [{ domain: [null] }, 'startMayfly: domain must be a string'],
  [{ domain: [] }, 'startMayfly: domain must not be an empty array. Omit it for the default.'],
  [{ retention: [] }, 'startMayfly: retention must not be an empty array. Omit it for the default.'],
  [{ metrics: [] }, 'startMayfly: metrics must not be an empty array. Omit it for the default.'],
  [{ maxMessage: '2MiB', maxInFlight: '1MiB' }, 'maxMessage (2MiB) is more than maxInFlight (1MiB)'],
  [[], 'startMayfly: the options must be an object'],
])('startMayfly rejects the options %j with an error', async (options, sentence) => {
  const starting = startMayfly(options as StartOptions);
  await expect(starting).rejects.toThrow(sentence);
  await expect(starting).rejects.toBeInstanceOf(SettingsError);
});

test('startMayfly warns of an option that has its old name', async () => {
  const [[{ message }]] = await Promise.all([once(process, 'warning'), start({ lookLimit: '5/1s' })]);
  expect(message).toBe('lookLimit is now called readLimit. The old name works until the next major version.');
});

test('errors of startMayfly name the options as the caller writes them', async () => {
  const { smtp } = await start();
  const taken = startMayfly({ smtpPort: smtp.port });
  await expect(taken).rejects.toThrow(`smtpPort: port ${smtp.port} of 127.0.0.1 is in use by another program.`);
  await expect(taken).rejects.toMatchObject({ name: 'Error', cause: { code: 'EADDRINUSE' } });
  const unreadable = startMayfly({ tlsCert: '/nowhere.pem', tlsKey: '/nowhere.pem' });
  await expect(unreadable).rejects.toThrow(/^tlsCert: \/nowhere\.pem cannot be read: there is no such file/);
  await expect(unreadable).rejects.toBeInstanceOf(SettingsError);
});

/** Starts a process that starts a service, prints its address, and then runs the script. */
async function starting(then = '') {
  const script = `
    const { startMayfly } = require('mayfly-inbox');
    startMayfly().then(({ url }) => require('node:fs').writeSync(1, url + '\\n')).then(() => { ${then} });
  `;
  const starter = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [url] = await once(starter.stdout.setEncoding('utf8'), 'data');
  return { starter, url: `${url}`.trim() };
}

async function isGone(url: string): Promise<void> {
  await vi.waitFor(() => expect(fetch(`${url}/readyz`)).rejects.toThrow(), { timeout: 120_000, interval: 100 });
}

const LIMIT_MS = 120_000;

test(
  'a service responds even while the process that started it is blocked, and ends if that process is killed',
  async () => {
    const { starter, url } = await starting('for (;;);');
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    starter.kill('SIGKILL');
    await once(starter, 'exit');
    await isGone(url);
  },
  LIMIT_MS,
);

test(
  'a service ends if the process that started it fails',
  async () => {
    const { starter, url } = await starting("throw new Error('the end')");
    const [code] = starter.exitCode === null ? await once(starter, 'exit') : [starter.exitCode];
    expect(code).toBe(1);
    await isGone(url);
  },
  LIMIT_MS,
);

test('startMayfly reports the signal if another process kills the service', {
  ...needs('Linux'),
  timeout: LIMIT_MS,
}, async () => {
  const { starter, url } = await starting();
  let said = '';
  starter.stderr.setEncoding('utf8').on('data', (text) => (said += text));
  const children = await readFile(`/proc/${starter.pid}/task/${starter.pid}/children`, 'utf8');
  process.kill(Number(children), 'SIGKILL');
  await once(starter, 'close');
  expect(said).toBe(`Mayfly at ${url} has ended before it was stopped (signal SIGKILL).\n`);
});
