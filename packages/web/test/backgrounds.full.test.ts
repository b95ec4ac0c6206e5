import type { Page } from '@playwright/test';
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

/** The distance between compared pixels. */
const STEP = 5;

type Edges = Readonly<Record<'top' | 'left' | 'right' | 'bottom', readonly string[]>>;

/** Adds the style inline: in a document without scripts, no event reports that a style sheet has been loaded. */
function addStyle(css: string): void {
  const style = document.createElement('style');
  style.textContent = css;
  document.head.append(style);
}

describeInBrowser('the background of an email', (browser) => {
  const mayfly = sharedMayfly(['--fetch-limit', 'off', '--read-limit', 'off', '--smtp-limit', 'off']);

  /** Returns the pixels along the edges of a rendered page. */
  async function edgesOf(page: Page, reader: Page): Promise<Edges> {
    const image = `data:image/png;base64,${(await page.screenshot()).toString('base64')}`;
    return reader.evaluate(
      async ({ image, step }) => {
        const { width, height, data } = await pixelsOf(image);
        const at = (x: number, y: number) => data.slice((y * width + x) * 4, (y * width + x) * 4 + 3).join();
        const along = (length: number, pixel: (n: number) => string) =>
          Array.from({ length: Math.floor(length / step) }, (_, n) => pixel(n * step));
        return {
          top: along(width, (x) => at(x, 0)),
          bottom: along(width, (x) => at(x, height - 1)),
          left: along(height, (y) => at(0, y)),
          right: along(height, (y) => at(width - 1, y)),
        };

        async function pixelsOf(address: string): Promise<ImageData> {
          const picture = new Image();
          picture.src = address;
          await picture.decode();
          const canvas = document.createElement('canvas');
          canvas.width = picture.width;
          canvas.height = picture.height;
          const context = canvas.getContext('2d') as CanvasRenderingContext2D;
          context.drawImage(picture, 0, 0);
          return context.getImageData(0, 0, picture.width, picture.height);
        }
      },
      { image, step: STEP },
    );
  }

  /** Opens one page that only loads previews, and one that reads screenshots. */
  async function openBoth(): Promise<{ page: Page; reader: Page }> {
    const page = await browser.open('about:blank');
    const reader = await browser.openBeside(page, 'about:blank');
    await page.route(/^(?!data:)/, (route) =>
      route.request().url().startsWith(mayfly.url) ? route.fallback() : route.abort(),
    );
    return { page, reader };
  }

  interface Compared {
    readonly byItself: Edges;
    readonly previewed: Edges;
  }

  /** Renders HTML in the browser and in the preview, at each width, and returns the edges of both. */
  async function compared(
    html: string,
    { page, reader }: { page: Page; reader: Page },
    widths = WIDTHS,
  ): Promise<Compared[]> {
    const name = freshName();
    await mayfly.smtp.sendMail({ to: `${name}@inbox.example.com`, from: 'a@app.test', html });
    const { emails } = (await (await fetch(`${mayfly.url}/api/inbox/${name}`)).json()) as {
      emails: { receivedAt: string }[];
    };
    const both = [];
    for (const width of widths) {
      await page.setViewportSize({ width, height: HEIGHT });
      // Adds a doctype if the email lacks one, because webmail lays out all email in standards mode.
      await page.setContent(/^\s*<!doctype/i.test(html) ? html : `<!doctype html>${html}`);
      await page.evaluate(addStyle, STYLE);
      const byItself = await edgesOf(page, reader);
      await page.goto(`${mayfly.url}/api/inbox/${name}/${emails[0]?.receivedAt}/html`);
      await page.evaluate(addStyle, STYLE);
      both.push({ byItself, previewed: await edgesOf(page, reader) });
      await page.goto('about:blank');
    }
    return both;
  }

  test.each(Object.entries(MAILS))('the preview has the background that a browser shows: %s', async (_, html) => {
    for (const { byItself, previewed } of await compared(html, await openBoth())) expect(previewed).toEqual(byItself);
  });
});
