import type { Frame, Page } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endAll, type RunningMayfly, serve, transportTo } from '../../server/test/service/process.js';
import { describeInBrowser, freshName } from './browser.js';
import { type Outsider, startOutsider } from './listener.js';

/** What a script of a mail does to be noticed. */
const RUN = "document.documentElement.dataset.ran='1';alert(1)";

/** Mails that try to run something, or to reach somebody. OUT is the address of a stranger's server. */
const HOSTILE: Readonly<Record<string, string>> = {
  'a script': `<script>${RUN}</script>`,
  'a script from elsewhere': '<script src="OUT/x.js"></script>',
  'a module': `<script type="module">${RUN}</script><link rel="modulepreload" href="OUT/m.js">`,
  'event handlers': `<img src="x" onerror="${RUN}"><body onload="${RUN}"><p onclick="${RUN}" onpointerover="${RUN}">x</p>`,
  'an animation that runs a handler': `<style>@keyframes k{}</style><p style="animation:k 1s" onanimationstart="${RUN}">x</p>`,
  'svg with a script': `<svg onload="${RUN}"><script>${RUN}</script><animate onbegin="${RUN}" attributeName="x" dur="1s"/></svg>`,
  'svg that loads': '<svg><image href="OUT/a.png"/><use href="OUT/b.svg#x"/><feImage href="OUT/c.png"/></svg>',
  'math in which a style is no style': `<math><annotation-xml encoding="text/html"><img src="x" onerror="${RUN}"></annotation-xml><style><img src="x" onerror="${RUN}"></style></math>`,
  'meta refresh': '<meta http-equiv="refresh" content="0;url=OUT/refresh">',
  'meta refresh behind a tag that is left out': '<<form>meta http-equiv="refresh" content="0;url=OUT/refresh">',
  'a base address': '<base href="OUT/"><img src="a.png"><link rel="stylesheet" href="a.css">',
  'a policy of its own': `<meta http-equiv="Content-Security-Policy" content="img-src *"><img src="OUT/a.png">`,
  'style sheets from elsewhere':
    '<link rel="stylesheet" href="OUT/a.css"><style>@import "OUT/b.css"; @import url(OUT/c.css);</style>',
  'fonts and backgrounds':
    '<style>@font-face{font-family:f;src:url(OUT/f.woff2)}body{font-family:f;background:url(OUT/a.png)}</style><table background="OUT/b.png"><tr><td style="background-image:url(OUT/c.png);list-style:url(OUT/d.png);cursor:url(OUT/e.png),auto">x</td></tr></table>',
  images:
    '<img src="OUT/a.png" srcset="OUT/b.png 2x"><picture><source srcset="OUT/c.png"><img src="OUT/d.png"></picture><input type="image" src="OUT/e.png">',
  'sound and pictures that move':
    '<video src="OUT/a.mp4" poster="OUT/a.png" autoplay></video><audio src="OUT/a.mp3" autoplay></audio><track src="OUT/a.vtt">',
  frames: `<iframe src="OUT/a"></iframe><iframe srcdoc="<script>${RUN}</script>"></iframe><frameset><frame src="OUT/b"></frameset>`,
  objects: '<object data="OUT/a"></object><embed src="OUT/b"><applet code="OUT/c"></applet>',
  'hints to connect':
    '<link rel="preconnect" href="OUT"><link rel="dns-prefetch" href="//stranger.example"><link rel="prefetch" href="OUT/a"><link rel="preload" as="image" href="OUT/b"><link rel="icon" href="OUT/c"><link rel="prerender" href="OUT/d">',
  'rules for what comes next':
    '<script type="speculationrules">{"prefetch":[{"source":"list","urls":["OUT/a"]}]}</script>',
  'a form that sends itself': `<form action="OUT/form" method="post"><input name="a" autofocus onfocus="${RUN}"><button>Go</button></form>`,
  'a link that runs': `<a href="javascript:${RUN}">x</a><a href="data:text/html,<script>${RUN}</script>">y</a>`,
  'a link that tells': '<a href="https://stranger.example/" ping="OUT/ping">x</a>',
  'raw text that ends early': `<style></style><script>${RUN}</script><textarea></textarea><img src="OUT/a.png" onerror="${RUN}"></textarea><title></title><script>${RUN}</script>`,
  'comments that end early': `<!--><script>${RUN}</script>--><!--[if true]><script>${RUN}</script><![endif]--><!-- --!><img src="OUT/a.png">`,
  'what closes the document': `</style></pre></body></html><script>${RUN}</script><img src="OUT/a.png">`,
  'characters between': `<img\u0000src="OUT/a.png"\u000conerror="${RUN}"><scr\u0000ipt>${RUN}</scr\u0000ipt><IMG/SRC="OUT/b.png"/ONERROR="${RUN}">`,
};

