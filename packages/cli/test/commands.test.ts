import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { needs } from '../../../tools/needs.js';
import { CLIENT_MAYFLY, endAll, runMayfly, serve, transportTo } from '../../server/test/service/process.js';

const mayfly = await serve(['--store', 'memory:', '--fetch-limit', 'off', '--workspace', 'acme=s3cret-of-16-chars']);

afterAll(endAll);

const run = (args: readonly string[], environment = {}) =>
  runMayfly(args, { MAYFLY_URL: mayfly.url, ...environment }, { command: CLIENT_MAYFLY });

async function newAddress(): Promise<string> {
  return (await run(['new'])).stdout.trim();
}

const BOTH = 'Your code is 482913.\nOr open https://app.test/verify?token=abc';

function send(to: string, subject: string, text = BOTH): Promise<unknown> {
  return transportTo(mayfly).sendMail({ from: 'app@app.test', to, subject, text });
}

describe('mayfly new', () => {
  test('prints an address with the given prefix, domain and workspace', async () => {
    expect((await run(['new'])).stdout).toMatch(/^[a-z]+-[a-z]+-[a-z2-7]{12}@inbox\.example\.com\n$/);
    const environment = { MAYFLY_DOMAIN: 'a.test,b.test', MAYFLY_API_KEY: 'acme=s3cret-of-16-chars' };
    const { stdout, exitCode } = await run(['new', '--prefix', 'sign-up'], environment);
    expect(stdout).toMatch(/^acme-sign-up-[a-z]+-[a-z]+-[a-z2-7]{12}@a\.test\n$/);
    expect(exitCode).toBe(0);
  });

  test('appends faults to the name', async () => {
    const { stdout } = await run(['new', '--simulate', '451 x2,lost250']);
    expect(stdout).toMatch(/^[a-z]+-[a-z]+-[a-z2-7]{12}--451x2--lost250@inbox\.example\.com\n$/);
  });

  test.each([
    ['timeout', /--simulate: "timeout" is not a fault\. Use faults such as 451x2/],
    ['451x2,lost251', /"lost251" is not a fault/],
    ['delay40s,delay40s', /all delays together may take at most 60 s/],
  ])(
    'rejects the faults %s, because the service would refuse the mail or deliver it normally',
    async (faults, reason) => {
      const refused = { exitCode: 2, stdout: '', stderr: expect.stringMatching(reason) };
      expect(await run(['new', '--simulate', faults])).toEqual(refused);
    },
  );
});

describe('mayfly wait', () => {
  test.each([
    ['--otp', /^482913\n$/],
    ['--magic-link', /^https:\/\/app\.test\/verify\?token=abc\n$/],
  ])('prints only the code or link (%s), even if the email arrives later', async (flag, output) => {
    const address = await newAddress();
    const waiting = run(['wait', address, flag, '--timeout', '20s']);
    await send(address, 'Welcome', 'Nothing here');
    await send(address, 'Welcome');
    expect(await waiting).toEqual({ exitCode: 0, stdout: expect.stringMatching(output), stderr: '' });
  });

  test('prints the email as text or JSON, for an inbox name or address', async () => {
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

  test('prints JSON with all control characters of an email, each as an escape sequence', async () => {
    const address = await newAddress();
    await send(address, 'Hello', 'red \u009b31m code 482913\u007f');
    for (const command of [
      ['wait', address, '--json'],
      ['list', address, '--json'],
    ]) {
      const { stdout } = await run(command);
      expect(stdout).not.toMatch(/[^\P{Cc}\n]/u);
      expect(JSON.stringify(JSON.parse(stdout))).toContain('\u009b31m');
    }
  });

  test('selects emails by text and by time', async () => {
    const address = await newAddress();
    await send(address, 'One', 'Your code is 111111, Alice');
    const [one] = JSON.parse((await run(['list', address, '--json'])).stdout);
    await send(address, 'Two', 'Your code is 222222, Bob');
    await send(address, 'Three', 'Your code is 333333, Alice');
    const values = ['wait', address, '--otp', '--timeout', '20'];
    expect((await run([...values, '--body', 'bob'])).stdout).toBe('222222\n');
    expect((await run([...values, '--after', one.receivedAt, '--body', 'alice'])).stdout).toBe('333333\n');
  });

  test('prints the requested number of emails, newest first', async () => {
    const address = await newAddress();
    await send(address, 'One', 'Your code is 111111');
    const waiting = run(['wait', address, '--count', '2', '--otp', '--timeout', '20']);
    await send(address, 'Two', 'Your code is 222222');
    expect(await waiting).toEqual({ exitCode: 0, stdout: '222222\n111111\n', stderr: '' });
    const json = await run(['wait', address, '--count', '2', '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject([{ subject: 'Two' }, { subject: 'One' }]);
    expect((await run(['wait', address, '--count', '2'])).stdout).toMatch(
      /Subject: Two\n(?:.*\n)+\nFrom: .*\nSubject: One\n/,
    );
  });

  test('shows a progress line on a terminal, and erases it', needs('script'), async () => {
    const address = await newAddress();
    const command = `'${process.execPath}' '${CLIENT_MAYFLY}' wait ${address} --url ${mayfly.url} --otp --timeout 50`;
    const terminal = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], { stdio: 'pipe' });
    let shown = '';
    terminal.stdout.on('data', (chunk) => {
      shown += chunk;
    });
    await expect.poll(() => shown).toContain(`Waiting for an email to ${address}: `);
    await send(address, 'Welcome');
    await once(terminal, 'close');
    expect(shown.endsWith('\r\u001b[K482913\r\n')).toBe(true);
  });

  test('exits with 1 if --otp finds no code in time, and suggests --code for a code with letters', async () => {
    const address = await newAddress();
    await send(address, 'Welcome', 'Your code is A7K-2QX');
    expect(await run(['wait', address, '--otp', '--timeout', '10s'])).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: `mayfly: Waited 10 s for an email with a code. 1 email came to ${address}: 'Welcome' (no code: A7K-2QX has letters: use --code; its text begins "Your code is A7K-2QX").\n`,
    });
  });

  test('exits with 1 immediately if a workspace owns the inbox and its key is missing', async () => {
    const { exitCode, stderr } = await run(['wait', 'acme-demo']);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('answered 401');
    const environment = { MAYFLY_API_KEY: 'acme=s3cret-of-16-chars' };
    expect((await run(['wait', 'acme-demo', '--timeout', '10s'], environment)).stderr).toContain('No email came');
  });
});

