import type { Frame, Page } from '@playwright/test';
import { Mayfly } from 'mayfly-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endAll, type RunningMayfly, serve, transportTo } from '../../server/test/service/process.js';
import { describeInWholeBrowser, freshName, SHOWN_FRAME } from './browser.js';
import { HOSTILE, RUN } from './hostile-mails.js';
import { type Outsider, startOutsider } from './listener.js';

describeInWholeBrowser('hostile mail', (browser) => {
  let mayfly: RunningMayfly;
  /** A server to which emails must not connect. */
  let stranger: Outsider;
  /** A server to which emails may connect on request. */
  let friend: Outsider;

  beforeAll(async () => {
    mayfly = await serve(['--store', 'memory:', '--fetch-limit', 'off']);
    stranger = await startOutsider();
    friend = await startOutsider();
  });

  afterAll(async () => {
    endAll();
    await stranger?.close();
    await friend?.close();
  });

  /** Delivers emails to a new inbox: by subject, the HTML or other parts of each. */
  async function deliver(mails: Readonly<Record<string, string | object>>): Promise<string> {
    const name = freshName();
    const smtp = transportTo(mayfly);
    for (const [subject, mail] of Object.entries(mails)) {
      const parts = typeof mail === 'string' ? { html: mail } : mail;
      await smtp.sendMail({ to: `${name}@inbox.example.com`, from: 'a@stranger.example', subject, ...parts });
    }
    smtp.close();
    return name;
  }

  const hostileMails = () =>
    Object.fromEntries(
      Object.entries(HOSTILE).map(([what, html]) => [what, `<p>shown</p>${html.replaceAll('OUT', stranger.url)}`]),
    );

  /** Records the actions of a page and its frames. */
  function watch(page: Page) {
    const seen = { dialogs: 0, tabs: 0, elsewhere: [] as string[] };
    page.on('popup', () => {
      seen.tabs += 1;
    });
    page.on('dialog', (dialog) => {
      seen.dialogs += 1;
      dialog.dismiss();
    });
    page.on('framenavigated', (frame) => {
      if (/^https?:/.test(frame.url()) && !frame.url().startsWith(mayfly.url)) seen.elsewhere.push(frame.url());
    });
    return seen;
  }

  /** Returns the frame of the email. */
  async function previewOf(page: Page): Promise<Frame> {
    const element = await page.locator(SHOWN_FRAME).elementHandle();
    const frame = await element?.contentFrame();
    if (!frame) throw new Error('the page has no frame');
    return frame;
  }

  /** Removes the Content-Security-Policy of responses. */
  const withoutPolicy = (page: Page, url: string) =>
    page.route(url, async (route) => {
      const response = await route.fetch();
      const { 'content-security-policy': _, ...headers } = response.headers();
      await route.fulfill({ response, headers });
    });

  /** Opens an inbox with one email on a page without a policy. */
  async function openWithoutPolicy(page: Page): Promise<void> {
    await withoutPolicy(page, `${mayfly.url}/inbox/*`);
    await page.goto(`${mayfly.url}/inbox/${await deliver({ control: '<p>shown</p>' })}`);
  }

  /** Resolves when a document has loaded and has no pending requests. */
  async function settle(frame: Frame): Promise<void> {
    await frame.getByText('shown').first().waitFor();
    await frame.waitForLoadState('networkidle');
  }

  /** Asserts that no script ran, no dialog, tab or other site opened, and the stranger received no request. */
  async function expectNothing(page: Page, seen: ReturnType<typeof watch>, what: string): Promise<void> {
    const ran = await Promise.all(
      // A frame without a URL has no document, and would never answer.
      page
        .frames()
        .flatMap((one) => (one.url() === '' ? [] : one.evaluate(() => document.documentElement.dataset.ran))),
    );
    const found = { what, ...seen, requests: stranger.requests, ran: ran.filter((mark) => mark !== undefined) };
    expect(found).toEqual({ what, dialogs: 0, tabs: 0, elsewhere: [], requests: [], ran: [] });
  }

  /** Opens the emails of an inbox from the newest, and asserts that each is harmless. */
  async function goThrough(page: Page, mails: readonly string[]): Promise<void> {
    const seen = watch(page);
    for (const what of mails.toReversed()) {
      await page.locator('.mail .title', { hasText: what }).waitFor();
      await settle(await previewOf(page));
      await expectNothing(page, seen, what);
      await page.keyboard.press('ArrowDown');
    }
  }

  test('a hostile email runs no script and opens no connection to another host', async () => {
    const mails = hostileMails();
    const page = await browser.open(`${mayfly.url}/inbox/${await deliver(mails)}`);
    await goThrough(page, Object.keys(mails));
    // The browser did not even open a speculative connection, which policies do not prevent.
    expect(stranger.connections()).toBe(0);
  });

  test('a hostile email in a separate tab runs no script and opens no connection to another host', async () => {
    const name = await deliver({ all: Object.values(hostileMails()).join('') });
    const page = await browser.open(`${mayfly.url}/inbox/${name}`);
    const frame = await previewOf(page);
    const seen = watch(page);
    // A new frame may have no URL yet.
    await expect.poll(() => frame.url()).toContain('/html');
    const url = frame.url();
    for (const how of ['', '?styles=none', '?scheme=dark', '?scheme=light']) {
      await page.goto(url + how);
      await settle(page.mainFrame());
      await expectNothing(page, seen, `all${how}`);
    }
    expect(stranger.connections()).toBe(0);
  });

  test('the policies prevent scripts and requests even if the sanitizer is disabled', async () => {
    const mails = hostileMails();
    const name = await deliver(mails);
    const emails = await new Mayfly({ baseUrl: mayfly.url }).inbox(name).emails();
    const page = await browser.open('about:blank');
    await page.route('**/html', async (route) => {
      const email = emails.find(({ receivedAt }) => route.request().url().includes(receivedAt.toISOString()));
      const response = await route.fetch();
      await route.fulfill({ response, body: mails[email?.subject ?? ''] ?? '' });
    });
    await page.goto(`${mayfly.url}/inbox/${name}`);
    await goThrough(page, Object.keys(mails));
  });

  test('scripts cannot run in the sandboxed frame even if sanitizer and policy are disabled', async () => {
    const mails = Object.fromEntries(
      ['a script', 'event handlers', 'svg with a script'].map((what) => [what, HOSTILE[what] ?? '']),
    );
    const body = `<p>shown</p>${Object.values(mails).join('')}`;
    const page = await browser.open('about:blank');
    const seen = watch(page);
    await page.route('**/html', (route) => route.fulfill({ body, contentType: 'text/html' }));
    await openWithoutPolicy(page);
    await settle(await previewOf(page));
    await expectNothing(page, seen, 'the sandbox');
  });

  test('the sanitizer prevents connections even if the policy is disabled', async () => {
    const mails = hostileMails();
    const page = await browser.open('about:blank');
    await withoutPolicy(page, '**/html');
    const before = stranger.connections();
    await page.goto(`${mayfly.url}/inbox/${await deliver(mails)}`);
    await goThrough(page, Object.keys(mails));
    expect(stranger.connections()).toBe(before);
  });

  /** With the defenses disabled, the checks above must detect each attack. */
  test.each([
    ['a script', { dialogs: 1, ran: ['1'] }],
    ['event handlers', { ran: ['1'] }],
    ['svg with a script', { ran: ['1'] }],
    ['a script of another server', { requests: ['/x.js'] }],
    ['images', { requests: ['/a.png', '/c.png', '/e.png'] }],
    ['meta refresh', { elsewhere: ['/refresh'] }],
  ] as const)('without sandbox, sanitizer and policy, the checks of this file detect %s', async (what, expected) => {
    const outsider = await startOutsider();
    const page = await browser.open('about:blank');
    const seen = watch(page);
    await page.addInitScript(() => {
      Object.defineProperty(HTMLIFrameElement.prototype, 'sandbox', { set() {}, get: () => '' });
      const { setAttribute } = Element.prototype;
      Element.prototype.setAttribute = function (name, value) {
        if (name !== 'sandbox') setAttribute.call(this, name, value);
      };
    });
    const body = `<p>shown</p>${HOSTILE[what]?.replaceAll('OUT', outsider.url)}`;
    await page.route('**/html', (route) => route.fulfill({ body, contentType: 'text/html' }));
    await openWithoutPolicy(page);
    const found = async () => {
      const marks = await Promise.all(
        page.frames().map((frame) => frame.evaluate(() => document.documentElement.dataset.ran).catch(() => undefined)),
      );
      return {
        dialogs: Math.min(seen.dialogs, 1),
        ran: marks.filter((mark) => mark !== undefined),
        requests: outsider.requests.map(({ path }) => path),
        elsewhere: seen.elsewhere.map((url) => new URL(url).pathname),
      };
    };
    for (const [how, values] of Object.entries(expected)) {
      await expect
        .poll(async () => (await found())[how as keyof typeof expected])
        .toEqual(typeof values === 'number' ? values : expect.arrayContaining(values));
    }
    await page.close();
    await outsider.close();
  });

  test('a link opens in a tab without access to the page', async () => {
    const name = await deliver({ Hello: `<a target="_top" href="${friend.url}/link">Go there</a>` });
    const page = await browser.open(`${mayfly.url}/inbox/${name}`);
    const before = friend.requests.length;
    const [opened] = await Promise.all([
      page.context().waitForEvent('page'),
      page.frameLocator(SHOWN_FRAME).getByRole('link', { name: 'Go there' }).click(),
    ]);
    await opened.getByText('outside').waitFor();
    expect(opened.url()).toBe(`${friend.url}/link`);
    expect(await opened.evaluate(() => [window.opener, document.referrer, window.origin])).toEqual([
      null,
      '',
      friend.url,
    ]);
    expect(friend.requests.slice(before)[0]).toEqual({ path: '/link', referer: undefined });
    expect(page.url()).toBe(`${mayfly.url}/inbox/${name}`);
  });

  test('images load only after the option "Load remote images" is set, and requests have no Referer', async () => {
    const before = friend.requests.length;
    const name = await deliver({
      Hello: `<p>shown</p><img src="${friend.url}/pixel.png"><link rel="stylesheet" href="${friend.url}/a.css">`,
    });
    const page = await browser.open(`${mayfly.url}/inbox/${name}`);
    await settle(await previewOf(page));
    expect(friend.requests).toHaveLength(before);
    await page.getByText('Remote images show the sender when and where').waitFor();
    await page.getByLabel('Load remote images').check();
    await expect.poll(() => friend.requests.slice(before)).toEqual([{ path: '/pixel.png', referer: undefined }]);
  });

  test('a plain text email has no images to load, and shows HTML as text', async () => {
    const name = await deliver({ '<b>Hi</b>': { text: `<script>${RUN}</script>` } });
    const page = await browser.open(`${mayfly.url}/inbox/${name}`);
    const seen = watch(page);
    await page.frameLocator(SHOWN_FRAME).getByText(`<script>${RUN}</script>`).waitFor();
    await page.getByRole('heading', { name: '<b>Hi</b>' }).waitFor();
    expect(await page.getByLabel('Load remote images').count()).toBe(0);
    await expectNothing(page, seen, 'text');
  });

  test('no other site may show the page in a frame', async () => {
    const name = await deliver({ Hello: '<p>shown</p>' });
    const [email] = await new Mayfly({ baseUrl: mayfly.url }).inbox(name).emails();
    for (const path of ['/', `/inbox/${name}`, `/api/inbox/${name}/${email?.receivedAt.toISOString()}/html`]) {
      const page = await browser.open(`${friend.url}/frames`);
      await page.setContent(`<iframe src="${mayfly.url}${path}"></iframe>`);
      await page.frames()[1]?.waitForLoadState('networkidle');
      expect(await page.frames()[1]?.evaluate(() => document.body.textContent)).not.toMatch(/shown|Mayfly/);
    }
  });
});
