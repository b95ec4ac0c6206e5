/** Scans links as mail systems do, on real sites, with emails of a real service. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { chromium } from '@playwright/test';
import { generate } from 'selfsigned';
import { afterEach, describe, expect, test } from 'vitest';
import { CHROMIUM, needs } from '../../../tools/needs.js';
import { Mayfly, MayflyError, MayflyOptionError } from '../src/index.js';
import {
  followLink,
  type LinkScan,
  MayflyLinkError,
  MayflyScanError,
  type ScanBrowser,
  type ScanLinksOptions,
  scanLinks,
} from '../src/testing/links.js';
import { ANSWER_TIMEOUT_MS, MAX_PAGE_BYTES, MAX_REDIRECTS, MAX_SCANNED_LINKS } from '../src/wait/bounds.js';
import { firstOnce, type LinkSite, page, redirect, startLinkSite, status } from './link-site.js';
import { freshName, serviceOfFile } from './service.js';

type Pages = Parameters<typeof startLinkSite>[0];

const sites: LinkSite[] = [];

const service = await serviceOfFile();

afterEach(async () => {
  for (const site of sites.splice(0)) await site.stop();
});

async function siteOf(pages: Pages): Promise<LinkSite> {
  const site = await startLinkSite(pages);
  sites.push(site);
  return site;
}

async function inboxWith(html: string, fields: readonly string[] = []) {
  const name = freshName();
  const head = ['From: a@app.test', 'Subject: Sign in', ...fields, 'MIME-Version: 1.0', 'Content-Type: text/html'];
  await service.message(name, [...head, '', html, ''].join('\r\n'));
  return new Mayfly({ baseUrl: service.url }).inbox(name);
}

/** Scans an email whose action link is `/verify` on a site with these pages. */
async function scanned(pages: Pages, options: ScanLinksOptions = {}): Promise<LinkScan & { site: LinkSite }> {
  const site = await siteOf(pages);
  const inbox = await inboxWith(`<p>Hello!</p><a href="${site.url}/verify?token=k3v2x7m5q4tp">Sign in</a>`);
  return { site, ...(await scanLinks(inbox, { onProblem: 'report', ...options })) };
}

const launched = () => chromium.launch({ executablePath: CHROMIUM ?? '', args: ['--no-sandbox', '--disable-gpu'] });

const CONFIRM = page('<form method="post"><button>Sign in</button></form>', { 'set-cookie': 'csrf_token=a; HttpOnly' });
const USED = page('<p>This link was used already.</p>');
const SESSION = { 'set-cookie': 'sid=k3v2x7m5q4tp; HttpOnly; Path=/' };

