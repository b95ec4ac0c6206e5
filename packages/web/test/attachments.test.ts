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

/** Returns a calendar with a zone whose properties are not those of an event. */
function calendar(...lines: readonly string[]): string {
  const zone = ['BEGIN:VTIMEZONE', 'TZID:Europe/Berlin', 'BEGIN:STANDARD', 'DTSTART:19701025T030000', 'END:STANDARD'];
  return ['BEGIN:VCALENDAR', 'METHOD:REQUEST', ...zone, 'END:VTIMEZONE', ...lines, 'END:VCALENDAR'].join('\r\n');
}

function event(...lines: readonly string[]): readonly string[] {
  return ['BEGIN:VEVENT', ...lines, 'BEGIN:VALARM', 'SUMMARY:Alarm', 'END:VALARM', 'END:VEVENT'];
}

const KICK_OFF = calendar(
  ...event(
    'SUMMARY:Kick-off\\, with',
    '  everyone\u202e',
    'DTSTART;TZID=Europe/Berlin:20260131T093000',
    'DTEND;TZID=Europe/Berlin:20260131T100000',
    'LOCATION:Room 4',
    'ORGANIZER;CN="Ada: Lovelace":mailto:ada@app.test',
  ),
);

/** Calendars, and what their cards show. */
const CALENDARS = {
  [KICK_OFF]: [
    'Kick-off, with everyoneU+202E',
    '2026-01-31 09:30–10:00 (Europe/Berlin)',
    'Invitation',
    'Room 4 · Ada: Lovelace',
  ],
  [calendar(...event('DTSTART:20260131T233000Z', 'DTEND:20260201T003000Z', 'STATUS:CANCELLED'))]: [
    'Untitled event',
    '2026-01-31 23:30 – 2026-02-01 00:30 UTC',
    'Canceled',
    '',
  ],
  [calendar(
    ...event('SUMMARY:Fair', 'DTSTART;VALUE=DATE:20260131', 'DTEND;VALUE=DATE:20260203', 'ORGANIZER:mailto:a@app.test'),
    ...event('SUMMARY:Other'),
  )]: ['Fair', '2026-01-31 – 2026-02-02, all day', 'Invitation', 'a@app.test · and 1 more event'],
  [calendar(...event('SUMMARY:Bad', 'DTSTART:20269999T999999'))]: ['Bad', 'No time given', 'Invitation', ''],
};

describeInBrowser('attachments in the page', (browser) => {
  const mayfly = sharedMayfly(['--fetch-limit', 'off']);

  const open = async (attachments: object[], name = freshName(), mail = {}, options = {}) => {
    await mayfly.smtp.sendMail({
      to: `${name}@inbox.example.com`,
      from: 'a@app.test',
      subject: 'Files',
      text: 'x',
      attachments,
      ...mail,
    });
    const page = await browser.open('about:blank', options);
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

  test.each(Object.entries(CALENDARS))(
    'an event card shows what an invitation is about: %#',
    async (content, lines) => {
      const { page, view, dialog } = await open([{ filename: 'invite.ics', content, contentType: 'application/ics' }]);
      await expect.poll(() => page.locator('.event-facts .tag, .event-facts .cut').allTextContents()).toEqual(lines);
      await view('invite.ics').click();
      await dialog.getByText('BEGIN:VCALENDAR').waitFor();
      await page.keyboard.press('Escape');
    },
  );

  test('an invitation that is an alternative to the text has a card, and none if it is also attached', async () => {
    const alternative = { contentType: 'text/calendar; method=REQUEST', content: KICK_OFF };
    const { page, dialog } = await open([], freshName(), { alternatives: [alternative] });
    await page.getByRole('button', { name: /^View text\/calendar/ }).click();
    await dialog.getByText('2026-01-31 09:30–10:00 (Europe/Berlin)').waitFor();
    const file = { filename: 'invite.ics', content: KICK_OFF, contentType: 'application/ics' };
    const both = await open([file], freshName(), { alternatives: [alternative] });
    await both.page.locator('.event-day', { hasText: '31' }).waitFor();
    expect(await both.page.locator('.event').count()).toBe(1);
    expect(await both.view('invite.ics').count()).toBe(1);
  });

  test('a calendar without an event is listed as a file', async () => {
    const { page, view } = await open([{ filename: 'tasks.ics', content: calendar(), contentType: 'text/calendar' }]);
    await view('tasks.ics').locator('.attachment-picture').waitFor();
    expect(await page.locator('.event').count()).toBe(0);
  });

  test.each([
    [1440, 3],
    [390, 4],
  ])('the cards of files have one size, %i pixels wide: %i in a row', async (width, columns) => {
    const names = ['a.pdf', `${'long '.repeat(40)}.pdf`, 'c.bin', 'd.txt'];
    const { page } = await open(
      names.map((filename) => ({ filename, content: 'x' })),
      freshName(),
      {},
      { viewport: { width, height: 900 } },
    );
    await page.locator('.row-open').click({ position: { x: 60, y: 10 } });
    const cards = page.locator('.attachment');
    await cards.nth(3).waitFor();
    const boxes = await cards.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()));
    const sizes = new Set(boxes.map((box) => `${Math.round(box.width)} x ${Math.round(box.height)}`));
    expect(sizes.size).toBe(1);
    expect(new Set(boxes.map(({ x }) => Math.round(x))).size).toBe(columns);
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
