import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { Mayfly } from 'mayfly-client';
import { startMayfly } from 'mayfly-inbox';
import { remote } from 'webdriverio';

/** Without the two paths, WebdriverIO uses its own browser. Chromium's sandbox fails for root, as in containers. */
const { CHROMIUM, CHROMEDRIVER, APP_PORT = '3000' } = process.env;
const ARGUMENTS = ['--headless=new', '--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])];

let service;
let application;
let browser;

before(async () => {
  service = await startMayfly();
  const env = { ...process.env, PORT: APP_PORT, SMTP_PORT: String(service.smtp.port) };
  application = spawn(process.execPath, ['../sign-up-app/server.js'], { env });
  await once(application.stdout, 'data');
  browser = await remote({
    logLevel: 'warn',
    baseUrl: `http://127.0.0.1:${APP_PORT}`,
    capabilities: {
      browserName: 'chrome',
      'goog:chromeOptions': { args: ARGUMENTS, ...(CHROMIUM && { binary: CHROMIUM }) },
      ...(CHROMEDRIVER && { 'wdio:chromedriverOptions': { binary: CHROMEDRIVER } }),
    },
  });
});

after(async () => {
  await browser?.deleteSession();
  application?.kill();
  await service?.stop();
});

test('sign up with the code of the email', { timeout: 120_000 }, async () => {
  const inbox = new Mayfly({ baseUrl: service.url, domain: service.domain }).createInbox();
  await browser.url('/');
  await browser.$('input[name=email]').setValue(inbox.address);
  await browser.$('button').click();
  await browser.$('input[name=code]').setValue(await inbox.waitForOtp());
  await browser.$('button').click();
  await browser.$(`p=Welcome, ${inbox.address}`).waitForDisplayed();
  assert.equal(await browser.$('h1').getText(), 'Nimbus');
});
