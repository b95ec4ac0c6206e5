import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createTransport } from 'nodemailer';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { Job } from './runner.js';

const run = promisify(execFile);
const SERVER = fileURLToPath(new URL('../../packages/server', import.meta.url));

let packages;
let folder;
let job;

beforeAll(async () => {
  packages = mkdtempSync(path.join(tmpdir(), 'mayfly-action-packages-'));
  await run('npm', ['pack', '--pack-destination', packages], { cwd: SERVER });
  renameSync(path.join(packages, readdirSync(packages)[0]), path.join(packages, 'real.tgz'));
});

afterAll(() => rmSync(packages, { recursive: true }));

beforeEach(() => {
  // The folder's name has spaces, as on Windows.
  folder = mkdtempSync(path.join(tmpdir(), "mayfly action's "));
  job = new Job(folder);
});

afterEach(() => {
  job.end();
  rmSync(folder, { recursive: true, force: true });
});

async function put(name, source = path.join(packages, 'real.tgz')) {
  mkdirSync(path.dirname(path.join(job.workspace, name)), { recursive: true });
  writeFileSync(path.join(job.workspace, name), readFileSync(source));
  return name;
}

/** Resolves to the path of a package named like the service, whose command runs `script`. */
async function packageThat(script) {
  const into = mkdtempSync(path.join(packages, 'other-'));
  mkdirSync(path.join(into, 'package/bin'), { recursive: true });
  writeFileSync(path.join(into, 'package/package.json'), '{ "name": "mayfly-inbox", "version": "0.0.1" }');
  writeFileSync(path.join(into, 'package/bin/mayfly.js'), script);
  await run('npm', ['pack', '--pack-destination', into], { cwd: path.join(into, 'package') });
  return put('other.tgz', path.join(into, 'mayfly-inbox-0.0.1.tgz'));
}

function send({ SMTP_HOST, SMTP_PORT }, to) {
  const transport = createTransport({ host: SMTP_HOST, port: Number(SMTP_PORT) });
  return transport.sendMail({ from: 'app@example.test', to, subject: 'Welcome', text: 'Your code is 482913' });
}

async function otpOf({ MAYFLY_URL }, name) {
  const answer = await fetch(`${MAYFLY_URL}/api/inbox/${name}`);
  return (await answer.json()).emails[0]?.otp;
}

async function reportRun({ MAYFLY_URL, MAYFLY_RUN }, inbox) {
  const test = { id: 'one', title: 'signs up', outcome: 'failed', inboxes: [inbox], error: 'Why', waits: [] };
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ tests: [test] });
  const { ok } = await fetch(`${MAYFLY_URL}/api/run/${MAYFLY_RUN}`, { method: 'POST', headers, body });
  expect(ok).toBe(true);
}

/** Resolves to the retention of the started service, in milliseconds. */
async function retentionOf({ outputs }) {
  const answer = await fetch(`${outputs.url}/api/settings`);
  return (await answer.json()).retentionMs;
}

const filesIn = (base) =>
  readdirSync(base, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(base, path.join(entry.parentPath, entry.name)));

