import { Mayfly } from 'mayfly-client';
import { expect, test } from 'vitest';
import { ONE } from '../../server/test/service/two-workspaces.js';
import { clipboard, describeInBrowser } from './browser.js';
import { goWithKey, sharedMayfly } from './shared-mayfly.js';

describeInBrowser('a private inbox in the page', (browser) => {
  const mayfly = sharedMayfly(['--ad-hoc-workspaces', '--fetch-limit', 'off']);

  test('a private inbox takes its secret from the URL, and removes the secret from the URL', async () => {
    const inbox = new Mayfly({ baseUrl: mayfly.url }).createInbox({ private: true });
    const mail = { from: 'a@app.test', to: inbox.address, subject: 'For one only', html: '<p>Your code is 482913</p>' };
    await mayfly.smtp.sendMail(mail);
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

  test('the start page makes a private inbox, which a copied link opens in another browser', async () => {
    const page = await browser.open(mayfly.url);
    await page.getByRole('button', { name: 'New private address' }).click();
    await page.getByText('Only its secret opens this inbox.').waitFor();
    const copied = async (what: string) => {
      await page.getByRole('button', { name: `Copy ${what}` }).click();
      return clipboard(page);
    };
    const to = await copied('address');
    expect(to).toMatch(/^p-[a-z2-7]{26}@/);
    const code = await copied('code for a test');
    await mayfly.smtp.sendMail({ from: 'a@app.test', to, subject: 'For one only', text: 'x' });
    await page.locator('.row', { hasText: 'For one only' }).waitFor();
    const link = await copied('link to the private inbox');
    const secret = new URL(link).hash.slice(1);
    expect(code).toBe(`mayfly.inbox('${to}', { secret: '${secret}' })`);
    expect(await page.locator('body').innerText()).not.toContain(secret);
    const other = await browser.open(link);
    await other.getByText('For one only').first().waitFor();
  });

  test('a private inbox asks for its secret, and rejects a wrong secret', async () => {
    const inbox = new Mayfly({ baseUrl: mayfly.url }).createInbox({ private: true });
    await mayfly.smtp.sendMail({ from: 'a@app.test', to: inbox.address, subject: 'For one only', text: 'x' });
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

  test('the secret of a private inbox takes precedence over credentials, until the tab leaves the inbox', async () => {
    const inbox = new Mayfly({ baseUrl: mayfly.url }).createInbox({ private: true });
    const html = '<p>Your code is 482913</p>';
    await mayfly.smtp.sendMail({ from: 'a@app.test', to: inbox.address, subject: 'For one only', html });
    const page = await browser.open(mayfly.url);
    await goWithKey(page, inbox.pageUrl, ONE);
    await page.getByText('For one only').first().waitFor();
    await page.frameLocator('iframe').getByText('Your code is 482913').waitFor();
    await page.getByRole('button', { name: 'Leave the private inbox' }).click();
    await page.getByText('This is the inbox of the workspace run-1.').waitFor();
    await page.getByText('Workspace run-1', { exact: true }).waitFor();
    await page.getByLabel('Secret of the inbox').fill(inbox.secret as string);
    await page.getByRole('button', { name: 'Open the inbox' }).click();
    await page.getByText('For one only').first().waitFor();
    // The application must not send with the credentials: its mail would be in the workspace.
    await page.getByRole('button', { name: 'Use this email' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Copy Send it again' }).click();
    const command = await clipboard(page);
    expect(command).toContain(`Bearer ${inbox.secret}`);
    expect(command).not.toContain(ONE);
    expect(await dialog.innerText()).not.toContain(inbox.secret);
  });
});