describe('mayfly list', () => {
  test('prints one line per email, newest first, or JSON with --json, and nothing after mayfly clear', async () => {
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
    expect(await run(['clear', address])).toEqual({ exitCode: 0, stdout: '', stderr: '' });
    expect((await run(['list', address])).stdout).toBe('');
  });
});

describe('the service of a command', () => {
  test('is set by options, which take precedence over the environment', async () => {
    const given = ['--url', mayfly.url, '--domain', 'b.test', '--api-key', 'acme=s3cret-of-16-chars'];
    const environment = { MAYFLY_URL: 'http://127.0.0.1:9', MAYFLY_DOMAIN: 'a.test' };
    const { stdout } = await run(['new', ...given], environment);
    expect(stdout).toMatch(/^acme-.*@b\.test\n$/);
    expect(await run(['list', 'acme-demo', ...given], environment)).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: '',
    });
    expect((await run(['url', 'acme-demo', ...given], environment)).stdout).toBe(
      `${mayfly.url}/inbox/acme-demo@b.test\n`,
    );
  });
});

describe('mayfly url', () => {
  test("prints the URL of the inbox's page", async () => {
    expect((await run(['url', 'Demo@inbox.example.com'])).stdout).toBe(`${mayfly.url}/inbox/demo@inbox.example.com\n`);
    expect((await run(['url', 'demo'])).stdout).toBe(`${mayfly.url}/inbox/demo\n`);
  });
});

test.each([
  [['list', 'p-abcdefghijklmnopqrstuvwxyz'], 'This inbox is private. Give its secret with --secret or MAYFLY_SECRET.'],
  [['list', 'demo', '--credentials', 'run-1:secret'], 'Check --credentials and MAYFLY_CREDENTIALS.'],
  [['wait', 'jane', '--timeout', '10s'], 'which is another inbox: use jane@example.com.'],
])('the error of %j names options of the command, not of the library', async (args, sentence) => {
  if (args[0] === 'wait') await send('jane@example.com', 'Elsewhere');
  const { exitCode, stdout, stderr } = await run(args);
  expect(stderr).toContain(sentence);
  expect(stderr).not.toMatch(/mayfly\.inbox|createInbox/);
  expect([exitCode, stdout]).toEqual([1, '']);
});

describe.concurrent('deprecated option names', () => {
  test.each([
    [['new', '--rehearse', '451x2'], /--451x2@inbox\.example\.com\n$/],
    [['open', 'demo', '--space', 'run-1:secret'], /\/inbox\/demo\n$/],
    [['help', 'open'], /^Usage: mayfly url (?!.*(?:--space|mayfly open))/s],
  ])('still work: %j', async (args, output) => {
    expect(await run(args)).toEqual({ exitCode: 0, stdout: expect.stringMatching(output), stderr: '' });
  });
});

