import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Mayfly } from 'mayfly-client';
import { afterEach, describe, expect, test } from 'vitest';
import { openStore } from '../../src/store/open-store.js';
import { delivery, ROOMY } from '../store/mail.js';
import { endAll, fetchInbox, folderOfFile, type RunningMayfly, runMayfly, serve, transportTo } from './process.js';
import { authOf, ONE, TWO } from './two-workspaces.js';

const folder = await folderOfFile();

afterEach(endAll);

const storeOf = (name: string) => ['--store', `lmdb:${folder.path}/${name}`];

function send(mayfly: RunningMayfly, to: string, text: string | Buffer): Promise<unknown> {
  return transportTo(mayfly).sendMail({ envelope: { from: 'a@app.test', to }, raw: text });
}

/** Reads the files of an export. Returns their contents by file name, without the time at its start. */
async function exportedIn(into: string): Promise<Record<string, string>> {
  const files = await readdir(into);
  const held = files.map(
    async (file) => [file.split('_')[1], await readFile(path.join(into, file), 'latin1')] as const,
  );
  return Object.fromEntries(await Promise.all(held));
}

test('export writes every email to a file byte for byte, while the service runs and after it has ended', async () => {
  const mayfly = await serve([...storeOf('all'), '--domain', '*']);
  const large = Buffer.concat([Buffer.from('Subject: Large\r\n\r\n'), Buffer.alloc(700_000, 'line of text\r\n')]);
  await send(mayfly, 'demo@inbox.example.com', 'Subject: One\r\n\r\n.caf\xe9 482913\r\n');
  await send(mayfly, 'a.b+c@other.test', large);
  const { emails } = await fetchInbox(mayfly, 'demo');
  const [raw] = await Promise.all(
    emails.map(({ receivedAt }) =>
      fetch(`${mayfly.url}/api/inbox/demo/${receivedAt}/raw`).then((it) => it.arrayBuffer()),
    ),
  );

  const running = `${folder.path}/running`;
  const exported = await runMayfly(['export', running, ...storeOf('all')]);
  expect(exported).toMatchObject({ exitCode: 0, stderr: '' });
  expect(exported.stdout).toMatch(/^2 emails \(\d+ bytes\) written to .*running\.\n$/);
  expect(await exportedIn(running)).toEqual({
    'demo.eml': Buffer.from(raw as ArrayBuffer).toString('latin1'),
    'a.b+c@other.test.eml': large.toString('latin1'),
  });
  const [first] = (await readdir(running)).filter((file) => file.endsWith('_demo.eml'));
  expect(first).toBe(`${emails[0]?.receivedAt.replaceAll(':', '-')}_demo.eml`);
  expect((await stat(running)).mode & 0o777).toBe(0o700);
  expect((await stat(path.join(running, String(first)))).mode & 0o777).toBe(0o600);

  await mayfly.end('SIGTERM');
  const ended = `${folder.path}/ended`;
  await mkdir(ended);
  expect(await runMayfly(['export', ended], { MAYFLY_STORE: `lmdb:${folder.path}/all` })).toMatchObject({
    exitCode: 0,
  });
  expect(await exportedIn(ended)).toEqual(await exportedIn(running));
});

test('export writes the emails of an inbox with several pages, but no cleared or expired email', async () => {
  const { store } = await openStore(`lmdb:${folder.path}/many`, { ...ROOMY, retentionMs: 3_600_000 });
  const now = Date.now();
  const old = now - 4_000_000;
  await store.append(delivery('expired', old, { content: [Buffer.from('x')] }), old);
  await store.close();
  const mayfly = await serve([...storeOf('many'), '--smtp-limit', 'off']);
  const mails = Array.from({ length: 300 }, (_, i) => `Subject: ${i}\r\n\r\nText ${i}\r\n`);
  const transport = transportTo(mayfly, { pool: true, maxMessages: 1_000 });
  const sent = mails.map((raw) => transport.sendMail({ envelope: { from: '', to: 'many@inbox.example.com' }, raw }));
  await Promise.all([...sent, send(mayfly, 'cleared@inbox.example.com', 'Subject: Cleared\r\n\r\n')]);
  transport.close();
  await fetch(`${mayfly.url}/api/inbox/cleared`, { method: 'DELETE' });
  const into = `${folder.path}/many-exported`;
  expect((await runMayfly(['export', into, ...storeOf('many')])).stdout).toMatch(/^300 emails /);
  const files = await readdir(into);
  const texts = await Promise.all(files.map((file) => readFile(path.join(into, file), 'utf8')));
  expect(texts.sort()).toEqual(mails.sort());
});

test('export --max-size omits emails beyond the size, and leaves no partial file', async () => {
  const mayfly = await serve(storeOf('bounded'));
  const mail = (length: number) => `Subject: x\r\n\r\n${'x'.repeat(length - 16)}\r\n`;
  for (const length of [100, 900, 700_000]) await send(mayfly, `of-${length}@inbox.example.com`, mail(length));
  const into = `${folder.path}/bounded-exported`;
  const { exitCode, stdout } = await runMayfly(['export', into, '--max-size', '1000B', ...storeOf('bounded')]);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^2 emails \(1000 bytes\) written to .*; 1 email left out because of --max-size\.\n$/);
  expect(await exportedIn(into)).toEqual({ 'of-100.eml': mail(100), 'of-900.eml': mail(900) });
});

