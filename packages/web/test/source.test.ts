import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { clipboard, describeInBrowser, freshName } from './browser.js';
import { sharedMayfly } from './shared-mayfly.js';

const HTML = '<table><tr><td>Hello <b>Ada</b><br>\u202eit is\n  here</td></tr></table><!-- end -->';

const INDENTED = [
  '<table>',
  '\t<tr>',
  '\t\t<td>Hello <b>Ada</b><br>',
  '\t\t\t[U+202E]it is',
  '\t\t\there',
  '\t\t</td>',
  '\t</tr>',
  '</table>',
  '<!-- end -->',
].join('\n');

/** The texts that a CSS highlight marks. */
function marked(name: string): string[] {
  const ranges = (CSS.highlights.get(name) ?? []) as Iterable<StaticRange>;
  return [...ranges].map(({ startContainer, startOffset, endOffset }) =>
    (startContainer.nodeValue ?? '').slice(startOffset, endOffset),
  );
}

describeInBrowser('the source of an email', (browser) => {
  const mayfly = sharedMayfly(['--fetch-limit', 'off']);

  const open = async (mail: object, query: string) => {
    const name = freshName();
    await mayfly.smtp.sendMail({ to: `${name}@inbox.example.com`, from: 'a@app.test', subject: 'A mail', ...mail });
    const page = await browser.open(`${mayfly.url}/inbox/${name}?${query}`);
    await page.locator('.source').waitFor();
    return page;
  };
  const copied = async (page: Page, act: () => Promise<void>) => {
    await page.evaluate(() => navigator.clipboard.writeText(''));
    await act();
    return clipboard(page);
  };

  test('the HTML is shown in indented lines with highlighted tags, and copied as it was sent', async () => {
    const page = await open({ html: HTML }, 'tab=html');
    const source = page.locator('.source');
    await expect.poll(() => source.textContent()).toBe(INDENTED);
    await expect.poll(() => page.evaluate(marked, 'tag')).toContain('<table');
    expect(await page.evaluate(marked, 'comment')).toEqual(['<!-- end -->']);
    expect(await copied(page, () => page.getByRole('button', { name: 'Copy HTML' }).click())).toBe(HTML);
    const ends = [INDENTED.indexOf('Ada'), INDENTED.indexOf('here')] as const;
    await source.evaluate(({ firstElementChild }, [from, to]) => {
      const node = firstElementChild?.firstChild as Text;
      getSelection()?.setBaseAndExtent(node, from, node, to);
    }, ends);
    expect(await copied(page, () => page.keyboard.press('Control+c'))).toBe('Ada</b><br>\u202eit is\n  ');
    await page.getByLabel('Indent').uncheck();
    await expect.poll(() => source.textContent()).toBe(HTML.replace('\u202e', '[U+202E]'));
  });

  test('a search within the HTML counts the matches, and Enter and the buttons go from one to the next', async () => {
    const paragraphs = '<p>One of many.</p>'.repeat(500);
    const page = await open(
      { html: `${paragraphs}<p>a.b(c)[d]\\ Needle</p>${paragraphs}<p>a-b needle</p>` },
      'tab=html',
    );
    const find = page.getByRole('searchbox', { name: 'Find in HTML' });
    const shows = (text: string) => page.getByRole('tabpanel').getByText(text, { exact: true }).waitFor();
    const isInView = () =>
      page.evaluate(() => {
        const [range] = CSS.highlights.get('current') ?? [];
        if (range === undefined) return false;
        const live = document.createRange();
        live.setStart(range.startContainer, range.startOffset);
        live.setEnd(range.endContainer, range.endOffset);
        const [box, view] = [live, document.querySelector('.panel:not([hidden]) .scroll') as Element].map((one) =>
          one.getBoundingClientRect(),
        );
        return box !== undefined && view !== undefined && box.top >= view.top && box.bottom <= view.bottom;
      });
    await find.fill('NEEDLE');
    await shows('1 of 2');
    await expect.poll(isInView).toBe(true);
    expect(await page.evaluate(marked, 'current')).toEqual(['Needle']);
    await find.press('Enter');
    await shows('2 of 2');
    await expect.poll(() => page.evaluate(marked, 'current')).toEqual(['needle']);
    await expect.poll(isInView).toBe(true);
    await page.getByRole('button', { name: 'Next match' }).click();
    await shows('1 of 2');
    await find.press('Shift+Enter');
    await shows('2 of 2');
    await find.fill('a.b(c)[d]\\');
    await shows('1 of 1');
    await find.fill('absent');
    await shows('No match');
  });

  test('with forced colors, tags look like other text, and matches do not', async () => {
    const page = await open({ html: '<p>Needle</p>' }, 'tab=html');
    await page.emulateMedia({ forcedColors: 'active' });
    await expect.poll(() => page.evaluate(marked, 'tag')).toContain('<p');
    const source = page.locator('.source');
    const withTags = await source.screenshot();
    await page.evaluate(() => CSS.highlights.get('tag')?.clear());
    expect(await source.screenshot()).toEqual(withTags);
    await page.getByRole('searchbox', { name: 'Find in HTML' }).fill('Needle');
    await expect.poll(() => source.screenshot()).not.toEqual(withTags);
  });

  test("the words of the list's search are marked in the text, the HTML and the source", async () => {
    const mail = { text: 'The blue  Kettle.', html: '<p>A blue\nkettle</p>' };
    const page = await open(mail, 'tab=text&q=%22blue+kettle%22');
    for (const [tab, found] of [
      ['Text', ['blue  Kettle']],
      ['HTML', ['blue\n\tkettle']],
      ['Source', ['blue  Kettle', 'blue\r\nkettle']],
    ] as const) {
      await page.getByRole('tab', { name: tab }).click();
      await expect.poll(() => page.evaluate(marked, 'found'), { message: tab }).toEqual(found);
    }
    const panel = page.getByRole('tabpanel', { name: 'Source' });
    await panel.getByText('2 found').waitFor();
    await panel.getByRole('searchbox').fill('blue kettle');
    await panel.getByText('1 of 2').waitFor();
  });

  test('hostile HTML of 10 MB becomes few elements and ranges, and every match of a search is counted', async () => {
    const tags = '<p>a\u202e</p>'.repeat(30_000);
    const page = await open(
      { html: `${tags}${'x'.repeat(1_000_000)}${'<script>alert(1)</script>'.repeat(250_000)}` },
      'tab=html',
    );
    const dialogs: string[] = [];
    page.on('dialog', (dialog) => dialogs.push(dialog.message()));
    await page.getByRole('searchbox', { name: 'Find in HTML' }).fill('p');
    await page
      .getByRole('status')
      .filter({ hasText: /^1 of [\d,]{6}$/ })
      .waitFor();
    await expect.poll(() => page.evaluate(marked, 'current')).toEqual(['p']);
    const sizes = await page.evaluate(() => ({
      elements: document.querySelectorAll('.source *').length,
      ranges: [...CSS.highlights.values()].reduce((sum, { size }) => sum + size, 0),
    }));
    expect(sizes.elements).toBeLessThan(3_000);
    expect(sizes.ranges).toBeLessThan(5_000);
    expect(dialogs).toEqual([]);
  });
});
