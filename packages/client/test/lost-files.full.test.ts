import { execFile } from 'node:child_process';
import { cp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../server/test/service/process.js';
import { installPacked } from './packed.js';

const run = promisify(execFile);

/**
 * Asks services that answer every request with one status, and one whose inbox has one email, after `lose` has taken
 * away what the client has not loaded yet. Prints which class each error is of, and what it says.
 */
const BODY = `
async function main(lose) {
  const { createServer } = await import('node:http');
  const email = { receivedAt: '2026-01-31T09:30:00.000Z', subject: 'Hello', from: '', body: '', rawBody: '', otp: null, magicLink: null, size: 5, cut: [] };
  const server = createServer(({ url }, response) => {
    const [, status, ...operation] = url.split('/');
    const head = { 'content-type': 'application/json', ...(status === '410' && { 'mayfly-error': 'no-such-email' }) };
    if (status !== '200') return response.writeHead(status === '410' ? 404 : Number(status), head).end('{"error":"No."}');
    if (url.includes('/stream')) return response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': connected\\n\\n');
    if (url.includes('subject=none')) return response.writeHead(200, head).end('{"emails":[],"count":0}');
    response.writeHead(200, head).end(JSON.stringify(url.includes('/summary') ? { emails: [email], count: 1 } : email));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = 'http://127.0.0.1:' + server.address().port;
  const inboxAt = (status) => new client.Mayfly({ baseUrl: url + '/' + status, timeout: 2_000, connectTimeout: 60_000 }).createInbox();
  const statuses = [401, 403, 404, 410, 429];
  const inboxes = [...statuses, 200].map(inboxAt);
  await lose();
  const names = Object.keys(client).filter((name) => /^Mayfly.*Error$/.test(name));
  const classOf = (error) => names.find((name) => error instanceof client[name] && error.name === name) ?? 'another ' + error.name;
  const told = async (asked) => {
    const error = await asked.catch((reason) => reason);
    return [classOf(error), error.message.replaceAll(url, 'URL'), ...(error.cause ? [error.cause.message] : [])];
  };
  const [full] = inboxes.splice(-1);
  const waits = { vain: full.waitForEmail({ subject: 'none', timeout: 2_000 }), surplus: full.expectNoEmail({ within: 0 }) };
  const entries = [...inboxes.map((inbox, n) => [statuses[n], inbox.emails()]), ...Object.entries(waits)];
  console.log(JSON.stringify(Object.fromEntries(await Promise.all(entries.map(async ([key, asked]) => [key, await told(asked)])))));
  server.close().closeAllConnections();
}
`;

const LOSE_FILES = `async () => (await import('node:fs')).rmSync('node_modules/mayfly-client/dist', { recursive: true })`;

/** What Jest does between tests with \`resetModules\`: what loads later finds none of the modules that are in use. */
const FORGET = `async () => { for (const name of Object.keys(require.cache)) delete require.cache[name]; }`;

let project: Awaited<ReturnType<typeof temporaryFolder>>;

beforeAll(async () => {
  project = await temporaryFolder();
  await installPacked(project.path);
});

afterAll(() => project.remove());

/** Runs the script in a copy of the project. */
async function errorsIn(copy: string, file: string, head: string, lose: string): Promise<Record<string, string[]>> {
  const folder = path.join(project.path, copy);
  const client = path.join(folder, 'node_modules/mayfly-client');
  await cp(path.join(project.path, 'node_modules/mayfly-client'), client, { recursive: true });
  await writeFile(path.join(folder, file), `${head}\n${BODY}\nmain(${lose});`);
  const args = ['--unhandled-rejections=strict', file];
  const { stdout, stderr } = await run(process.execPath, args, { cwd: folder });
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

describe('errors that the client meets first', () => {
  test.each([
    ['imported', 'main.mjs', `import * as client from 'mayfly-client';`],
    ['required', 'main.cjs', `const client = require('mayfly-client');`],
  ])('after its files were replaced tell the status, and what does not load (%s)', async (copy, file, head) => {
    const told = (path: string, status: number) => [
      'MayflyResponseError',
      `Mayfly at URL/${path} answered ${status}.`,
      expect.stringMatching(/^Cannot find module /),
    ];
    const lost = ['MayflyError', expect.stringMatching(/^The explanation did not load: Error.*: Cannot find module /s)];
    expect(await errorsIn(copy, file, head, LOSE_FILES)).toEqual({
      ...{ 401: told('401', 401), 403: told('403', 403), 404: told('404', 404), 410: told('410', 404) },
      ...{ 429: told('429', 429), vain: lost, surplus: lost },
    });
  });

  test('are those of the client, where its runner has forgotten its modules', async () => {
    const errors = await errorsIn('forgotten', 'main.cjs', `const client = require('mayfly-client');`, FORGET);
    expect(errors).toEqual({
      401: ['MayflyAuthError', 'Mayfly at URL/401 answered 401: No. See apiKey and MAYFLY_API_KEY.'],
      403: ['MayflyResponseError', 'Mayfly at URL/403 answered 403: No.'],
      404: ['MayflyResponseError', 'URL/404 answered 404: No. Is this Mayfly? See baseUrl and MAYFLY_URL.'],
      410: ['MayflyGoneError', 'Mayfly at URL/410 answered 404: No.'],
      429: ['MayflyRateLimitError', 'Mayfly at URL/429 answered 429: No.'],
      vain: ['MayflyTimeoutError', expect.stringMatching(/^Waited 2 s for an email subject "none"\. 1 email came to /)],
      surplus: ['MayflyUnexpectedEmailError', expect.stringMatching(/^Expected no email, but 1 email came to /)],
    });
  });
});
