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

  test('hears nothing of what is deleted in another one', async () => {
    const mayfly = await serve(['--store', 'memory:', '--spaces', '--fetch-limit', 'off']);
    const pairs = { one: ['run-1', 'secret-of-one'], two: ['run-1', 'secret-of-two'] } as const;
    const url = `${mayfly.url}/inbox/alice@app.example`;
    const start = await browser.open(`${mayfly.url}/`);
    for (const [space, [user, pass]] of Object.entries(pairs)) {
      const smtp = transportTo(mayfly, { auth: { user, pass } });
      await smtp.sendMail({ to: 'alice@app.example', from: 'a@app.test', subject: `Of ${space}`, text: 'Hello.' });
      smtp.close();
    }
    const openIn = async (space: keyof typeof pairs) => {
      const page = await browser.openBeside(start, `${mayfly.url}/`);
      await page.evaluate((pair) => sessionStorage.setItem('mayfly-api-key', pair), pairs[space].join(':'));
      await page.goto(url);
      await page.locator('.row', { hasText: `Of ${space}` }).waitFor();
      return page;
    };
    const one = await openIn('one');
    const two = await openIn('two');
    const beside = await openIn('two');
    const asked: string[] = [];
    one.on('request', (request) => asked.push(request.url()));
    await two.getByRole('button', { name: 'Empty this inbox' }).click();
    await two.getByRole('dialog').getByRole('button', { name: 'Empty this inbox' }).click();
    await beside.getByRole('alert').filter({ hasText: 'This email was deleted.' }).waitFor();
    expect(await one.getByRole('alert').allTextContents()).toEqual([]);
    expect(await one.locator('.row').count()).toBe(1);
    expect(asked.filter((address) => address.includes('/summary'))).toEqual([]);
  });
});
