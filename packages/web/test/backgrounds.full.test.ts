import type { Page } from '@playwright/test';
import { Mayfly } from 'mayfly-client';
import { expect, test } from 'vitest';
import { describeInBrowser, freshName } from './browser.js';
import { sharedMayfly } from './shared-mayfly.js';

const NAVY = 'background:#102a43';

/** Emails that set a background in different ways. */
const MAILS: Readonly<Record<string, string>> = {
  'an attribute of the body': '<body bgcolor="#102a43"><p>shown</p></body>',
  'a style sheet': `<style>body{${NAVY}}</style><p>shown</p>`,
  'both, each with its own': `<html style="background:#fed7d7"><body style="${NAVY}"><p>shown</p></body></html>`,
  'a reset of all margins': `<style>*{margin:0;padding:0}div{${NAVY};height:900px}</style><div>shown</div>`,
  'an old doctype': `<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd"><html><body style="margin:0;${NAVY}"><table cellspacing="0" cellpadding="0" width="100%"><tr><td><img width="9" height="600" alt=""></td></tr><tr><td bgcolor="#fed7d7">shown</td></tr></table></body></html>`,
  'no background': '<p>shown</p>',
};

/** Hides letters, because only backgrounds are compared. */
const STYLE = ':where(body){font-family:sans-serif}*{color:transparent!important}';

const PHONE_WIDTH = 375;
const WIDTHS = [PHONE_WIDTH, 900];
const HEIGHT = 600;

/** Adds the style inline: in a document without scripts, no event reports that a style sheet has been loaded. */
function addStyle(css: string): void {
  const style = document.createElement('style');
  style.textContent = css;
  document.head.append(style);
}

describeInBrowser('the background of an email', (browser) => {
  const mayfly = sharedMayfly(['--fetch-limit', 'off', '--read-limit', 'off', '--smtp-limit', 'off']);

  /** Renders HTML in the browser and in the preview, at each width, and returns pictures of both. */
  async function pictures(html: string, page: Page): Promise<Buffer[][]> {
    const name = freshName();
    await mayfly.smtp.sendMail({ to: `${name}@inbox.example.com`, from: 'a@app.test', html });
    const [email] = await new Mayfly({ baseUrl: mayfly.url }).inbox(name).emails();
    const both: Buffer[][] = [];
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: HEIGHT });
      // Adds a doctype if the email lacks one, because webmail lays out all email in standards mode.
      await page.setContent(/^\s*<!doctype/i.test(html) ? html : `<!doctype html>${html}`);
      await page.evaluate(addStyle, STYLE);
      const byItself = await page.screenshot();
      await page.goto(`${mayfly.url}/api/inbox/${name}/${email?.receivedAt.toISOString()}/html`);
      await page.evaluate(addStyle, STYLE);
      both.push([byItself, await page.screenshot()]);
      await page.goto('about:blank');
    }
    return both;
  }

  test.each(Object.entries(MAILS))('the preview has the background that a browser shows: %s', async (_, html) => {
    const page = await browser.open('about:blank');
    await page.route(/^(?!data:)/, (route) =>
      route.request().url().startsWith(mayfly.url) ? route.fallback() : route.abort(),
    );
    for (const [byItself, previewed] of await pictures(html, page)) expect(previewed).toEqual(byItself);
  });
});
