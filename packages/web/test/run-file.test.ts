/** Tests the file of `mayfly export --run`, without a service. */
import { once } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ReportedTest } from 'mayfly-client';
import { newRunSecret } from 'mayfly-protocol/run-secret';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  endAll,
  type RunningMayfly,
  runMayfly,
  serve,
  temporaryFolder,
  transportTo,
} from '../../server/test/service/process.js';
import { describeInBrowser, freshName } from './browser.js';

const HOSTILE =
  '</td><img src="http://127.0.0.1:9/x" onerror="document.title=1"><script>document.title=2</script>\u202e"\'&';

describeInBrowser('the file of a run', (browser) => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let mayfly: RunningMayfly;
  const run = newRunSecret();
  const other = newRunSecret();
  const [failing, silent, passing] = [freshName(), freshName(), freshName()];

  const report = async (secret: string, tests: readonly ReportedTest[]) => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ tests }) };
    expect((await fetch(`${mayfly.url}/api/run/${secret}`, init)).status).toBe(200);
  };
  const exportRun = (file: string, ...args: readonly string[]) =>
    runMayfly(['export', '--run', run, path.join(folder.path, file), ...args], { MAYFLY_URL: mayfly.url });

  beforeAll(async () => {
    folder = await temporaryFolder();
    mayfly = await serve(['--store', 'memory:', '--domain', 'inbox.example.com']);
    const smtp = transportTo(mayfly);
    const text = `${'x'.repeat(300)} Your code is 482913. ${HOSTILE}`;
    await smtp.sendMail({
      from: `"${HOSTILE.replaceAll('"', '')}" <a@app.test>`,
      to: `${failing}@inbox.example.com`,
      subject: HOSTILE,
      text,
    });
    smtp.close();
    const waits = [{ to: failing, text: `Waited for ${HOSTILE}` }];
    await report(run, [
      { id: 'p', title: 'passes', outcome: 'passed', inboxes: [passing], error: null, waits: [] },
      { id: 'f', title: HOSTILE, outcome: 'failed', inboxes: [failing, silent], error: HOSTILE, waits },
    ]);
    await report(other, [{ id: 'o', title: 'of others', outcome: 'failed', inboxes: [], error: null, waits: [] }]);
  });

  afterAll(async () => {
    endAll();
    await folder.remove();
  });

  test('the file of a run opens without a server or scripts, shows HTML as text, and has a filter', async () => {
    const { exitCode, stdout, stderr } = await exportRun('run.html');
    const file = path.join(folder.path, 'run.html');
    expect({ exitCode, stderr, stdout }).toEqual({ exitCode: 0, stderr: '', stdout: `2 tests written to ${file}.\n` });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, 'utf8')).not.toMatch(/of others|<script|<img/);
    const page = await browser.open('about:blank');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    const url = pathToFileURL(file).href;
    await page.goto(url);
    expect(asked).toEqual([url]);
    expect(await page.title()).toBe('1 failed – run – Mayfly');
    const tests = page.locator('.run-test');
    const [first, second] = [tests.nth(0), tests.nth(1)];
    expect(await first.textContent()).toContain(`failed${HOSTILE.replace('\u202e', '[U+202E]')}`);
    expect(await first.locator('.run-wait').textContent()).toContain('Waited for </td><img');
    expect(await first.textContent()).toContain(`${silent}No email arrived.`);
    await first.locator('.run-email summary').click();
    expect(await first.locator('.run-email pre').textContent()).toContain('Your code is 482913. </td><img');
    expect(await second.isVisible()).toBe(false);
    await page.getByRole('radio', { name: '1 passed' }).check({ force: true });
    expect([await first.isVisible(), await second.isVisible()]).toEqual([false, true]);
    expect(await page.locator('img, script, iframe').count()).toBe(0);
  });

  test('the file of a run does not replace another file', async () => {
    await exportRun('taken.html');
    const { exitCode, stderr } = await exportRun('taken.html');
    expect([exitCode, stderr]).toEqual([
      2,
      expect.stringContaining('taken.html cannot be written: it exists already.'),
    ]);
  });

  test.each([
    { name: 'a short secret', args: ['--run', 'abc', 'run.html'], says: '--run is not a run secret' },
    { name: 'a store', args: ['--run', run, 'x.html', '--store', 'memory:'], says: 'Omit --store and --max-size' },
  ])('the export of a run rejects $name', async ({ args, says }) => {
    const { exitCode, stderr } = await runMayfly(['export', ...args]);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(says)]);
  });

  test('the export of a run fails at the first page of a service that is not Mayfly', async () => {
    const asked: string[] = [];
    const service = createServer(({ url = '' }, response) => {
      asked.push(url);
      const from = Number(new URL(url, 'http://localhost').searchParams.get('from'));
      const next = asked.length < 20 ? from + 1 : null;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ node: 'ci', now: '', retentionMs: 1, counts: {}, tests: [], next }));
    });
    await once(service.listen(0, '127.0.0.1'), 'listening');
    const { port } = service.address() as AddressInfo;
    const { exitCode, stderr } = await exportRun('endless.html', '--url', `http://127.0.0.1:${port}`);
    service.close();
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('JSON, but not what Mayfly sends')]);
    expect(asked).toHaveLength(1);
  });
});