test('the action starts Mayfly for later steps, and collect saves its emails for the artifact', async () => {
  const tarball = await put('made #1, 100% new/x?y/mayfly inbox.tgz');
  const { code, printed, outputs } = await job.use('.', { package: tarball, domain: 'shop.test' });
  expect(printed).toMatch(/^Mayfly is ready: SMTP at 127\.0\.0\.1:\d+, inboxes at http:\/\/127\.0\.0\.1:\d+\n$/);
  expect(code).toBe(0);
  expect(job.env).toEqual({
    MAYFLY_URL: outputs.url,
    MAYFLY_DOMAIN: 'shop.test',
    SMTP_HOST: '127.0.0.1',
    SMTP_PORT: outputs['smtp-port'],
    MAYFLY_RUN: expect.stringMatching(/^[a-z2-7]{26}$/),
  });
  expect(outputs).toMatchObject({ domain: 'shop.test', 'smtp-host': '127.0.0.1' });
  await send(job.env, 'ada@shop.test');
  expect(await otpOf(job.env, 'ada')).toBe('482913');
  await reportRun(job.env, 'ada');
  expect(await retentionOf({ outputs })).toBe(6 * 3_600_000);

  const collected = await job.use('collect');
  expect(collected.code).toBe(0);
  expect(collected.printed).toMatch(/\n1 email \(\d+ bytes\) written to /);
  expect(collected.used).toEqual([
    {
      uses: expect.stringMatching(/^actions\/upload-artifact@[0-9a-f]{40}$/),
      with: { name: expect.stringMatching(/^mayfly-end_to_end-\w+$/), path: collected.outputs.folder },
    },
  ]);
  const files = filesIn(collected.outputs.folder);
  expect(files).toEqual([
    expect.stringMatching(/^service-\w+\/mayfly\.log$/),
    expect.stringMatching(/^service-\w+\/run\.html$/),
    expect.stringMatching(/^service-\w+\/emails\/[\w.-]+Z_ada\.eml$/),
  ]);
  expect(readFileSync(path.join(collected.outputs.folder, files[2]), 'utf8')).toContain('Your code is 482913');
  expect(readFileSync(path.join(collected.outputs.folder, files[1]), 'utf8')).toMatch(/signs up.*code 482913/);
  expect(readFileSync(path.join(collected.outputs.folder, files[0]), 'utf8')).toMatch(/^ready smtp=/m);
});

test('two services of a job use separate ports, and collect saves the mail of both, even after one exits', async () => {
  const tarball = await put('mayfly.tgz');
  const settings = { MAYFLY_HOST: '0.0.0.0', MAYFLY_RETENTION: '5m', MAYFLY_METRICS: '0' };
  job = new Job(folder, { MAYFLY_DOMAIN: 'first.test,also.test', ...settings });
  const first = await job.use('.', { package: tarball });
  expect(first.outputs).toMatchObject({ domain: 'first.test', 'smtp-host': '127.0.0.1' });
  expect(await retentionOf(first)).toBe(300_000);
  await send(job.env, 'ada@also.test');
  for (const pid of job.processes()) process.kill(pid, 'SIGTERM');
  await vi.waitUntil(() => job.processes().length === 0, { timeout: 120_000 });
  const second = await job.use('.', { package: tarball, domain: '*' });
  expect(second.outputs.url).not.toBe(first.outputs.url);
  expect(second.outputs.domain).toBe('inbox.example.com');
  await send(job.env, 'bob@any.test');
  const none = await job.use('collect', { 'max-size': '9B' });
  expect(none.printed.match(/^0 emails .*1 email left out/gm)).toHaveLength(2);
  const { outputs, used } = await job.use('collect', { name: 'mine', 'max-size': '1MiB' });
  expect(used[0].with.name).toBe('mine');
  const mails = filesIn(outputs.folder).filter((file) => file.endsWith('.eml'));
  expect(mails.map((file) => file.split('_').at(-1)).sort()).toEqual(['ada@also.test.eml', 'bob@any.test.eml']);
});