describe('the scan of a link', () => {
  test.each<[name: string, pages: Pages, as: 'head' | 'get', problem: RegExp | null]>([
    ['whose page asks for a click', { '/verify': CONFIRM }, 'get', null],
    ['whose page asks for a click, opened by HEAD', { '/verify': CONFIRM }, 'head', null],
    ['without HEAD', { '/verify': status(405) }, 'head', null],
    ['with clocks on its page', { '/verify': firstOnce(page('At 10:31'), page('At 10:32')) }, 'get', null],
    ['that rejects blank agents', { '/verify': firstOnce(status(403), CONFIRM) }, 'get', null],
    [
      'that signs in',
      { '/verify': redirect('/', SESSION), '/': page('Welcome') },
      'get',
      /^GET http:\/\/127\.0\.0\.1:\d+\/verify\?… answered 302 and set a session cookie, "sid": a scanner would be signed in\./,
    ],
    ['to an invalid address', { '/verify': redirect('http://[x?token=k3v2x7') }, 'get', /to "http:\/\/\[x\?…", which/],
    ['that deletes cookies', { '/verify': page('', { 'set-cookie': 'sid=x; HttpOnly; Max-Age=0' }) }, 'get', null],
    [
      'that is gone after one GET',
      { '/verify': firstOnce(CONFIRM, status(410)) },
      'get',
      /\/verify\?… answers 410 after one GET: the link is used up before your reader opens it\.$/,
    ],
    [
      'that reports its use with status 200',
      { '/verify': firstOnce(page('<p>Welcome, Ann</p>'), USED) },
      'get',
      /shows another page after one GET \("Welcome, Ann" became "This link was used already\."\): the link is used up before your reader opens it\.$/,
    ],
    [
      'that reports its use at another address',
      { '/verify': firstOnce(redirect('/in'), redirect('/login')), '/in': page('x'), '/login': page('x') },
      'get',
      /leads elsewhere after one GET \(200 from http.*\/in became 200 from http.*\/login\)/,
    ],
    [
      'that reports its use in the fragment',
      {
        '/verify': firstOnce(
          redirect('/in#access_token=k3v2x7m5q4tp&type=magiclink'),
          redirect('/in#error=access_denied&error_code=otp_expired&error_description=Link+k3v2x7m5q4tp+has+expired.'),
        ),
        '/in': page('x'),
      },
      'get',
      /\(200 from \S+\/in#access_token=…&type=… became 200 from \S+\/in#error=access_denied&error_code=otp_expired&error_description=Link … has expired\.\): the link/,
    ],
    ['that never worked', { '/verify': status(404) }, 'get', /answers 404 at the first GET: no reader can use it\.$/],
    ['that loops', { '/verify': redirect('/verify') }, 'get', /redirects to .*, after 10 redirects\) at the first GET/],
    ['to a script', { '/verify': redirect('javascript:alert(1)') }, 'get', /"javascript:", which is not an http or/],
  ])('reports the problem, if any, of a link %s', async (_, pages, as, problem) => {
    const { problems } = await scanned(pages, { as });
    if (problem === null) expect(problems).toEqual([]);
    else expect(problems).toEqual([expect.stringMatching(problem)]);
  });

  test('opens the link twice without cookies, with an empty User-Agent and then with that of a browser', async () => {
    const { site, links } = await scanned({ '/verify': redirect('in', SESSION, 307), '/in': page('Welcome') });
    expect(site.requests.map(({ line }) => line)).toEqual([
      'GET /verify?token=k3v2x7m5q4tp',
      'GET /in',
      'GET /verify?token=k3v2x7m5q4tp',
      'GET /in',
    ]);
    expect(new Set(site.requests.map(({ cookie }) => cookie))).toEqual(new Set([undefined]));
    expect(site.requests[0]?.agent).toBe('');
    expect(site.requests[3]?.agent).toMatch(/^Mozilla\/5\.0/);
    const [link] = links;
    expect(link).toMatchObject({ action: true, text: 'Sign in' });
    expect(link?.visits[1]).toMatchObject({
      error: null,
      text: 'Welcome',
      answers: [
        { method: 'GET', status: 307, location: `${site.url}/in`, cookies: [{ name: 'sid', httpOnly: true }] },
        { method: 'GET', status: 200, location: null, cookies: [] },
      ],
    });
  });

  describe('a redirect to an address where nothing listens', () => {
    const closed = async () => {
      const site = await startLinkSite({});
      await site.stop();
      return site.url;
    };
    const signedIn = (url: string) => redirect(`${url}/#access_token=k3v2x7m5q4tp&type=magiclink`, {}, 303);
    const isOver = (url: string) => redirect(`${url}/#error=access_denied&error_code=otp_expired`, {}, 303);

    const judged = async (options: ScanLinksOptions) => {
      const target = await closed();
      const pages = { '/verify': firstOnce(signedIn(target), isOver(target)) };
      const { problems, notes, links } = await scanned(pages, options);
      expect(problems).toEqual([
        expect.stringMatching(
          `leads elsewhere after one GET \\(303 to ${target}/#access_token=…&type=… became 303 to ${target}/#error=access_denied&error_code=otp_expired\\): the link is used up before your reader opens it\\.$`,
        ),
      ]);
      expect(notes).toEqual([
        expect.stringMatching(
          `/verify\\?… redirects to ${target}/#…, which could not be reached \\(.*REFUSED.*\\): only the redirects of both visits were compared, not the page\\.$`,
        ),
      ]);
      expect(links[0]?.visits.map(({ unreached }) => unreached?.startsWith(`${target}/#`))).toEqual([true, true]);
      expect([...problems, ...notes].join()).not.toContain('k3v2x7m5q4tp');
    };

    test('makes a scan compare only the redirects of both visits, and the report says so', () => judged({}));

    test('makes a browser scan compare only the redirects', { ...needs('Chromium'), timeout: 120_000 }, async () => {
      const browser = await launched();
      await judged({ as: 'browser', browser }).finally(() => browser.close());
    });
  });

  test('follows a limited number of redirects', async () => {
    const pages: Record<string, Pages[string]> = { '/verify': redirect('/1'), [`/${MAX_REDIRECTS}`]: page('x') };
    for (let step = 1; step < MAX_REDIRECTS; step++) pages[`/${step}`] = redirect(`/${step + 1}`);
    expect((await scanned(pages)).problems).toEqual([]);
  });

  test('reads only the start of an endless page', async () => {
    const endless: Pages[string] = (_, response) => {
      const write = () => {
        while (!response.destroyed && response.write('word '.repeat(1000)));
      };
      response.on('drain', write);
      write();
    };
    const { links, problems } = await scanned({ '/verify': endless });
    expect(problems).toEqual([]);
    expect(links[0]?.visits[0]?.text.length).toBeLessThanOrEqual(MAX_PAGE_BYTES);
  });

  test.each<[name: string, page: Pages[string]]>([
    ['answers', () => {}],
    ['ends its page', (_, response) => void response.writeHead(200).write('Hello')],
  ])('ends at the timeout if the link never %s', async (_, page) => {
    const { problems } = await scanned({ '/verify': page }, { timeout: 200 });
    expect(problems).toEqual([expect.stringMatching(/was not scanned: the time for all links ran out\.$/)]);
    expect(ANSWER_TIMEOUT_MS).toBeGreaterThan(200);
  });

  test('accepts a cookie that the test lists as harmless', async () => {
    const pages = { '/verify': page('', SESSION) };
    expect((await scanned(pages, { harmlessCookies: ['sid'] })).problems).toEqual([]);
  });
});

