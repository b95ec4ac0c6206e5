import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { clipboard, describeInBrowser, freshName } from './browser.js';
import { goWithKey, sharedMayfly } from './shared-mayfly.js';

const PDF = Buffer.from('%PDF-1.7 an invoice');

const INVOICE = {
  from: '"Shop" <billing@shop.example>',
  cc: 'Ada Lovelace <ada@app.test>, team@app.test',
  replyTo: 'Support <help@shop.example>',
  subject: 'Your invoice',
  text: 'It is attached.',
  attachments: [
    { filename: 'Rechnung März.pdf', content: PDF },
    { filename: 'terms.txt', content: 'Terms' },
  ],
};

const CODE_AND_LINK = 'Your code is 482913. Or open https://app.test/verify?token=8Qm2Vx7Lk0';

/** The height of a line of a subject. */
const LINE_PX = 28.6;

/** Returns the elements that are wider than their parents. */
function widest(): string[] {
  const all = [
    document.documentElement,
    ...document.querySelectorAll('.mail, .mail .scroll, .panel-actions, .toolbar'),
  ];
  return all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.className || one.tagName);
}

const RTL = '\u202e';

/** The texts of the page, and those that only a screen reader, a tooltip or the tab shows. */
function everyText(): string {
  const names = ['title', 'aria-label', 'alt', 'placeholder'];
  const attributes = [...document.querySelectorAll('*')].flatMap((one) => names.map((name) => one.getAttribute(name)));
  return [document.title, document.body.textContent, ...attributes].join('\n');
}

