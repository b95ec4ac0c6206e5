import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { needs } from '../../../tools/needs.js';
import { selfSigned } from '../../server/src/tls/certificate.js';
import { endAll, serve, temporaryFolder } from '../../server/test/service/process.js';
import { ADDRESS, MARKS, ONE, sendIn, sendOne, TWO } from '../../server/test/service/two-workspaces.js';
import { clipboard, describeInBrowser, openMore } from './browser.js';
import { goWithKey, WORKSPACE } from './shared-mayfly.js';

const run = promisify(execFile);

const RUN = 'abcdefghijklmnopqrstuvwxyz';

const AD_HOC = ['--store', 'memory:', '--ad-hoc-workspaces', '--fetch-limit', 'off'];

/** A password that, if not quoted, would run code in a shell. */
const PASSWORD = `it's:"$HOME"\`id\`\\`;

describeInBrowser('an ad-hoc workspace on the page', (browser) => {
  afterAll(endAll);

  test('the page of an ad-hoc workspace ignores deletions in another workspace', async () => {
    const mayfly = await serve(AD_HOC);
    for (const pair of [ONE, TWO]) await sendIn(mayfly, pair, { to: ADDRESS, subject: `Of ${pair}` });
    const start = await browser.open(`${mayfly.url}/`);
    const openIn = async (pair: string) => {
      const page = await browser.openBeside(start, 'about:blank');
      await goWithKey(page, `${mayfly.url}/inbox/${ADDRESS}`, pair);
      await page.locator('.row', { hasText: `Of ${pair}` }).waitFor();
      return page;
    };
    const openedAt = performance.now();
    const [one, two, beside] = [await openIn(ONE), await openIn(TWO), await openIn(TWO)];
    let lists = 0;
    one.on('request', (request) => (lists += Number(request.url().includes('/summary'))));
    await openMore(two, 'Empty this inbox');
    await two.getByRole('dialog').getByRole('button', { name: 'Empty this inbox' }).click();
    await beside.getByRole('alert').filter({ hasText: 'This email was deleted.' }).waitFor();
    expect(await one.getByRole('alert').allTextContents()).toEqual([]);
    expect(await one.locator('.row').count()).toBe(1);
    // The page lists the inbox again only when a stream ends, after 30 s without mail.
    expect(lists).toBeLessThanOrEqual((performance.now() - openedAt) / 30_000);
  });

  test('the page shows mail of one ad-hoc workspace only, and requests only documented API paths', async () => {
    const mayfly = await serve([...AD_HOC, '--domain', '*']);
    await sendOne(mayfly);
    await sendIn(mayfly, TWO, { to: ADDRESS, subject: 'Of the other' });
    const reported = { id: 'one', title: 'signs up', outcome: 'failed', inboxes: [ADDRESS], error: null, waits: [] };
    const body = JSON.stringify({ tests: [reported] });
    const headers = { authorization: `Bearer ${ONE}`, 'content-type': 'application/json' };
    await fetch(`${mayfly.url}/api/run/${RUN}`, { method: 'POST', headers, body });
    const { paths } = (await (await fetch(`${mayfly.url}/openapi.json`)).json()) as { paths: Record<string, object> };
    const documented = Object.keys(paths).map((path) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`));
    const cases = [
      { pair: ONE, own: 'Only for one', marks: MARKS.length },
      { pair: TWO, own: 'Of the other', marks: 0 },
    ];
    for (const { pair, own, marks } of cases) {
      const page = await browser.open(`${mayfly.url}/inbox/${ADDRESS}`);
      const asked: string[] = [];
      page.on('request', (request) => asked.push(new URL(request.url()).pathname));
      await page.getByText('Live', { exact: true }).waitFor();
      await openMore(page, 'API key');
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('API key of your workspace, or its credentials (USER:PASSWORD)').fill(pair);
      await dialog.getByRole('button', { name: 'Use this key' }).click();
      const seen = new Set<string>();
      const look = async () => {
        for (const frame of page.frames()) {
          // The content of a frame that is being replaced cannot be read.
          const text = await frame.content().catch(() => '');
          for (const mark of MARKS) if (text.includes(mark)) seen.add(mark);
        }
      };
      for (const path of ['/', '/all', `/run/${RUN}`, `/inbox/${ADDRESS}`]) {
        await page.goto(mayfly.url + path);
        if (path.startsWith('/run')) await page.getByText('signs up').first().waitFor();
        else await page.getByText(own).first().waitFor();
        await look();
      }
      for (const name of ['Text', 'Source', 'Headers', 'Links', 'Check']) {
        await page.getByRole('tab', { name, exact: false }).first().click();
        await look();
      }
      expect([pair, seen.size]).toEqual([pair, marks]);
      expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(pair.split(':')[1]);
      const unknown = asked.filter((path) => path.startsWith('/api/') && !documented.some((one) => one.test(path)));
      expect(unknown).toEqual([]);
    }
  });

  const openWith = async (key: string, url: string) => {
    const page = await browser.open('about:blank');
    await goWithKey(page, url, key);
    return page;
  };
  const copied = async (page: Page, what: string) => {
    await page.getByRole('button', { name: `Copy ${what}`, exact: true }).click();
    return clipboard(page);
  };

  test(
    'commands and SMTP settings contain the credentials of the workspace, masked on screen',
    needs('curl'),
    async () => {
      const mayfly = await serve([...AD_HOC, '--domain', '*']);
      for (const path of ['/all', `/inbox/${ADDRESS}`, '/']) {
        const page = await openWith(`Run-1:${PASSWORD}`, mayfly.url + path);
        if (path === '/') await openMore(page, 'Send an email');
        const command = await copied(page, 'command');
        expect(command).not.toContain('••');
        expect([await copied(page, 'user name run-1'), await copied(page, 'password')]).toEqual(['run-1', PASSWORD]);
        expect(await page.locator('body').innerText()).not.toContain('HOME');
        await page.locator('.guide code').first().selectText();
        await page.keyboard.press('Control+c');
        expect(await clipboard(page)).toBe(command);
        await run('sh', ['-c', command]);
        await page.locator('.row', { hasText: 'Welcome' }).first().waitFor();
      }
      const page = await openWith(`run-1:${PASSWORD}`, `${mayfly.url}/inbox/${ADDRESS}`);
      await page.getByRole('button', { name: 'Use this email' }).click();
      expect(await page.getByRole('dialog').innerText()).not.toContain('HOME');
      expect((await run('sh', ['-c', await copied(page, 'curl')])).stdout).toContain('"otp":"482913"');
      await run('sh', ['-c', await copied(page, 'Send it again')]);
      await page.locator('.row', { hasText: 'Welcome' }).nth(1).waitFor();
    },
  );

  test('the commands use STARTTLS if the service requires it for a password', needs('curl'), async () => {
    const folder = await temporaryFolder();
    onTestFinished(() => folder.remove());
    const [cert, key] = [join(folder.path, 'cert.pem'), join(folder.path, 'key.pem')];
    const identity = await selfSigned('localhost');
    await writeFile(cert, identity.cert);
    await writeFile(key, identity.key);
    const mayfly = await serve(['--store', 'memory:', '--ad-hoc-workspaces', '--tls-cert', cert, '--tls-key', key]);
    const page = await openWith(ONE, `${mayfly.url}/inbox/alice`);
    await page.getByText('STARTTLS; off only without a user name').waitFor();
    await run('sh', ['-c', await copied(page, 'command')], { env: { ...process.env, CURL_CA_BUNDLE: cert } });
    await page.locator('.row', { hasText: 'Welcome' }).waitFor();
  });

  const pages = ['/all', '/inbox/demo', `/run/${RUN}`, '/inbox/acme-demo', '/'];

  // This service lists all mail, and the key of a configured workspace also opens mail outside of the workspace.
  test.each([
    ['a configured workspace', WORKSPACE, 'workspace acme', ['/inbox/acme-demo']],
    ['an ad-hoc workspace', ONE, 'workspace run-1', pages],
  ])('each page names %s or its key, and the tab can leave it', async (_kind, key, name, within) => {
    const mayfly = await serve(['--store', 'memory:', '--ad-hoc-workspaces', '--workspace', WORKSPACE]);
    const page = await openWith(key, mayfly.url);
    for (const path of pages) {
      await page.goto(mayfly.url + path);
      const text = within.includes(path) ? name.replace('w', 'W') : `Key of ${name}`;
      await page.locator('.where').getByText(text, { exact: true }).waitFor();
    }
    await page.getByRole('button', { name: `Leave ${name}` }).click();
    await page
      .getByRole('status')
      .filter({ hasText: `Left ${name}.` })
      .waitFor();
    for (const go of [() => page.reload(), () => page.goBack(), () => page.goForward()]) {
      await go();
      await page.getByText('More').first().waitFor();
      expect(await page.getByText(name).count()).toBe(0);
    }
    await page.getByRole('heading', { name: 'Send it an email' }).waitFor();
  });
});