describe('a failing step shows an error on the job, sets no variables, and', () => {
  async function failing(inputs) {
    const { code, printed } = await job.use('.', inputs);
    expect(code).toBe(1);
    expect(job.env).toEqual({});
    await vi.waitUntil(() => job.processes().length === 0, { timeout: 120_000 });
    return { printed, error: /^::error title=Mayfly::(.*)$/m.exec(printed)?.[1] };
  }

  test('shows the log of a service that exits at its start', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address();
    const { printed, error } = await failing({ package: await put('mayfly.tgz'), 'smtp-port': `${port}` });
    taken.close();
    expect(error).toMatch(
      /^Mayfly did not start\. It exited with code 1\. Its last line: mayfly: .*is in use by another program/,
    );
    expect(printed).toMatch(
      /::group::Mayfly's log\n::stop-commands::(\S+)\n[\s\S]*is in use by another program[\s\S]*\n::\1::\n::endgroup::/,
    );
    // Only the log can be collected.
    const { outputs } = await job.use('collect');
    expect(filesIn(outputs.folder)).toEqual([expect.stringMatching(/mayfly\.log$/)]);
  });

  test('ends a service that is never ready', async () => {
    const silent = await packageThat(`setInterval(() => {}, 1000);`);
    const { error } = await failing({ package: silent, timeout: '1' });
    expect(error).toMatch(/^Mayfly did not start\. It was not ready within 1 s\. Its last line: /);
  });

  test('prints the log so that GitHub executes no workflow commands in it', async () => {
    const rude = await packageThat(`console.log('::set-output name=x::y\\n::error::not of ours'); process.exit(1);`);
    const { printed } = await failing({ package: rude });
    const [, end] = /::stop-commands::(\S+)\n::set-output name=x::y\n::error::not of ours\n/.exec(printed) ?? [];
    expect(printed).toContain(`\n::${end}::\n`);
    expect(end).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('shows only the end of a long log', async () => {
    const chatty = await packageThat(
      `process.stdout.write('first\\n' + 'x'.repeat(200_000) + '\\nlast', () => process.exit(1));`,
    );
    const { printed, error } = await failing({ package: chatty });
    expect(error).toBe('Mayfly did not start. It exited with code 1. Its last line: last');
    expect(printed).toMatch(/\n…x{59995}\nlast\n/);
  });

  test.each([
    [
      'the version of the action, by default',
      {},
      JSON.parse(readFileSync(path.join(SERVER, 'package.json'), 'utf8')).version,
    ],
    ['the version that the input names', { version: '7.8.9' }, '7.8.9'],
  ])('reports a version that npm does not provide: %s', async (_, inputs, version) => {
    // No process listens on this port.
    const registry = { npm_config_registry: 'http://127.0.0.1:9', npm_config_fetch_retries: '0' };
    job = new Job(folder, {}, { ...registry, npm_config_cache: path.join(folder, 'cache') });
    const { printed, error } = await failing(inputs);
    expect(error).toContain(`Cannot install mayfly-inbox (${version}).`);
    expect(printed).toMatch(/::group::Output of npm\n[\s\S]*npm error/);
  });

  test.each([
    [{ version: '1.0.0; rm -rf /' }, /^The input version is "1\.0\.0; rm -rf \/", which is not valid: write a version/],
    [{ version: '0.1.0', package: 'a.tgz' }, /^The inputs version and package exclude each other/],
    [{ package: 'folder' }, /^The input package is "folder", which is not valid: write the path of a tarball/],
    [{ package: 'none.tgz' }, /^The file of the input package does not exist: .*none\.tgz\.$/],
    [{ 'http-port': '80a' }, /^The input http-port is "80a", which is not valid: write a port/],
    [{ timeout: '0' }, /^The input timeout is "0", which is not valid: write a number of seconds/],
    [{ domain: 'a.test\nMAYFLY_X=y' }, /^The input domain is "a\.test\\nMAYFLY_X=y", which is not valid/],
  ])('rejects the inputs %j', async (inputs, sentence) => {
    expect((await failing(inputs)).error).toMatch(sentence);
  });
});

describe('the action collect', () => {
  test('does nothing if no service was started', async () => {
    expect(await job.use('collect')).toEqual({
      code: 0,
      printed: 'This job started no Mayfly with the action, so there is nothing to collect.\n',
      outputs: { folder: '' },
      used: [],
    });
  });

  test('rejects an invalid size', async () => {
    const { code, printed } = await job.use('collect', { 'max-size': 'all' });
    expect(code).toBe(1);
    expect(printed).toMatch(
      /^::error title=Mayfly::The input max-size is "all", which is not valid: write a size such as 100MiB\.\n$/,
    );
  });

  test('collects only the log if the emails cannot be exported', async () => {
    const other = await packageThat(`
      if (process.argv[2] === 'export') { console.error('mayfly: no way'); process.exit(1); }
      require('node:fs').mkdirSync('store');
      console.log('ready smtp=127.0.0.1:1 http=http://127.0.0.1:2');
      setInterval(() => {}, 1000);`);
    await job.use('.', { package: other });
    const { code, printed, outputs } = await job.use('collect');
    expect(code).toBe(0);
    expect(printed).toContain('::warning title=Mayfly::Could not collect the emails: mayfly: no way');
    expect(filesIn(outputs.folder)).toEqual([expect.stringMatching(/mayfly\.log$/)]);
  });
});
