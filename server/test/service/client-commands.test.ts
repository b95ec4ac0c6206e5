import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endAll, type RunningMayfly, runMayfly, serve, transportTo } from './process.js';

let mayfly: RunningMayfly;

beforeAll(async () => {
  mayfly = await serve(['--store', 'memory:', '--fetch-limit', 'off', '--workspace', 'acme=s3cret-of-16-chars']);
});

afterAll(endAll);

/** Runs a command as somebody does whose environment says where Mayfly is. */
const run = (args: readonly string[], environment = {}) => runMayfly(args, { MAYFLY_URL: mayfly.url, ...environment });

async function newAddress(): Promise<string> {
  return (await run(['new'])).stdout.trim();
}

const BOTH = 'Your code is 482913.\nOr open https://app.test/verify?token=abc';

function send(to: string, subject: string, text = BOTH): Promise<unknown> {
  return transportTo(mayfly).sendMail({ from: 'app@app.test', to, subject, text });
}

describe('mayfly new', () => {
  test('prints an address, with its prefix and of its domain and workspace', async () => {
    expect((await run(['new'])).stdout).toMatch(/^[a-z]+-[a-z]+-[a-z2-7]{12}@inbox\.test\n$/);
    const environment = { MAYFLY_DOMAIN: 'a.test,b.test', MAYFLY_API_KEY: 'acme=s3cret-of-16-chars' };
    const { stdout, exitCode } = await run(['new', '--prefix', 'sign-up'], environment);
    expect(stdout).toMatch(/^acme-sign-up-[a-z]+-[a-z]+-[a-z2-7]{12}@a\.test\n$/);
    expect(exitCode).toBe(0);
  });
});

describe('mayfly wait', () => {
  test.each([
    ['--otp', /^482913\n$/],
    ['--code', /^482913\n$/],
    ['--magic-link', /^https:\/\/app\.test\/verify\?token=abc\n$/],
    ['--link', /^https:\/\/app\.test\/verify\?token=abc\n$/],
  ])('prints just the value (%s), also of an email that is yet to come', async (flag, output) => {
    const address = await newAddress();
    const waiting = run(['wait', address, flag, '--timeout', '20s']);
    await send(address, 'Welcome', 'Nothing here');
    await send(address, 'Welcome');
    expect(await waiting).toEqual({ exitCode: 0, stdout: expect.stringMatching(output), stderr: '' });
  });

  test('prints the email, to read or as JSON, of a name as of an address', async () => {
    const address = await newAddress();
    await send(address, 'Wanted \u001b[31m');
    await send(address, 'Other');
    const text = await run(['wait', address.toUpperCase(), '--subject', 'wanted', '--from', '@APP']);
    expect(text.stdout).toMatch(
      /^From: app@app\.test\nSubject: Wanted {2}\[31m\nReceived: .*Z\nCode: 482913\nLink: https:.*=abc\n\nYour code is 482913\.\n/,
    );
    const json = await run(['wait', address.replace(/@.*/, ''), '--json', '--subject', 'Other']);
    expect(JSON.parse(json.stdout)).toMatchObject({
      subject: 'Other',
      otp: '482913',
      receivedAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      rawBody: expect.stringContaining('Subject: Other'),
    });
  });

  test('ends with 1 and an explanation when none comes in time', async () => {
    const address = await newAddress();
    await send(address, 'Receipt', 'Nothing here');
    expect(await run(['wait', address, '--otp', '--timeout', '2s'])).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: `mayfly: Waited 2 s for an email with a code. 1 email came to ${address}: 'Receipt' (no code). waitForCode (wait --code) takes letters, too.\n`,
    });
  });

  test('ends with 1 at once when the inbox is a workspace’s whose key is missing', async () => {
    const { exitCode, stderr } = await run(['wait', 'acme-demo']);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('answered 401');
    const environment = { MAYFLY_API_KEY: 'acme=s3cret-of-16-chars' };
    expect((await run(['wait', 'acme-demo', '--timeout', '2s'], environment)).stderr).toContain('No email came');
  });
});

describe('mayfly list', () => {
  test('prints a line for each email, newest first, or all as JSON', async () => {
    const address = await newAddress();
    expect(await run(['list', address])).toEqual({ exitCode: 0, stdout: '', stderr: '' });
    await send(address, 'One');
    await send(address, 'Two', 'Nothing here');
    const { stdout } = await run(['list', address]);
    expect(stdout).toMatch(
      /^\S+Z {2}app@app\.test {2}Two\n\S+Z {2}app@app\.test {2}One {2}482913 {2}https:\/\/app\.test\/verify\?token=abc\n$/,
    );
    const json = JSON.parse((await run(['list', address, '--json'])).stdout);
    expect(json).toMatchObject([
      { subject: 'Two', otp: null },
      { subject: 'One', otp: '482913' },
    ]);
  });
});

describe('mayfly open', () => {
  test('prints the address of the page', async () => {
    expect((await run(['open', 'Demo@inbox.test'])).stdout).toBe(`${mayfly.url}/inbox/demo\n`);
  });
});

describe.concurrent('what is not understood', () => {
  test.each([
    [['wait'], {}, 'Which inbox?'],
    [['wait', 'a b'], {}, '"a b" is not an inbox name'],
    [['wait', 'demo', '--otp', '--json'], {}, 'Only one of --otp'],
    [['wait', 'demo', '--timeout', '30'], {}, '--timeout: "30" is not valid'],
    [['wait', 'demo', '--timeout', '2d'], {}, 'timeout must be'],
    [['wait', 'demo', '--timeout'], {}, '--timeout needs a value'],
    [['wait', 'demo', '--subject', 'a', '--subject', 'b'], {}, '--subject is given twice'],
    [['wait', 'demo', '--store', 'memory:'], {}, '--store is not an option of "mayfly wait'],
    [['new', '--prefix', 'Sign up'], {}, 'is not an inbox name'],
    [['new', 'demo'], {}, 'does not take "demo"'],
    [['list', 'demo'], { MAYFLY_URL: 'nowhere' }, '"nowhere" is not a base address'],
    [['open', 'demo'], { MAYFLY_API_KEY: 's3cret' }, 'Write it as NAME=KEY'],
  ])('%j with %j ends with a sentence and exit code 2', async (args, environment, sentence) => {
    const { exitCode, stdout, stderr } = await run(args, environment);
    expect(stderr).toMatch(/^mayfly: [^\n]*\n$/);
    expect(stderr).toContain(sentence);
    expect(stdout).toBe('');
    expect(exitCode).toBe(2);
  });

  test.each(['new', 'wait', 'list', 'open'])('%s --help explains', async (command) => {
    const { exitCode, stdout } = await run([command, '--help']);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(new RegExp(`^Usage: mayfly ${command}`));
    expect(stdout).toContain('MAYFLY_URL');
  });
});
