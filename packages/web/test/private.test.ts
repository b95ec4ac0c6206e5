import { Mayfly } from 'mayfly-client';
import { afterAll, expect, test } from 'vitest';
import { endAll, serve, transportTo } from '../../server/test/service/process.js';
import { describeInBrowser } from './browser.js';

describeInBrowser('a private inbox in the page', (browser) => {
  afterAll(endAll);

  test('a private inbox takes its secret from the URL, and removes the secret from the URL', async () => {
    const mayfly = await serve(['--store', 'memory:', '--fetch-limit', 'off']);
    const inbox = new Mayfly({ baseUrl: mayfly.url }).createInbox({ private: true });
    const mail = { from: 'a@app.test', to: inbox.address, subject: 'For one only', html: '<p>Your code is 482913</p>' };
    await transportTo(mayfly).sendMail(mail);
    const page = await browser.open('about:blank');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(inbox.pageUrl);
    await page.getByText('For one only').first().waitFor();
    await page.frameLocator('iframe').getByText('Your code is 482913').waitFor();
    expect(page.url()).not.toContain(inbox.secret);
    // The inbox stays open in this tab after a reload.
    await page.reload();
    await page.getByText('For one only').first().waitFor();
    expect(asked.filter((url) => url.split('#')[0]?.includes(inbox.secret as string))).toEqual([]);
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(inbox.secret);
  });

  test('a private inbox asks for its secret, and rejects a wrong secret', async () => {
    const mayfly = await serve(['--store', 'memory:', '--fetch-limit', 'off']);
    const inbox = new Mayfly({ baseUrl: mayfly.url }).createInbox({ private: true });
    await transportTo(mayfly).sendMail({ from: 'a@app.test', to: inbox.address, subject: 'For one only', text: 'x' });
    const page = await browser.open(`${mayfly.url}/inbox/${inbox.name}`);
    await page.getByText('Only its secret opens this inbox.').waitFor();
    const enter = async (secret: string) => {
      await page.getByLabel('Secret of the inbox').fill(secret);
      await page.getByRole('button', { name: 'Open the inbox' }).click();
    };
    await enter('short');
    await page.getByText('A secret has 16 to 512 letters').waitFor();
    await enter('another-secret-of-mine');
    await page.getByText('This secret does not open the inbox.').waitFor();
    await enter(inbox.secret as string);
    await page.getByText('For one only').first().waitFor();
  });
});
