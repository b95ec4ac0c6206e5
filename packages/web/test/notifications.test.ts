import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { describeInBrowser, freshName, openMore, setHidden } from './browser.js';
import { goWithKey, sharedMayfly } from './shared-mayfly.js';

/** Records notifications, because a browser without a screen shows none. */
function recordNotifications(permission: NotificationPermission): void {
  const shown: string[] = [];
  class Recorder {
    static readonly permission = permission;
    static readonly requestPermission = async () => permission;

    constructor(title: string, { body }: NotificationOptions) {
      shown.push(body ? `${title}: ${body}` : title);
    }
  }
  Object.assign(window, { Notification: Recorder, shown });
}

describeInBrowser('notifications', (browser) => {
  const mayfly = sharedMayfly(['--fetch-limit', 'off']);

  const opened = async (name: string, permission: NotificationPermission) => {
    const page = await browser.open('about:blank');
    await page.addInitScript(recordNotifications, permission);
    const url = `${mayfly.url}/inbox/${name}`;
    await (name.startsWith('acme-') ? goWithKey(page, url) : page.goto(url));
    await page.locator('[data-state="live"]').waitFor();
    return page;
  };
  const turnOn = async (page: Page) => {
    await openMore(page, 'Notifications');
    await page.getByLabel('Show notifications').click();
  };
  const send = (name: string, from = 'Shop <a@app.test>') =>
    mayfly.smtp.sendMail({ to: `${name}@inbox.example.com`, from, subject: 'Your code', text: 'Your code is 482913' });
  const arrive = async (page: Page, count: number) => expect.poll(() => page.locator('.row').count()).toBe(count);
  const shown = (page: Page) => page.evaluate(() => (window as unknown as { shown: string[] }).shown);

  test('new email is announced only after consent and in a hidden tab, with its sender and code', async () => {
    const name = freshName();
    const page = await opened(name, 'granted');
    await setHidden(page, true);
    await send(name);
    await arrive(page, 1);
    expect(await shown(page)).toEqual([]);
    await setHidden(page, false);
    await turnOn(page);
    await page.keyboard.press('Escape');
    await send(name);
    await arrive(page, 2);
    expect(await shown(page)).toEqual([]);
    await setHidden(page, true);
    await send(name, `"${'x'.repeat(300)}" <a@app.test>`);
    await arrive(page, 3);
    await expect.poll(() => shown(page)).toEqual([expect.stringMatching(/^New email: x{99,100}…?, code 482913$/)]);
  });

  test('a notification of email that needs a key says neither sender nor code', async () => {
    const name = `acme-${freshName()}`;
    const page = await opened(name, 'granted');
    await turnOn(page);
    await setHidden(page, true);
    await send(name);
    await arrive(page, 1);
    await expect.poll(() => shown(page)).toEqual(['New email']);
  });

  test('a browser that denies notifications, or has none, is explained', async () => {
    const page = await opened(freshName(), 'denied');
    await turnOn(page);
    await page.getByText('The browser blocks notifications.').waitFor();
    expect(await page.getByLabel('Show notifications').isChecked()).toBe(false);
    await page.addInitScript(() => Reflect.deleteProperty(window, 'Notification'));
    await page.reload();
    await turnOn(page);
    await page.getByText('This browser shows no notifications for this page.').waitFor();
  });
});
