import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { chromium } from '@playwright/test';
import { Mayfly } from 'mayfly-client';
import { followLink, scanLinks } from 'mayfly-client/links';
import { startMayfly } from 'mayfly-inbox';
import { createTransport } from 'nodemailer';
import { atOnce, click, script, startApp } from './app.mjs';

let service;
let mayfly;

before(async () => {
  service = await startMayfly();
  mayfly = new Mayfly({ baseUrl: service.url, domain: service.domain });
});

after(() => service?.stop());

/** Starts an application, which stops with the test. Resolves to an inbox with the application's link. */
async function inboxWithLink(t, linkDoes) {
  const app = await startApp(linkDoes, createTransport(service.smtp));
  t.after(() => app.stop());
  const inbox = mayfly.createInbox();
  await app.sendLink(inbox.address);
  return inbox;
}

for (const as of ['head', 'get']) {
  test(`a link whose page has a button survives ${as}`, async (t) => {
    const inbox = await inboxWithLink(t, click);
    await scanLinks(inbox, { as });
    assert.equal((await followLink(await inbox.waitForMagicLink())).status, 200);
  });

  test(`a link that signs in on GET does not survive ${as}`, async (t) => {
    const inbox = await inboxWithLink(t, atOnce);
    await assert.rejects(scanLinks(inbox, { as }), /a scanner would be signed in.* answers 410 after one/);
    assert.equal((await followLink(await inbox.waitForMagicLink())).status, 410);
  });
}

test('a scanner in a browser uses up each link unless its page has a button', async (t) => {
  const { CHROMIUM } = process.env;
  const isRoot = process.getuid?.() === 0;
  const browser = await chromium.launch({
    ...(CHROMIUM !== undefined && { executablePath: CHROMIUM }),
    args: isRoot ? ['--no-sandbox'] : [],
  });
  t.after(() => browser.close());
  const inboxes = [click, atOnce, script].map((linkDoes) => inboxWithLink(t, linkDoes));
  const [clicked, signedIn, scripted] = await Promise.all(inboxes);

  await scanLinks(scripted, { as: 'head' });
  await scanLinks(scripted, { as: 'get' });
  await Promise.all([
    scanLinks(clicked, { as: 'browser', browser }),
    assert.rejects(scanLinks(signedIn, { as: 'browser', browser }), /a scanner would be signed in/),
    assert.rejects(scanLinks(scripted, { as: 'browser', browser }), /opened in a browser without a click/),
  ]);
  assert.equal((await followLink(await clicked.waitForMagicLink())).status, 200);
});