describeInBrowser('the contents of an email', (browser) => {
  const mayfly = sharedMayfly(['--fetch-limit', 'off']);

  const open = async (mail: object, options = {}) => {
    const name = freshName();
    await mayfly.smtp.sendMail({ to: `${name}@inbox.example.com`, from: 'a@app.test', subject: 'A mail', ...mail });
    return browser.open(`${mayfly.url}/inbox/${name}`, options);
  };
  const fact = (page: Page, name: string) =>
    page.locator('.mail-facts div', { has: page.getByText(name, { exact: true }) });
  const tab = async (page: Page, name: string) => {
    await page.getByRole('tab', { name }).click();
    return page.getByRole('tabpanel', { name });
  };

  test('an email shows sender, recipients, reply address, exact time and size', async () => {
    const page = await open(INVOICE);
    await fact(page, 'Cc').getByText('Ada Lovelace').waitFor();
    expect(await fact(page, 'From').locator('dd').textContent()).toBe('Shop billing@shop.example');
    expect(await fact(page, 'Cc').locator('dd').textContent()).toBe('Ada Lovelace ada@app.testteam@app.test');
    expect(await fact(page, 'Reply-To').locator('dd').textContent()).toBe('Support help@shop.example');
    expect(await fact(page, 'Date').locator('time').textContent()).toMatch(/\d\d:\d\d:\d\d\.\d{3}/);
    expect(await fact(page, 'Size').locator('dd').textContent()).toMatch(/^\d+ B$|^1\.\d KB$/);
    expect(await page.locator('.row-from').textContent()).toBe('Shop');
    expect(await page.locator('.row-time').getAttribute('title')).toMatch(/\d\d:\d\d:\d\d\.\d{3}/);
    // The time left is shown only in the last minutes.
    expect(await page.locator('.row-left').count()).toBe(0);
  });

  test('a text message is marked, shows its numbers and its text, and has no tabs for HTML', async () => {
    const body = new URLSearchParams({ From: '+15005550006', To: '+15555550142', Body: 'Your code is 482913' });
    const headers = { authorization: `Basic ${btoa('ACany:any')}` };
    await fetch(`${mayfly.url}/2010-04-01/Accounts/ACany/Messages.json`, { method: 'POST', body, headers });
    const page = await browser.open(`${mayfly.url}/inbox/+15555550142`);
    await page.getByRole('heading', { name: 'Text message' }).locator('.icon').waitFor();
    await page.locator('.row-subject:has(.icon)', { hasText: 'Text message' }).waitFor();
    expect(await fact(page, 'From').locator('dd').textContent()).toBe('+15005550006');
    expect(await fact(page, 'To').locator('dd').textContent()).toBe('+15555550142');
    expect(await page.locator('.source').textContent()).toContain('Your code is 482913');
    expect((await page.getByRole('tab').allTextContents()).join()).toBe('Text,Links,Headers,Source,Why this code?');
  });

  test('an email shows the address that received it if its header names another address', async () => {
    const name = freshName();
    await mayfly.smtp.sendMail({
      envelope: { from: 'a@app.test', to: `${name}@inbox.example.com` },
      from: 'a@app.test',
      to: 'list@app.test',
      subject: 'To a list',
      text: 'x',
    });
    const page = await browser.open(`${mayfly.url}/inbox/${name}`);
    await fact(page, 'Received for').getByText(`${name}@inbox.example.com`).waitFor();
  });

  test('the page shows the beginning of a long email, and says that the text is cut', async () => {
    const page = await open({ text: `${'Some words. '.repeat(100)}\n`.repeat(600) });
    const shownChars = async (name: string) => {
      const panel = await tab(page, name);
      await panel.getByText(name === 'Text' ? 'Only the beginning is shown.' : 'The first 64 KiB are shown.').waitFor();
      return (await panel.locator('pre').textContent())?.length ?? 0;
    };
    expect(await shownChars('Text')).toBe(256 * 1024);
    expect(await shownChars('Source')).toBeLessThanOrEqual(64 * 1024);
  });

  test('attachments are listed with name and size, and can be downloaded unchanged', async () => {
    const page = await open(INVOICE);
    const attachments = page.getByRole('region', { name: 'Attachments' });
    await attachments.getByText(`2 attachments, ${PDF.length + 5} B`).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      attachments.getByRole('link', { name: 'Download Rechnung März.pdf' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('Rechnung März.pdf');
    expect(await readFile(await download.path())).toEqual(PDF);
    await page.locator('.row-sign[title="2 attachments"]').waitFor();
  });

  test('an attachment in an inbox of a workspace can be downloaded after the API key is entered', async () => {
    await mayfly.smtp.sendMail({ to: 'acme-files@inbox.example.com', ...INVOICE });
    const page = await browser.open('about:blank');
    await goWithKey(page, `${mayfly.url}/inbox/acme-files`);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download Rechnung März.pdf' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('Rechnung März.pdf');
    expect(await readFile(await download.path())).toEqual(PDF);
  });

  test('invisible characters of a header are escaped, and "As received" shows the raw header', async () => {
    const page = await open({
      from: { name: `PayPal${RTL}gro`, address: 'a@stranger.example' },
      subject: `invoice${RTL}fdp.exe`,
      text: 'x',
    });
    await page.getByRole('heading', { name: 'invoiceU+202Efdp.exe' }).waitFor();
    const sender = page.locator('.row-from');
    expect(await sender.textContent()).toBe('PayPalU+202Egro');
    expect(await sender.locator('> *').evaluate((name) => getComputedStyle(name).unicodeBidi)).toBe('isolate');
    const panel = await tab(page, 'Headers');
    await panel.getByRole('row', { name: 'Subject invoiceU+202Efdp.exe' }).waitFor();
    await panel.getByLabel('As received').check();
    await panel.getByRole('row', { name: /^Subject =\?UTF-8\?/i }).waitFor();
  });

  test('a change of direction in any part of an email is written out on each part of the page', async () => {
    const spoof = (text: string) => `${text}${RTL}fdp.exe`;
    const raw = [
      ...[
        `From: "${spoof('Bank')}" <a@stranger.example>`,
        `Subject: ${spoof('invoice')}`,
        `X-Spoof: ${spoof('header')}`,
      ],
      ...['Content-Type: multipart/mixed; boundary=b', '', '--b', '', spoof('text')],
      ...['--b', 'Content-Type: text/html; charset=utf-8', '', `<p>${spoof('body')}</p>`],
      ...[`<a href="https://a.test/verify?token=1#${RTL}">${spoof('link')}</a>`, '--b'],
      ...[`Content-Disposition: attachment; filename="${spoof('file')}.txt"`, '', spoof('content'), '--b--'],
    ].join('\r\n');
    const page = await open({ raw });
    const shows = async (within: Page | Locator, text: string) => {
      await within.getByText(text).first().waitFor();
      expect(await page.evaluate(everyText)).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
    };
    const parts = { Text: 'text[U+202E]', Links: 'linkfdp.exe', HTML: 'body[U+202E]', Source: 'header[U+202E]' };
    for (const [name, text] of Object.entries({ ...parts, Headers: 'headerU+202E' })) {
      const panel = await tab(page, name);
      await shows(panel, text);
      expect(await panel.textContent()).not.toContain('U+000D');
    }
    await page.getByRole('button', { name: /^View file/ }).click();
    await shows(page.getByRole('dialog'), 'content[U+202E]');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Use this email' }).click();
    await shows(page, 'Save as fixture');
    await page.goto(`${mayfly.url}/?log=all`);
    await shows(page, 'BankU+202E');
  });

  test("the sender's address stays visible after a display name that is too long for the page", async () => {
    const from = { name: 'Your bank '.repeat(100), address: 'thief@evil.test' };
    const page = await open({ from }, { viewport: { width: 390, height: 900 } });
    await page.locator('.row-open').click({ position: { x: 60, y: 10 } });
    await page.locator('.mail-fold summary').click();
    const sender = fact(page, 'From').locator('dd');
    const bottom = async (place: Locator) => {
      const box = await place.boundingBox();
      return (box?.y ?? 0) + (box?.height ?? 0);
    };
    const address = sender.locator('.person-address');
    await address.waitFor();
    expect(await bottom(address)).toBeLessThanOrEqual((await bottom(sender)) + 1);
    // The rest of the name is in the tab Headers.
    const name = sender.locator('strong');
    expect(await name.evaluate((one) => one.scrollHeight > one.clientHeight)).toBe(true);
  });

  test.each([390, 1440])('words without a break fit into a width of %i', async (width) => {
    const from = { name: 'N'.repeat(200), address: `${'a'.repeat(64)}@${'b'.repeat(60)}.${'c'.repeat(60)}.test` };
    const mail = {
      from,
      subject: 'S'.repeat(300),
      text: `${'W'.repeat(2_000)} https://app.test/verify?token=${'x'.repeat(900)}`,
      headers: { 'X-Long': 'y'.repeat(5_000), [`X-${'n'.repeat(120)}`]: 'v' },
    };
    const page = await open(mail, { viewport: { width, height: 900 } });
    const row = page.locator('.row-open');
    await row.click({ position: { x: 60, y: 10 } });
    const frameTop = async () => (await page.getByRole('tablist').boundingBox())?.y;
    await page.getByRole('link', { name: 'Open link' }).waitFor();
    // Despite the long sender and subject, the tabs of the email are within the window.
    expect(await frameTop()).toBeLessThan(900);
    for (const name of ['Text', 'Links', 'Headers', 'Why this code?']) {
      const panel = await tab(page, name);
      await panel.locator('.scroll').waitFor();
      expect({ name, wide: await page.evaluate(widest) }).toEqual({ name, wide: [] });
    }
  });

  test.each([768, 1440])('at a width of %i, the actions have the same place next to any subject', async (width) => {
    const placeFor = async (subject: string) => {
      const page = await open({ subject, text: CODE_AND_LINK }, { viewport: { width, height: 900 } });
      await page.locator('.row-open').click({ position: { x: 60, y: 10 } });
      await page.locator('.found-link').waitFor();
      const { height = 0 } = (await page.locator('.mail .title').boundingBox()) ?? {};
      return {
        lines: Math.round(height / LINE_PX),
        box: await page.getByRole('toolbar', { name: 'Actions' }).boundingBox(),
      };
    };
    const short = await placeFor('Hi');
    expect(short.lines).toBe(1);
    expect(await placeFor('A subject of many words '.repeat(20))).toEqual({ lines: 2, box: short.box });
  });

  test.each([
    ['https://login.app.test/verify', 390],
    ['https://login.app.test/verify', 1440],
    [`https://bank.example.${'a'.repeat(60)}.evil.test/verify`, 390],
  ])('the link %s has one line at a width of %i, and shows its end and the end of its host', async (address, width) => {
    const link = `${address}?token=${'x'.repeat(900)}The-End-012345`;
    const page = await open({ text: `Confirm: ${link}` }, { viewport: { width, height: 900 } });
    await page.locator('.row-open').click({ position: { x: 60, y: 10 } });
    const line = page.locator('.found-address');
    await line.waitFor();
    const { x = 0, width: room = 0, height = 0 } = (await line.boundingBox()) ?? {};
    expect(height).toBeLessThan(30);
    expect(await line.textContent()).toBe(link.slice('https://'.length));
    const box = async (part: string) => (await line.locator(part).last().boundingBox()) ?? { x: 0, width: 0 };
    const end = await box('.link-end');
    expect(end.x + end.width).toBeCloseTo(x + room, 0);
    // Seven characters of the end stay visible.
    expect(end.width).toBeGreaterThan(50);
    // The middle has room for its ellipsis: without it, the line would show another address.
    expect((await box('.link-middle')).width).toBeGreaterThan(15);
    const host = await box('.link-host');
    const text = await box('.link-host bdi');
    expect(text.x + text.width).toBeCloseTo(host.x + host.width, 0);
    // Only a host without enough room is truncated, at its beginning.
    expect(text.x < host.x).toBe(address.includes('bank'));
  });

  test.each([1, 1.5, 2])('the header of an email shows no lines at a pixel ratio of %d', async (deviceScaleFactor) => {
    const options = { viewport: { width: 1440, height: 900 }, deviceScaleFactor, bypassCSP: true };
    const page = await open({ ...INVOICE, text: CODE_AND_LINK }, options);
    await fact(page, 'Cc').getByText('Ada Lovelace').waitFor();
    const shot = (style: string) => page.locator('.mail-top').screenshot({ style });
    const empty = await shot('.mail-top * { visibility: hidden !important }');
    // Without its letters, the header looks as if it were hidden.
    const bare = '.mail-head * { color: transparent !important; stroke: transparent !important }';
    expect((await shot(`${bare} .found * { visibility: hidden } .found { visibility: hidden }`)).equals(empty)).toBe(
      true,
    );
  });

  test('a table lists every link with its text and its host in bold, and copies its address', async () => {
    const page = await open({
      html:
        '<p>Welcome. <a href="https://app.test/verify?token=8Qm2Vx7Lk0">Verify your email</a></p>' +
        '<p><a href="https://bank.example:secret@evil.example/">Your bank</a> <a href="mailto:help@app.test">Write to us</a></p>',
    });
    await page.locator('.row-link').waitFor();
    const panel = await tab(page, 'Links');
    const links = panel.locator('tbody').getByRole('row');
    await links.nth(2).waitFor();
    expect(await links.nth(0).locator('td').first().textContent()).toBe('Verify your email Action link');
    expect(await links.nth(0).locator('strong').allTextContents()).toEqual(['app.test']);
    expect(await links.nth(1).locator('.link-host').textContent()).toBe('evil.example');
    await links.nth(1).getByText('this leads to').waitFor();
    expect(await links.nth(1).getByRole('link', { name: 'Open' }).getAttribute('href')).toContain('@evil.example/');
    expect(await links.nth(2).getByRole('link').count()).toBe(0);
    await links.nth(1).getByRole('button', { name: 'Copy link' }).click();
    expect(await clipboard(page)).toBe('https://bank.example:secret@evil.example/');
  });

  test.each([
    ['<p>Hello</p><a href="https://app.test/">x</a><img src="cid:logo">', 0],
    ['<p style="background: url(//app.test/a.png)">Hello</p>', 1],
  ])('HTML body %s: the preview has %i options "Load remote images"', async (html, count) => {
    const page = await open({ html: `<p>shown</p>${html}` });
    await (await tab(page, 'HTML')).getByText('shown').waitFor();
    await page.getByRole('tab', { name: 'Preview' }).click();
    expect(await page.getByLabel('Load remote images').count()).toBe(count);
  });
});
