import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { chromium } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { groups } from '../../docs/site/pages.js';
import { LIGHT_CHROMIUM, needs } from '../needs.js';

const DIST = 'docs/site/dist';
const BASE = '/mayfly/';
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };
const PAGES = groups.flatMap(({ pages }) => Object.keys(pages));

/** Time limit for the build, which takes minutes on a busy machine, and for a page. */
const TIMEOUT_MS = 120_000;

/** Returns the file that GitHub Pages serves for a path. A name without an extension is a page. */
function fileOf(url) {
  const { pathname } = new URL(url, 'http://site.test');
  const name = pathname.startsWith(BASE) ? decodeURIComponent(pathname.slice(BASE.length)) || 'index' : '404';
  return [name, `${name}.html`].map((one) => path.join(DIST, one)).find((one) => path.extname(one) && existsSync(one));
}

describe('the documentation site', needs('Chromium', 'the documentation site'), () => {
  let server;
  let browser;
  let site;

  beforeAll(async () => {
    execFileSync('npm', ['run', '--prefix', 'docs/site', 'build'], { env: { ...process.env, SITE_BASE: BASE } });
    server = createServer((request, response) => {
      const found = fileOf(request.url);
      const file = found ?? path.join(DIST, '404.html');
      const type = TYPES[path.extname(file)] ?? 'text/plain';
      response.writeHead(found === undefined ? 404 : 200, { 'content-type': `${type}; charset=utf-8` });
      response.end(readFileSync(file));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    site = `http://127.0.0.1:${server.address().port}${BASE}`;
    browser = await chromium.launch({ executablePath: LIGHT_CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
  });

  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  /** Opens a page and passes it to `look`. Fails if the page throws an error. */
  async function opened(name, look, options = {}) {
    const context = await browser.newContext(options);
    context.setDefaultTimeout(TIMEOUT_MS);
    const page = await context.newPage();
    const errors = [];
    page.on('pageerror', (error) => errors.push(error.message));
    await page.goto(site + name);
    await look(page);
    await context.close();
    expect(errors).toEqual([]);
  }

  const expectShown = (locator) => locator.waitFor({ state: 'visible' });

  test('has every file that a page links to', () => {
    const files = readdirSync(DIST, { recursive: true }).filter((name) => name.endsWith('.html'));
    expect(files.length).toBeGreaterThan(PAGES.length);
    const dead = files.flatMap((file) => {
      const links = readFileSync(path.join(DIST, file), 'utf8').matchAll(/ (?:href|src)="(\/[^"#]*)/g);
      return [...links].filter(([, link]) => fileOf(link) === undefined).map(([, link]) => `${file}: ${link}`);
    });
    expect(dead).toEqual([]);
  });

  test('has a home page that leads to the first steps', async () => {
    await opened('', async (page) => {
      await page.getByRole('link', { name: 'Get started' }).click();
      await expectShown(page.getByRole('heading', { level: 1, name: 'Getting started' }));
      expect(page.url()).toBe(`${site}getting-started`);
    });
  });

  test('finds a page by a word of its text', async () => {
    await opened('getting-started', async (page) => {
      await page.getByRole('button', { name: 'Search' }).first().click();
      await page.getByRole('searchbox').fill('greylist');
      const first = page.locator('#localsearch-list a').first();
      await expectShown(first);
      expect(await first.getAttribute('href')).toContain(`${BASE}failure-simulation`);
      await first.click();
      await page.waitForURL(`${site}failure-simulation**`);
    });
  });

  test('keeps the dark theme that a reader chose', async () => {
    await opened('jest', async (page) => {
      const isDark = () => page.evaluate(() => document.documentElement.classList.contains('dark'));
      expect(await isDark()).toBe(false);
      await page
        .getByRole('switch', { name: /dark theme/i })
        .first()
        .click();
      await expect.poll(isDark).toBe(true);
      await page.reload();
      expect(await isDark()).toBe(true);
    });
  });

  test('answers an unknown path with a page that links to the home page', async () => {
    expect((await fetch(`${site}gone`)).status).toBe(404);
    await opened('gone', async (page) => {
      await expectShown(page.getByText('There is no page at this address.'));
      expect(await page.getByRole('link', { name: /home/i }).first().getAttribute('href')).toBe(BASE);
    });
  });

  test('shows every operation of the API document', async () => {
    const { paths } = JSON.parse(readFileSync('packages/server/api/openapi.json', 'utf8'));
    const count = Object.values(paths).flatMap((path) => Object.keys(path)).length;
    await opened('api', async (page) => {
      await expect.poll(() => page.locator('.opblock').count(), { timeout: TIMEOUT_MS }).toBe(count);
    });
  });

  test.each([
    ['http', 'GET /api/inbox/{name}'],
    ['errors', 'plugin-refusal: The plugin {plugin} refused the request: {reason}'],
  ])('shows all of a line that ends with a name in braces on the page /%s', async (name, line) => {
    await opened(name, async (page) => expect((await page.locator('main').innerText()).split('\n')).toContain(line));
  });

  test('lists every page as Markdown in llms.txt', async () => {
    const text = await (await fetch(`${site}llms.txt`)).text();
    const links = [...text.matchAll(/^- \[.+?\]\(([^)]+)\)/gm)].map(([, link]) => link);
    expect(links).toEqual(PAGES.map((name) => `${BASE}${name}.md`));
    for (const link of links) expect(await (await fetch(new URL(link, site))).text()).toMatch(/^#|^---/);
  });

  test.each(['', ...PAGES])('shows /%s on a phone without scrolling sideways', async (name) => {
    const viewport = { width: 390, height: 844 };
    await opened(
      name,
      async (page) => expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width),
      { viewport },
    );
  });
});