describe('the scan of an email', () => {
  test('rejects with an error that has the problems in its message and the report in its scan property', async () => {
    const site = await siteOf({ '/verify': firstOnce(CONFIRM, status(410)) });
    const inbox = await inboxWith(`<a href="${site.url}/verify?token=k3v2x7m5q4tp">Sign in</a>`);
    const error = await scanLinks(await inbox.waitForEmail()).catch((error) => error);
    expect(error).toBeInstanceOf(MayflyScanError);
    expect(error.message).toMatch(
      /^The links of 'Sign in' do not survive a link scanner\. http.* answers 410 after one GET/,
    );
    expect(error.message).not.toContain('k3v2x7m5q4tp');
    expect(error.scan.problems).toEqual(error.scan.links[0].problems);
  });

  const MANY = (url: string) => `<a href="${url}/verify?token=k3v2x7m5q4tp">Sign in</a>
    <a href="mailto:a@app.test">Write</a> <a href="${url}/terms">Terms</a>
    <a href="${url}/l/8213">Leave</a> <a href="${url}/unsubscribe/8213">Unsubscribe</a>`;

  test.each<[options: ScanLinksOptions, opened: string[]]>([
    [{}, ['/terms', '/verify']],
    [{ include: /unsub/ }, ['/unsubscribe/8213']],
    [{ include: 'TERMS' }, ['/terms']],
    [{ except: '/terms' }, ['/verify']],
  ])('with the options %j opens only the links %j', async (options, opened) => {
    const pages = Object.fromEntries(
      ['/verify', '/terms', '/l/8213', '/unsubscribe/8213'].map((one) => [one, CONFIRM]),
    );
    const site = await siteOf(pages);
    const inbox = await inboxWith(MANY(site.url), [`List-Unsubscribe: <${site.url}/l/8213>`]);
    const { links, skipped } = await scanLinks(inbox, options);
    expect([...new Set(site.requests.map(({ line }) => line.replace(/^GET |\?.*/g, '')))].sort()).toEqual(opened);
    expect(links.length + skipped.length).toBe(5);
    expect(skipped.find(({ url }) => url.startsWith('mailto:'))?.reason).toBe('not an http or https address');
  });

  test('reports a link other than the action link only if one GET makes it unusable', async () => {
    const site = await siteOf({
      '/verify': CONFIRM,
      '/news': firstOnce(page('a'), page('b')),
      '/once': firstOnce(CONFIRM, status(410)),
    });
    const others = ['/news', '/gone', '/once'].map((path) => `<a href="${site.url}${path}">More</a>`).join(' ');
    const inbox = await inboxWith(`<a href="${site.url}/verify?token=k3v2x7m5q4tp">Sign in</a><p>${others}`);
    const { problems } = await scanLinks(inbox, { onProblem: 'report' });
    expect(problems).toEqual([expect.stringContaining('/once answers 410 after one GET')]);
  });

  test('opens a limited number of links and lists the skipped ones', async () => {
    const site = await siteOf({});
    const links = Array.from(
      { length: MAX_SCANNED_LINKS + 2 },
      (_, i) => `<a href="${site.url}/page/${i}">Page ${i}</a>`,
    );
    const { skipped } = await scanLinks(await inboxWith(links.join(' ')), { onProblem: 'report' });
    expect(skipped.map(({ reason }) => reason)).toEqual(Array(2).fill(`more than ${MAX_SCANNED_LINKS} links`));
    expect(site.requests).toHaveLength(2 * MAX_SCANNED_LINKS);
  });

  test('rejects if it can open no link', async () => {
    await expect(scanLinks(await inboxWith('<p>Hello'))).rejects.toThrow(
      new MayflyError("scanLinks: no link to open in 'Sign in'. It has none."),
    );
    const links = '<a href="https://app.test/x?k=1">x</a> <a href="https://app.test/unsubscribe">Unsubscribe</a>';
    const inbox = await inboxWith(links);
    await expect(scanLinks(inbox, { except: 'x' })).rejects.toThrow(
      /It has 2, all skipped: https:\/\/app.test\/x\?… \(in except\), https:\/\/app.test\/unsubscribe \(.*name it in include\)\.$/,
    );
  });

  test.each<[options: object, message: string]>([
    [{ as: 'post' }, 'scanLinks: as must be "head" or "get" or "browser".'],
    [{ as: 'browser' }, 'scanLinks: as: "browser" requires the option browser'],
    [{ as: 'browser', browser: 'chromium' }, "scanLinks: browser must be Playwright's Browser"],
    [{ includes: /x/ }, 'Did you mean include?'],
    [{ harmlessCookies: 'sid' }, 'scanLinks: harmlessCookies must be an array of strings.'],
    [{ timeout: 0 }, 'scanLinks: timeout must be a whole number of milliseconds from 1'],
  ])('rejects the options %j', async (options, message) => {
    const scan = scanLinks(await inboxWith('<p>Hello'), options);
    await expect(scan).rejects.toThrow(MayflyOptionError);
    await expect(scan).rejects.toThrow(message);
  });
});

