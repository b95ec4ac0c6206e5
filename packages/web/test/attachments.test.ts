import { crc32, deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { describeInBrowser, freshName } from './browser.js';
import { goWithKey, sharedMayfly } from './shared-mayfly.js';

/** Returns a PNG of one red pixel whose header claims this size. */
function png(width: number, height: number): Buffer {
  const chunk = (type: string, content: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
    const [length, crc] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(content.length);
    crc.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, crc]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const pixels = deflateSync(Buffer.from([0, 255, 0, 0]));
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]);
}

const CALENDAR = [
  'BEGIN:VCALENDAR',
  'METHOD:REQUEST',
  'BEGIN:VEVENT',
  'SUMMARY:Kick-off\\, with',
  '  everyone',
  'DTSTART;TZID=Europe/Berlin:20260131T093000',
  'DTEND:20260131T100000Z',
  'ORGANIZER;CN=Ada:mailto:ada@app.test',
  'END:VEVENT',
  'END:VCALENDAR',
].join('\r\n');

describeInBrowser('attachments in the page', (browser) => {
  const mayfly = sharedMayfly(['--fetch-limit', 'off']);

  const open = async (attachments: object[], name = freshName()) => {
    await mayfly.smtp.sendMail({
      to: `${name}@inbox.example.com`,
      from: 'a@app.test',
      subject: 'Files',
      text: 'x',
      attachments,
    });
    const page = await browser.open('about:blank');
    await goWithKey(page, `${mayfly.url}/inbox/${name}`);
    const view = (file: string) => page.getByRole('button', { name: `View ${file}` });
    return { page, view, dialog: page.getByRole('dialog') };
  };

  test.each([freshName(), `acme-${freshName()}`])('image attachments are shown with thumbnails (%s)', async (name) => {
    const { view, dialog } = await open([{ filename: 'red.png', content: png(1, 1) }], name);
    const widthOf = (image: Element) => (image as HTMLImageElement).naturalWidth;
    await expect.poll(() => view('red.png').locator('img').evaluate(widthOf)).toBe(1);
    await view('red.png').click();
    await expect.poll(() => dialog.getByRole('img', { name: 'red.png' }).evaluate(widthOf)).toBe(1);
  });

  test('a huge image is not decoded, and other formats can only be downloaded', async () => {
    const { page, view, dialog } = await open([
      { filename: 'huge.png', content: png(30_000, 30_000) },
      { filename: 'false.png', content: 'no picture', contentType: 'image/png' },
      { filename: 'broken.png', content: png(2, 2).subarray(0, 40) },
      { filename: 'draw.svg', content: '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>' },
    ]);
    for (const file of ['huge.png', 'false.png', 'broken.png']) {
      await view(file).click();
      await dialog.getByText('This image cannot be shown.').waitFor();
      await page.keyboard.press('Escape');
    }
    expect(await page.locator('.thumbnail').count()).toBe(0);
    expect(await view('draw.svg').count()).toBe(0);
    await page.getByRole('link', { name: 'Download draw.svg' }).waitFor();
  });

  test('text, HTML and message attachments are shown as text, and nothing runs', async () => {
    const script = '<script>document.title = "hacked"</script><img src=x onerror="document.title = \'hacked\'">\u202e';
    const { page, view, dialog } = await open([
      { filename: 'page.html', content: script },
      { filename: 'old.txt', content: Buffer.from('caf\xe9', 'latin1'), contentType: 'text/plain; charset=latin1' },
      { filename: 'odd.txt', content: 'plain', contentType: 'text/plain; charset=no-such' },
      { filename: 'mail.eml', content: 'Subject: Inside\r\n\r\nHello.', contentType: 'message/rfc822' },
    ]);
    const cases = { 'page.html': '[U+202E]', 'old.txt': 'café', 'odd.txt': 'plain', 'mail.eml': 'Subject: Inside' };
    for (const [file, text] of Object.entries(cases)) {
      await view(file).click();
      await dialog.locator('pre', { hasText: text }).waitFor();
      expect(await dialog.locator('pre *').count()).toBe(0);
      await page.keyboard.press('Escape');
    }
    expect(await page.title()).not.toContain('hacked');
  });

  test('an invitation shows its time and zone', async () => {
    const { view, dialog } = await open([{ filename: 'invite.ics', content: CALENDAR, contentType: 'text/calendar' }]);
    await view('invite.ics').click();
    await dialog.getByText('2026-01-31 09:30 (Europe/Berlin)').waitFor();
    await dialog.locator('pre', { hasText: 'BEGIN:VCALENDAR' }).waitFor();
  });

  test('a PDF attachment is shown as a PDF even if it contains HTML', async () => {
    const { page, view, dialog } = await open([
      {
        filename: 'a.pdf',
        content: '<script>parent.document.title = "hacked"</script>',
        contentType: 'application/pdf',
      },
    ]);
    await view('a.pdf').click();
    const frame = dialog.locator('iframe');
    await frame.waitFor();
    const type = await frame.evaluate(
      async (element) =>
        (await fetch((element as HTMLIFrameElement).src).catch(() => null))?.headers.get('content-type') ?? 'kept',
    );
    expect(['application/pdf', 'kept']).toContain(type);
    expect(await page.title()).not.toContain('hacked');
  });
});