describeInBrowser('the HTML of a stranger', (browser) => {
  let mayfly: RunningMayfly;
  /** Whom no mail may reach. */
  let stranger: Outsider;
  /** The same for mail that is not sanitized. */
  let other: Outsider;
  /** Whom a mail may reach when somebody asks for it. */
  let friend: Outsider;

  beforeAll(async () => {
    mayfly = await serve(['--store', 'memory:', '--fetch-limit', 'off']);
    stranger = await startOutsider();
    other = await startOutsider();
    friend = await startOutsider();
  });

  afterAll(async () => {
    endAll();
    await stranger?.close();
    await other?.close();
    await friend?.close();
  });

  const hostile = (what: string, { url }: Outsider) => `<p>shown</p>${HOSTILE[what]?.replaceAll('OUT', url)}`;

  async function deliver(html: string): Promise<string> {
    const name = freshName();
    const smtp = transportTo(mayfly);
    await smtp.sendMail({ to: `${name}@inbox.test`, from: 'a@stranger.example', subject: 'Hello', html });
    smtp.close();
    return name;
  }

  /** What a page, or a frame of it, has done. */
  function watch(page: Page) {
    const seen = { dialogs: 0, elsewhere: [] as string[] };
    page.on('dialog', (dialog) => {
      seen.dialogs += 1;
      dialog.dismiss();
    });
    page.on('framenavigated', (frame) => {
      if (/^https?:/.test(frame.url()) && !frame.url().startsWith(mayfly.url)) seen.elsewhere.push(frame.url());
    });
    return seen;
  }

  /** The frame in which a page shows a mail. */
  async function previewOf(page: Page): Promise<Frame> {
    const element = await page.locator('iframe').elementHandle();
    const frame = await element?.contentFrame();
    if (!frame) throw new Error('the page has no frame');
    return frame;
  }

  /** Resolves when a document has loaded, and nothing that it began is on its way. */
  async function settle(frame: Frame): Promise<void> {
    await frame.getByText('shown').first().waitFor();
    await frame.waitForLoadState('networkidle');
  }

  /** Asserts that no script has run, that no frame has gone elsewhere, and that the stranger was asked for nothing. */
  async function expectNothing(page: Page, seen: ReturnType<typeof watch>): Promise<void> {
    const ran = await Promise.all(
      page.frames().map((frame) => frame.evaluate(() => document.documentElement.dataset.ran)),
    );
    expect({ ran, ...seen }).toEqual({ ran: ran.map(() => undefined), dialogs: 0, elsewhere: [] });
    expect([...stranger.requests, ...other.requests]).toEqual([]);
  }

  describe.concurrent('runs nothing and reaches nobody', () => {
    test.each(Object.keys(HOSTILE))('%s', async (what) => {
      const name = await deliver(hostile(what, stranger));
      const page = await browser.open('about:blank');
      const seen = watch(page);
      await page.goto(`${mayfly.url}/inbox/${name}`);
      await settle(await previewOf(page));
      await expectNothing(page, seen);

      // Not even a connection was made, which no policy could keep a browser from.
      expect(stranger.connections()).toBe(0);
      await page.context().close();
    });
  });

  describe.concurrent('runs nothing and asks for nothing by the policies alone, had it been passed on as it is', () => {
    test.each(Object.keys(HOSTILE))('%s', async (what) => {
      const name = await deliver('<p>nothing</p>');
      const page = await browser.open('about:blank');
      const seen = watch(page);
      await page.route('**/html', async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, body: hostile(what, other) });
      });
      await page.goto(`${mayfly.url}/inbox/${name}`);
      await settle(await previewOf(page));
      await expectNothing(page, seen);
      await page.context().close();
    });
  });

  test('runs nothing either where it is opened without the page around it', async () => {
    const name = await deliver(
      Object.keys(HOSTILE)
        .map((what) => hostile(what, stranger))
        .join(''),
    );
    const page = await browser.open(`${mayfly.url}/inbox/${name}`);
    const frame = await previewOf(page);
    await settle(frame);
    const seen = watch(page);
    await page.goto(frame.url());
    await settle(page.mainFrame());
    await expectNothing(page, seen);
    expect(stranger.connections()).toBe(0);
    await page.context().close();
  });

  test('its links open a tab that learns nothing of the page', async () => {
    const name = await deliver(`<a target="_top" href="${friend.url}/link">Go there</a>`);
    const page = await browser.open(`${mayfly.url}/inbox/${name}`);
    const before = friend.requests.length;
    const [opened] = await Promise.all([
      page.context().waitForEvent('page'),
      page.frameLocator('iframe').getByRole('link', { name: 'Go there' }).click(),
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
    await page.context().close();
  });

  test('its images load when that is asked for, and learn nothing of the page', async () => {
    const before = friend.requests.length;
    const name = await deliver(
      `<p>shown</p><img src="${friend.url}/pixel.png"><link rel="stylesheet" href="${friend.url}/a.css">`,
    );
    const page = await browser.open(`${mayfly.url}/inbox/${name}`);
    await settle(await previewOf(page));
    expect(friend.requests).toHaveLength(before);
    await page.getByText('because their sender would learn when and where').waitFor();
    await page.getByLabel('Load remote images').check();
    await expect.poll(() => friend.requests.slice(before)).toEqual([{ path: '/pixel.png', referer: undefined }]);
    await page.context().close();
  });

  test('mail of text has no images to ask for, and shows what looks like HTML as it is', async () => {
    const name = freshName();
    const smtp = transportTo(mayfly);
    await smtp.sendMail({
      to: `${name}@inbox.test`,
      from: 'a@app.test',
      subject: '<b>Hi</b>',
      text: `<script>${RUN}</script>`,
    });
    smtp.close();
    const page = await browser.open(`${mayfly.url}/inbox/${name}`);
    const seen = watch(page);
    await page.frameLocator('iframe').getByText(`<script>${RUN}</script>`).waitFor();
    await page.getByRole('heading', { name: '<b>Hi</b>' }).waitFor();
    expect(await page.getByLabel('Load remote images').count()).toBe(0);
    await expectNothing(page, seen);
    await page.context().close();
  });

  test('nobody else may show a page of ours in a frame', async () => {
    const name = await deliver('<p>shown</p>');
    const { emails } = (await (await fetch(`${mayfly.url}/api/inbox/${name}`)).json()) as {
      emails: { receivedAt: string }[];
    };
    for (const path of ['/', `/inbox/${name}`, `/api/inbox/${name}/${emails[0]?.receivedAt}/html`]) {
      const page = await browser.open(`${friend.url}/frames`);
      await page.setContent(`<iframe src="${mayfly.url}${path}"></iframe>`);
      await page.frames()[1]?.waitForLoadState('networkidle');
      expect(await page.frames()[1]?.evaluate(() => document.body.textContent)).not.toMatch(/shown|Mayfly/);
      await page.context().close();
    }
  });

  test('the page itself asks nobody but the service for anything', async () => {
    const name = await deliver('<p>Your code is 482913</p>');
    const page = await browser.open('about:blank');
    const asked = new Set<string>();
    page.on('request', (request) => asked.add(new URL(request.url()).origin));
    for (const path of ['/', `/inbox/${name}`, `/inbox/${freshName()}`]) {
      await page.goto(mayfly.url + path);
      await page.getByRole('heading', { level: 1 }).waitFor();
    }
    expect([...asked]).toEqual([mayfly.url]);
    await page.context().close();
  });
});