/** The scans run at the same time, because each waits for scripts twice, for SCRIPTS_MS. */
const IN_BROWSER: readonly [name: string, pages: Pages, problem: RegExp | null][] = [
  ['a button', { '/verify': CONFIRM }, null],
  [
    'a form that a script submits',
    {
      '/verify': firstOnce(
        page('<form method="post" action="/in"></form><script>document.forms[0].submit()</script>'),
        status(410),
      ),
      '/in': redirect('/home', SESSION, 303),
      '/home': page('Welcome'),
    },
    /\/verify\?…, opened in a browser without a click, set a session cookie, "sid".* answers 410 after one GET/s,
  ],
  [
    'a script that uses the link up',
    {
      '/verify': page(
        '<p>Hello</p><script>fetch("/in").then((a) => a.text()).then((a) => (document.body.innerText = a))</script>',
      ),
      '/in': firstOnce(page('Welcome'), page('Used already')),
    },
    /shows another page after one GET \("Welcome" became "Used already"\)/,
  ],
  [
    // Simulates an endless loop by waiting, which leaves the CPU to other tests.
    'a script without end',
    {
      '/verify': page('<script>const x = new XMLHttpRequest(); x.open("GET", "/x", false); x.send()</script>'),
      '/x': () => {},
    },
    /fails \(.*\) at the first GET: no reader/,
  ],
  [
    'a download',
    { '/verify': page('x', { 'content-disposition': 'attachment', 'set-cookie': 'sid=x' }) },
    /^\S+, opened in a browser without a click, set a session cookie, "sid"/,
  ],
  ['an answer without a page', { '/verify': status(204) }, null],
];

