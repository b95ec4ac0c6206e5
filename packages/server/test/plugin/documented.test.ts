import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { installPacked, ROOT } from '../../../client/test/packed.js';
import { endAll, type Finished, runMayfly, serve, temporaryFolder, transportTo } from '../service/process.js';

const run = promisify(execFile);
const PACKAGE = fileURLToPath(new URL('../..', import.meta.url));
const document = await readFile(path.join(ROOT, 'docs/plugins.md'), 'utf8');
const [, example = ''] = /```js\n(import \{ definePlugin[\s\S]*?)```/.exec(document) ?? [];

let project: Awaited<ReturnType<typeof temporaryFolder>>;
let as: { readonly command: string; readonly cwd: string };

/** Installs the packed service in a folder that otherwise contains only the example. */
beforeAll(async () => {
  project = await temporaryFolder();
  await installPacked(project.path, PACKAGE);
  const modules = path.join(project.path, 'node_modules');
  await mkdir(path.join(modules, '@types'), { recursive: true });
  await symlink(path.join(ROOT, 'node_modules/@types/node'), path.join(modules, '@types/node'));
  await writeFile(path.join(project.path, 'package.json'), '{ "type": "module" }');
  await writeFile(path.join(project.path, 'webhook.js'), example);
  as = { command: path.join(modules, 'mayfly-inbox/bin/mayfly.js'), cwd: project.path };
});

afterAll(async () => {
  endAll();
  await project.remove();
});

test('the plugin example of the documentation has fewer than 60 lines', () => {
  expect(example.split('\n').length).toBeGreaterThan(30);
  expect(example.split('\n').length).toBeLessThan(60);
});

test('the packed service posts each new email to the webhook of the example', async () => {
  const posts: unknown[] = [];
  const receiver = createServer(async (request, response) => {
    posts.push(JSON.parse((await request.toArray()).join('')));
    response.end();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/mail`;
  const mayfly = await serve(['--store', 'memory:', '--plugin', './webhook.js'], { MAYFLY_WEBHOOK_URL: url }, as);
  await transportTo(mayfly).sendMail({
    from: 'a@app.example',
    to: 'demo@inbox.example.com',
    text: 'Your code is 482913',
  });
  const email = expect.objectContaining({ to: 'demo@inbox.example.com', otp: '482913', body: 'Your code is 482913' });
  await expect.poll(() => posts).toEqual([{ inbox: 'demo', email }]);
  await expect.poll(async () => (await fetch(`${mayfly.url}/webhook`)).json()).toEqual({ url, posted: 1 });
  expect(await mayfly.end('SIGTERM')).toBe(0);
  receiver.close();
});

test('the plugin example of the documentation responds with an HTTP error while no webhook URL is set', async () => {
  const mayfly = await serve(['--store', 'memory:', '--plugin', './webhook.js'], {}, as);
  const answer = await fetch(`${mayfly.url}/webhook`);
  expect([answer.status, answer.headers.get('mayfly-error')]).toEqual([409, 'no-webhook']);
  expect(await answer.json()).toEqual({ error: 'There is no webhook. Start the service with --webhook-url URL.' });
  expect(await mayfly.end('SIGTERM')).toBe(0);
});

test('--help lists the settings of the example, and an invalid value stops the start', async () => {
  const { stdout } = await runMayfly(['serve', '--plugin', './webhook.js', '--help'], {}, as);
  expect(stdout).toContain('Plugin webhook:\n  --webhook-url URL\n');
  const { exitCode, stderr } = await runMayfly(['serve', '--plugin', './webhook.js', '--webhook-url', 'ftp:x'], {}, as);
  expect(stderr).toBe('mayfly: --webhook-url: "ftp:x" is not valid: use a URL that begins with http:// or https://.\n');
  expect(exitCode).toBe(2);
});

test('the example type-checks against the packed types', async () => {
  const tsc = path.join(ROOT, 'node_modules/.bin/tsc');
  const flags = ['--noEmit', '--strict', '--allowJs', '--checkJs', '--module', 'node20', '--types', 'node'];
  const check = async (name: string) => {
    const { stdout } = await run(tsc, [...flags, name], { cwd: project.path }).catch((error: Finished) => error);
    return stdout;
  };
  // Parameters in JavaScript need types in a comment.
  await writeFile(path.join(project.path, 'typed.js'), example.replace('(text) =>', '(/** @type {string} */ text) =>'));
  expect(await check('typed.js')).toBe('');
  await writeFile(path.join(project.path, 'wrong.js'), example.replace('host.onEmail', 'host.onMail'));
  expect(await check('wrong.js')).toContain("'onMail'");
});
