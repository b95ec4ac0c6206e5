import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Mayfly } from 'mayfly-client';
import { followLink, scanLinks } from 'mayfly-client/links';
import { startMayfly } from 'mayfly-inbox';
import { createTransport } from 'nodemailer';
import { atOnce, click, startApp } from './app.mjs';

let service;
let mayfly;

before(async () => {
  service = await startMayfly();
  mayfly = new Mayfly({ baseUrl: service.url, domain: service.domain });
});

after(() => service?.stop());

/** An inbox with the link of an application, which ends with the test. */
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

  test(`a link that signs in at once does not survive ${as}`, async (t) => {
    const inbox = await inboxWithLink(t, atOnce);
    await assert.rejects(scanLinks(inbox, { as }), /a scanner would be signed in.* answers 410 after one/);
    assert.equal((await followLink(await inbox.waitForMagicLink())).status, 410);
  });
}