/** A browser whose pages navigate during the first read, which then fails with Playwright's error. */
const leftOnce = (browser: ScanBrowser): ScanBrowser => ({
  async newContext(options) {
    const context = await browser.newContext(options);
    const newPage = async () => {
      const page = await context.newPage();
      let isLeft = false;
      const evaluate = async (script: string) => {
        if (isLeft) return page.evaluate(script);
        isLeft = true;
        throw new Error('page.evaluate: Execution context was destroyed, most likely because of a navigation\nlog');
      };
      const named = { goto: page.goto.bind(page), on: page.on.bind(page), mainFrame: page.mainFrame.bind(page) };
      return { ...named, evaluate };
    };
    return { newPage, cookies: context.cookies.bind(context), close: context.close.bind(context) };
  },
});

describe('the scan of a link in a browser', () => {
  test('runs scripts and clicks nothing', needs('Chromium'), async () => {
    const browser = await launched();
    try {
      // Three at a time, because a browser with ten pages is too slow on a busy machine.
      for (let from = 0; from < IN_BROWSER.length; from += 3) {
        const rows = IN_BROWSER.slice(from, from + 3);
        const scan = ([, pages]: (typeof rows)[number]) => scanned(pages, { as: 'browser', browser, timeout: 100_000 });
        for (const [index, { problems }] of (await Promise.all(rows.map(scan))).entries()) {
          const [name, , problem] = rows[index] as (typeof rows)[number];
          if (problem === null) expect(problems, name).toEqual([]);
          else expect(problems.join(' '), name).toMatch(problem);
        }
      }
      const left = await scanned(
        { '/verify': CONFIRM },
        { as: 'browser', browser: leftOnce(browser), timeout: 100_000 },
      );
      expect(left.problems, 'a page that goes elsewhere while it is read').toEqual([]);
      const late = await scanned({ '/verify': CONFIRM }, { as: 'browser', browser, timeout: 1_000 });
      expect(late.problems).toEqual([expect.stringContaining('the time for all links ran out')]);
      expect(late.links[0]?.visits[1]).toMatchObject({ answers: [], text: '' });
      expect(browser.contexts()).toEqual([]);
    } finally {
      await browser.close();
    }
  });
});

