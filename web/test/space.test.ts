import { afterAll, expect, test } from 'vitest';
import { endAll, serve, transportTo } from '../../server/test/service/process.js';
import { describeInBrowser } from './browser.js';

describeInBrowser('a space in the page', (browser) => {
  afterAll(endAll);

  test('is shown with its pair, and nothing of it without', async () => {
    const mayfly = await serve(['--store', 'memory:', '--spaces', '--fetch-limit', 'off']);
    const smtp = transportTo(mayfly, { auth: { user: 'run-1', pass: 'secret-of-one' } });
    const mail = { from: 'a@app.test', subject: 'In the space', html: '<p>Your code is 739164</p>' };
    await smtp.sendMail({ ...mail, to: 'alice@app.example' });
    smtp.close();
    const page = await browser.open(`${mayfly.url}/inbox/alice@inbox.test`);
    await page.getByText('Live', { exact: true }).waitFor();
    const enter = async (pair: string) => {
      await page.getByRole('button', { name: 'API key' }).click();
      await page.getByRole('dialog').getByLabel('API key of your workspace, or USER:PASSWORD of your space').fill(pair);
      await page.getByRole('dialog').getByRole('button', { name: 'Use this key' }).click();
    };
    await enter('run-1:short');
    await page.getByText('or USER:PASSWORD, as your application signs in to SMTP').waitFor();
    await page.keyboard.press('Escape');
    await enter('run-1:secret-of-one');
    await page.goto(`${mayfly.url}/inbox/alice@app.example`);
    await page.getByText('In the space').first().waitFor();
    await page.frameLocator('iframe').getByText('Your code is 739164').waitFor();
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('secret-of-one');
    await enter('run-1:secret-of-two');
    await page.getByText('Live', { exact: true }).waitFor();
    expect(await page.getByText('In the space').count()).toBe(0);
  });
});