describe.concurrent('an invalid command line', () => {
  test.each([
    [['new', '--space', 'a:b', '--credentials', 'a:b'], {}, '--credentials (formerly --space) is given twice but'],
    [['wait'], {}, 'Specify an inbox by its address or name.'],
    [['wait', 'a b'], {}, '"a b" is not an inbox name'],
    [['wait', 'demo', '--otp', '--json'], {}, 'Use only one of --otp'],
    [['wait', 'demo', '--after', 'yesterday'], {}, '--after: "yesterday" is not valid'],
    [['wait', 'demo', '--count', '2', '--link'], {}, '--count does not work with --link'],
    [['list', 'demo', '--url', 'nowhere'], {}, 'Set --url or MAYFLY_URL to'],
    [['list', 'demo', '--domain', 'a..b'], {}, '"a..b" is not a domain. Set --domain or MAYFLY_DOMAIN to'],
    [['clear', 'a@@b'], {}, '"a@@b" is not an address: "@b" is not a domain. Use one such as inbox.example.com.'],
    [['list', 'demo', '--api-key', 'x'], {}, '--api-key or MAYFLY_API_KEY is not valid'],
    [['list', 'demo', '--credentials', 'x'], {}, 'mayfly: --credentials or MAYFLY_CREDENTIALS is not valid'],
    [['list', 'demo'], { MAYFLY_SECRET: 'x' }, 'mayfly: --secret or MAYFLY_SECRET must be 16 to 512 letters'],
    [['new', '--private', '--prefix', 'x'], {}, 'mayfly: --prefix must be left out with --private.'],
    [['help', 'demo'], {}, '"demo" is neither a command nor a topic of Mayfly. Try "mayfly help".'],
    [['help', 'inboxs'], {}, 'Did you mean "mayfly help inboxes"?'],
    [['help', 'lsit'], {}, 'Did you mean "mayfly help list"?'],
    [['help', 'docs/nowhere.md'], {}, '"docs/nowhere.md" is neither a command nor a topic of Mayfly.'],
    [['help', 'x'.repeat(5_000)], {}, `"${'x'.repeat(80)}…" is neither a command nor a topic of Mayfly.`],
    [['x'.repeat(5_000)], {}, `"${'x'.repeat(80)}…" is not a command of Mayfly.`],
    [['new', 'x'.repeat(5_000)], {}, `does not take "${'x'.repeat(80)}…"`],
    [['help', 'wait', 'inboxes'], {}, '"mayfly help" takes one command or topic.'],
    [['wait', 'demo', '--timeout', '25h'], {}, 'at most 24h'],
    [['wait', 'demo', '--count', '1001'], {}, 'from 1 to 1000'],
    [['wait', 'demo', '--timeout'], {}, '--timeout needs a value'],
    [['wait', 'demo', '--subject', 'a', '--subject', 'b'], {}, '--subject is given twice'],
    [['wait', 'demo', '--store', 'memory:'], {}, '--store is not an option of "mayfly wait".'],
    [['new', 'demo'], {}, 'does not take "demo"'],
    [['url', 'demo'], { MAYFLY_API_KEY: 's3cret' }, 'Write it as NAME=KEY'],
  ])('%j (variables %j) prints one line on stderr and exits with 2', async (args, environment, sentence) => {
    const { exitCode, stdout, stderr } = await run(args, environment);
    expect(stderr).toMatch(/^mayfly: [^\n]*\n$/);
    expect(stderr).toContain(sentence);
    expect(stdout).toBe('');
    expect(exitCode).toBe(2);
  });

  test.each(['new', 'wait', 'list', 'url', 'clear'])('mayfly %s --help explains the command', async (command) => {
    const { exitCode, stdout } = await run([command, '--help']);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(new RegExp(`^Usage: mayfly ${command}`));
    expect(stdout).toContain('MAYFLY_URL');
    expect((await run(['help', command])).stdout).toBe(stdout);
  });
});

describe.concurrent('mayfly help', () => {
  test('lists every page of the documentation for users as a topic', async () => {
    const names = (await readdir('docs')).filter((name) => name.endsWith('.md')).map((name) => name.slice(0, -3));
    const { stdout } = await run(['help']);
    const listed = /^Topics, .*:\n(?<topics>(?: {2}.*\n)+)/m.exec(stdout)?.groups?.topics?.trim().split(/\s+/);
    expect(listed).toEqual(names.sort());
  });

  test.each(['vitest.md', 'docs/vitest', './docs/vitest.md'])(
    'prints the page of a topic given as the path %s',
    async (topic) => {
      expect(await run(['help', topic])).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^# Vitest\n/) });
    },
  );

  test('prints the page of a topic with links to the site in MAYFLY_DOCS_URL', async () => {
    const page = await run(['help', 'command-line']);
    expect(page).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^# Command line\n/) });
    expect(page.stdout).toContain('](https://OWNER.github.io/mayfly/failure-simulation)');
    const base = "http://docs.test/mayfly$&$'";
    const { stdout } = await run(['help', 'command-line'], { MAYFLY_DOCS_URL: base });
    expect(stdout).toBe(page.stdout.split('https://OWNER.github.io/mayfly/').join(`${base}/`));
  });
});