describe('followLink', () => {
  test('returns the redirects, their cookies and the page', async () => {
    const { url } = await siteOf({ '/verify': redirect('/in', SESSION), '/in': page('<h1>Welcome</h1>') });
    const followed = await followLink(`${url}/verify?token=x#top`);
    expect(followed).toMatchObject({ url: `${url}/in#top`, status: 200, text: 'Welcome' });
    expect(followed.answers.map(({ status }) => status)).toEqual([302, 200]);
    expect(followed.cookies).toEqual([{ name: 'sid', value: 'k3v2x7m5q4tp', httpOnly: true }]);
  });

  test('follows a redirect to another host only if the test allows that host', async () => {
    const other = await siteOf({ '/in': page('Welcome') });
    const { url } = await siteOf({ '/verify': redirect(`${other.url}/in`) });
    const { host } = new URL(other.url);
    const error = await followLink(`${url}/verify`).catch((error) => error);
    expect(error).toBeInstanceOf(MayflyLinkError);
    expect(error.message).toContain(`that is another host. To allow it, set hosts: ['${host}'].`);
    expect(error.answers).toHaveLength(1);
    expect(other.requests).toEqual([]);
    expect((await followLink(`${url}/verify`, { hosts: [host] })).status).toBe(200);
  });

  test.each(['javascript:alert(1)', 'file:///etc/passwd', 'http://[', ''])('rejects the link %j', async (link) => {
    await expect(followLink(link)).rejects.toThrow('followLink: the link must be an http or https address.');
  });

  test.each(['javascript:alert(1)', 'file:///etc/passwd'])('rejects a redirect to %j', async (location) => {
    const { url } = await siteOf({ '/verify': redirect(location) });
    await expect(followLink(`${url}/verify`)).rejects.toThrow('which is not an http or https address');
  });

  test('rejects a redirect from https to http, even to an allowed host', async () => {
    const plain = await siteOf({ '/in': page('Welcome') });
    const { private: key, cert } = await generate(undefined, { keyType: 'ec' });
    const answer = (_: unknown, response: ServerResponse) =>
      response.writeHead(302, { location: `${plain.url}/in` }).end();
    const secure = createServer({ key, cert }, answer).listen(0, '127.0.0.1');
    await once(secure, 'listening');
    // Makes Node accept the certificate. Node reads this variable at each connection.
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    try {
      const link = `https://127.0.0.1:${(secure.address() as AddressInfo).port}/verify`;
      const followed = followLink(link, { hosts: [new URL(plain.url).host] });
      await expect(followed).rejects.toThrow('http would expose the secret in the link.');
      expect(plain.requests).toEqual([]);
    } finally {
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
      secure.closeAllConnections();
      secure.close();
    }
  });

  test('sends user and password of a link as HTTP Basic credentials, and no error message contains them', async () => {
    const seen: unknown[] = [];
    const { url } = await siteOf({
      '/verify': ({ headers }, response) => {
        seen.push(headers.authorization);
        response.writeHead(302, { location: '/in' }).end();
      },
      '/in': ({ headers, socket }) => {
        seen.push(headers.authorization);
        socket.destroy();
      },
    });
    const link = `${url.replace('//', '//ann:p%40s%@')}/verify`;
    const error = await followLink(link).catch((error) => error);
    expect(seen).toEqual(Array(2).fill(`Basic ${btoa('ann:p@s%')}`));
    expect(error).toBeInstanceOf(MayflyLinkError);
    expect(error.message).not.toMatch(/ann|p%40s/);
  });

  test('decodes a Location header as UTF-8, and returns the visible text of the page', async () => {
    const html =
      '<p>İİİİ</p><!-- <p>a > b</p> --><p class="long-enough">Don&#39;t &amp; won&#x2019;t&nbsp;&lt;&no;</p>';
    const { url } = await siteOf({
      '/verify': ({ socket }) =>
        void socket.end('HTTP/1.1 302 Found\r\nLocation: /ü\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'),
      '/%C3%BC': page(html),
    });
    const followed = await followLink(`${url}/verify`);
    expect(followed).toMatchObject({ url: `${url}/%C3%BC`, text: "İİİİ Don't & won’t <&no;" });
  });

  test('rejects when its timeout ends', async () => {
    const { url } = await siteOf({ '/verify': () => {} });
    await expect(followLink(`${url}/verify`, { timeout: 50 })).rejects.toThrow(/to its end: the time ran out$/);
  });
});