test('an export writes only within its folder, whatever the inbox names in the store', async () => {
  const { store } = await openStore(`lmdb:${folder.path}/foreign`, ROOMY);
  const record = Buffer.from('010000000000', 'hex');
  await store.append(delivery('../out', Date.now(), { content: [record, Buffer.from('x')] }), Date.now());
  await store.close();
  const into = `${folder.path}/foreign-exported`;
  const { exitCode, stderr } = await runMayfly(['export', into, ...storeOf('foreign')]);
  expect(stderr).toBe('mayfly: The store has an inbox whose name cannot be a file name: ../out\n');
  expect(exitCode).toBe(1);
  expect(await readdir(into)).toEqual([]);
});

test.each<[string, (base: string) => Promise<string[]>, RegExp]>([
  ['no folder', async () => storeOf('all'), /^mayfly: Specify a folder, new or empty\. /],
  ['memory', async (base) => [`${base}/new`, '--store', 'memory:'], /memory: store .* nothing to export/],
  ['no store', async (base) => [`${base}/new`, '--store', `lmdb:${base}/none`], /there is no store in /],
  [
    'a folder in use',
    async (base) => {
      await writeFile(`${base}/file`, '');
      return [base, ...storeOf('all')];
    },
    /is not empty\. Use a new or an empty folder/,
  ],
  [
    'a file',
    async (base) => {
      await writeFile(`${base}/file`, '');
      return [`${base}/file`, ...storeOf('all')];
    },
    /cannot be used: it is a file\./,
  ],
  [
    'a bad size',
    async (base) => [`${base}/new`, '--max-size', 'much', ...storeOf('all')],
    /--max-size: "much" is not valid/,
  ],
])('mayfly export with %s prints an error and exits with 2', async (what, argumentsIn, sentence) => {
  const base = path.join(folder.path, what.replaceAll(' ', '-'));
  await mkdir(base);
  const { exitCode, stderr, stdout } = await runMayfly(['export', ...(await argumentsIn(base))]);
  expect(stderr).toMatch(sentence);
  expect(stderr).toMatch(/^mayfly: .*\n$/);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
});

describe('the export of an ad-hoc workspace', () => {
  const sendIn = async (mayfly: RunningMayfly, pair: string, to: string, raw: string) => {
    const smtp = transportTo(mayfly, { auth: authOf(pair) });
    await smtp.sendMail({ envelope: { from: 'a@app.test', to }, raw }).finally(() => smtp.close());
  };

  test('contains all emails of this workspace and no others, also of private inboxes, but no held email', async () => {
    const mayfly = await serve([...storeOf('spaces'), '--ad-hoc-workspaces', '--domain', '*']);
    const hidden = new Mayfly({ baseUrl: mayfly.url, credentials: ONE }).createInbox({ private: true });
    await send(mayfly, 'alice@app.example', 'Subject: Outside\r\n\r\n');
    await sendIn(mayfly, ONE, 'alice@app.example', 'Subject: One\r\n\r\n');
    await sendIn(mayfly, ONE, 'bob@two.example', 'Subject: Bob\r\n\r\n');
    await sendIn(mayfly, ONE, hidden.address, 'Subject: Private\r\n\r\n');
    await sendIn(mayfly, ONE, 'carol--hold@app.example', 'Subject: Held\r\n\r\n');
    await sendIn(mayfly, TWO, 'alice@app.example', 'Subject: Two\r\n\r\n');
    const ofOne = {
      'alice@app.example.eml': 'Subject: One\r\n\r\n',
      'bob@two.example.eml': 'Subject: Bob\r\n\r\n',
      [`${hidden.name}@inbox.example.com.eml`]: 'Subject: Private\r\n\r\n',
    };
    const cases: [string, string[], Record<string, string>, Record<string, string>][] = [
      ['flag', ['--credentials', ONE], {}, ofOne],
      ['variable', [], { MAYFLY_CREDENTIALS: ONE }, ofOne],
      ['other', ['--space', TWO], { MAYFLY_SPACE: ONE }, { 'alice@app.example.eml': 'Subject: Two\r\n\r\n' }],
      ['new', ['--credentials', 'run-1:secret-of-onx'], {}, {}],
      ['none', [], {}, { 'alice@app.example.eml': 'Subject: Outside\r\n\r\n' }],
    ];
    for (const [name, flags, environment, files] of cases) {
      const into = `${folder.path}/space-${name}`;
      const { exitCode, stdout } = await runMayfly(['export', into, ...storeOf('spaces'), ...flags], environment);
      expect([name, exitCode, await exportedIn(into)]).toEqual([name, 0, files]);
      expect(stdout.includes('of the ad-hoc workspace')).toBe(name !== 'none');
    }
  });

  test.each(['run-1', 'run 1:secret-of-one', 'run-1:short'])(
    'rejects the credentials %j without repeating them',
    async (pair) => {
      const { exitCode, stderr } = await runMayfly([
        'export',
        `${folder.path}/bad`,
        ...storeOf('none'),
        '--space',
        pair,
      ]);
      expect(exitCode).toBe(2);
      expect(stderr).toMatch(/^mayfly: --credentials or MAYFLY_CREDENTIALS is not valid\. .*USER:PASSWORD/);
      expect(stderr).not.toContain(pair);
    },
  );
});
