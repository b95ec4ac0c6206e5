import { describe, expect, test } from 'vitest';
import { lineChanges } from '../src/inbox/line-changes.js';
import { describeInBrowser, freshName, openRow } from './browser.js';
import { sharedMayfly } from './shared-mayfly.js';

describe('lineChanges', () => {
  const lines = (count: number, line = (at: number) => `line ${at}`) =>
    Array.from({ length: count }, (_, at) => line(at));
  const shown = (before: readonly string[], after: readonly string[]) =>
    lineChanges(before.join('\n'), after.join('\n'))?.map(({ sign, text }) => `${sign} ${text}`);

  test('omits equal lines that are more than three lines from a change', () => {
    const before = lines(20);
    const after = before.with(10, 'changed');
    expect(shown(before, after)).toEqual([
      '… 7 equal lines',
      ...['  line 7', '  line 8', '  line 9', '− line 10', '+ changed', '  line 11', '  line 12', '  line 13'],
      '… 6 equal lines',
    ]);
    expect(shown(['a', ...lines(7), 'b'], ['x', ...lines(7), 'y'])).toHaveLength(11);
    expect(shown(lines(3), lines(3))).toEqual(['… 3 equal lines']);
    expect(shown([], ['a'])).toEqual(['− ', '+ a']);
    expect(shown([...'bacd'], [...'abdc'])).toEqual(['− b', '  a', '− c', '+ b', '  d', '+ c']);
  });

  test('returns a bounded number of lines for texts of any length', () => {
    expect(shown(lines(200_000), lines(200_000).with(100_000, '\ud800'))).toHaveLength(10);
    expect(
      shown(
        lines(200_000),
        lines(200_000, (at) => `other ${at}`),
      ),
    ).toBe(undefined);
    const long = (end: string) => lines(1_000, (at) => `${'x'.repeat(300)}${at}${end}`);
    expect(shown(long('a'), long('b'))).toHaveLength(2_000);
  });
});

describeInBrowser('comparing two emails', (browser) => {
  const mayfly = sharedMayfly(['--fetch-limit', 'off']);

  test('two selected emails of different inboxes show the changes of their text, HTML and source', async () => {
    const subject = freshName();
    const send = (to: string, code: string) =>
      mayfly.smtp.sendMail({
        to: `${to}-${subject}@inbox.example.com`,
        from: 'a@app.test',
        subject,
        text: `Hello.\nYour code is ${code}`,
        html: `<p>Hello.</p><p>Code <b>${code}</b>\u202e</p>`,
      });
    await send('first', '111111');
    await send('second', '482913');
    await send('third', '777777');
    const page = await browser.open(`${mayfly.url}/?q=${subject}`);
    await page.locator('.row').nth(2).waitFor();
    await page.getByRole('button', { name: 'Select emails' }).click();
    const compare = page.getByRole('button', { name: 'Compare' });
    for (const [at, count] of [0, 0, 1].entries()) {
      expect(await compare.count()).toBe(count);
      await openRow(page.locator('.row-open').nth(at));
    }
    await page.getByText('3 selected').waitFor();
    expect(await compare.count()).toBe(0);
    await openRow(page.locator('.row-open'));
    await compare.click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(`− ${subject} to first-${subject}@inbox.example.com`).waitFor();
    const changesOf = async (what: string) => {
      const changes = dialog.getByRole('region', { name: `Changes of the ${what}` });
      await changes.locator('[data-sign="+"]').first().waitFor();
      return changes.locator(':not([data-sign=" "], bdi)').allTextContents();
    };
    expect(await changesOf('text')).toEqual(['− Your code is 111111', '+ Your code is 482913']);
    await dialog.getByRole('tab', { name: 'HTML' }).click();
    expect(await changesOf('HTML')).toEqual([
      '− <p>Code <b>111111</b>[U+202E]</p>',
      '+ <p>Code <b>482913</b>[U+202E]</p>',
    ]);
    await dialog.getByRole('tab', { name: 'Source' }).click();
    expect(await changesOf('source')).toEqual(
      expect.arrayContaining([`− To: first-${subject}@inbox.example.com`, expect.stringMatching(/^\+ To: second-/)]),
    );
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByText('2 selected').waitFor();
  });
});
