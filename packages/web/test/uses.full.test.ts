import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { Mayfly } from 'mayfly-client';
import { expect, test } from 'vitest';
import { needs } from '../../../tools/needs.js';
import { clipboard, describeInBrowser, freshName } from './browser.js';
import { goWithKey, sharedMayfly, WORKSPACE } from './shared-mayfly.js';

const run = promisify(execFile);

/** A subject that, if not quoted, would run code in a shell or a program, or would look different. */
const HOSTILE = `Code'; touch /tmp/x; $(id) \`id\` "quoted" \\ end\u202etxt`;

describeInBrowser('the uses of an email', (browser) => {
  const mayfly = sharedMayfly(['--fetch-limit', 'off']);

  const opened = async (mail: object, name = freshName()) => {
    await mayfly.smtp.sendMail({
      to: `${name}@inbox.example.com`,
      from: 'a@app.test',
      subject: 'Your code',
      text: 'Your code is 482913',
      ...mail,
    });
    const page = await browser.open('about:blank');
    await goWithKey(page, `${mayfly.url}/inbox/${name}`);
    await page.getByRole('button', { name: 'Use this email' }).click();
    return { name, page };
  };
  const copied = async (page: Page, name: string) => {
    await page
      .getByRole('dialog')
      .getByRole('button', { name: `Copy ${name}` })
      .click();
    return clipboard(page);
  };
  const inShell = async (command: string) => (await run('sh', ['-c', command])).stdout;

  test.each([
    ['plain', freshName(), {}],
    ['hostile', freshName(), { subject: HOSTILE, from: `"x" <o'$(id)@app.test>` }],
    ['of a workspace', `acme-${freshName()}`, {}],
  ])('copied code reads an email, and a copied command resends it: %s', needs('curl'), async (_kind, name, mail) => {
    const { page } = await opened(mail, name);
    const curl = await copied(page, 'curl');
    expect(await inShell(curl)).toContain('"otp":"482913"');
    // A snippet is one printable line, so that a reader sees what it runs.
    for (const language of ['TypeScript', 'Python', 'curl']) {
      expect(await copied(page, language)).toMatch(/^[\x20-\x7e]+$/);
    }
    const client = new Mayfly({
      baseUrl: mayfly.url,
      apiKey: name.startsWith('acme') ? WORKSPACE : '',
    });
    const waited = new Function('inbox', `return (async () => ${await copied(page, 'TypeScript')})()`);
    expect(await waited(client.inbox(name))).toBe('482913');

    await inShell(await copied(page, 'Send it again'));
    const emails = await client.inbox(name).emails();
    expect(emails).toHaveLength(2);
    expect(emails[0]?.rawBody).toBe(emails[1]?.rawBody);
  });

  test.each([
    [{}, 'waitForOtp', 'wait_for_otp', 'subject', 'Your code'],
    [
      { text: 'Open https://app.test/verify?token=1' },
      'waitForMagicLink',
      'wait_for_magic_link',
      'subject',
      'Your code',
    ],
    [{ text: 'Your login code is XK7-Q2P' }, 'waitForCode', 'wait_for_code', 'subject', 'Your code'],
    [
      { text: 'Accept: https://app.test/i/7', subject: 'An invitation' },
      'waitForLink',
      'wait_for_link',
      'subject',
      'An invitation',
    ],
    [{ text: 'Hello.', subject: '' }, 'waitForEmail', 'wait_for_email', 'from', 'a@app.test'],
  ])('the copied test waits for %j', async (mail, typescript, python, field, value) => {
    const { page } = await opened(mail);
    expect(await copied(page, 'TypeScript')).toBe(`await inbox.${typescript}({ ${field}: "${value}" })`);
    expect(await copied(page, 'Python')).toBe(`inbox.${python}(${field.replace('from', 'from_')}="${value}")`);
  });

  test("an email's URL can be copied, and its message downloaded", async () => {
    const { name, page } = await opened({});
    await mayfly.smtp.sendMail({ to: `${name}@inbox.example.com`, from: 'a@app.test', subject: 'Later', text: 'x' });
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Save as fixture' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/\.eml$/);
    await page.goto(await copied(page, 'link to this email'));
    await page.reload();
    await page.locator('.mail .title', { hasText: 'Your code' }).waitFor();
  });

  test('an email can be compared with the previous email of the same sender', async () => {
    const name = freshName();
    const to = `${name}@inbox.example.com`;
    await mayfly.smtp.sendMail({ to, from: 'a@app.test', text: 'Hello.\nYour code is 111111' });
    await mayfly.smtp.sendMail({ to, from: 'b@app.test', text: 'Something else.' });
    const { page } = await opened({ text: 'Hello.\nYour code is 482913' }, name);
    await page.getByRole('button', { name: 'Compare with the previous email' }).click();
    const changes = page.getByRole('region', { name: 'Changes of the text' });
    await changes.getByText('+ Your code is 482913').waitFor();
    expect(await changes.locator('[data-sign="−"]').allTextContents()).toEqual(['− Your code is 111111']);
  });
});
