import fc from 'fast-check';
import nodemailer from 'nodemailer';
import PostalMime from 'postal-mime';
import { describe, expect, test } from 'vitest';
import { parseMessage } from '../../src/mime/parse.js';
import { composedMail } from './composed-mail.js';

/** What postal-mime makes of a message. It ends each part in a line end of its own, so that only those are left out. */
async function byPostalMime(raw: Buffer) {
  const { messageId, from, subject, text, html, attachments } = await PostalMime.parse(raw);
  return {
    messageId: messageId ?? null,
    from: from?.address ?? null,
    fromName: inOneLine(from?.name ?? ''),
    subject: subject?.trim() ?? '',
    text: withoutLineEndsAround(text ?? ''),
    html: withoutLineEndsAround(html ?? ''),
    attachments: attachments.length,
  };
}

function byMayfly(raw: Buffer) {
  const { text, html, fileNames: _names, inlineFiles: _inline, ...header } = parseMessage(raw);
  const fromName = inOneLine(header.fromName);
  return { ...header, fromName, text: withoutLineEndsAround(text ?? ''), html: withoutLineEndsAround(html ?? '') };
}

const inOneLine = (name: string) => name.replace(/[\p{Cc}\s]+/gu, ' ').trim();

const withoutLineEndsAround = (text: string) => text.replace(/(?:\r?\n)+/g, '\n').replace(/^\n|\n$/g, '');

describe('well-formed messages', () => {
  test('are read as they were composed, and as postal-mime reads them', async () => {
    await fc.assert(
      fc.asyncProperty(composedMail, async ({ raw, ...composed }) => {
        expect(parseMessage(raw)).toMatchObject(composed);
        expect(byMayfly(raw)).toEqual(await byPostalMime(raw));
      }),
      { numRuns: 500 },
    );
  });

  test('are read as postal-mime reads them, of another composer too', async () => {
    const transport = nodemailer.createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
    const line = fc.string({ unit: 'grapheme', maxLength: 120 });
    const lines = fc.array(line, { minLength: 1, maxLength: 6 }).map((all) => all.join('\n'));
    const mail = fc.record({
      from: fc.record({ name: line, address: fc.constant('anna@app.test') }),
      subject: line,
      text: lines,
      html: lines,
      textEncoding: fc.constantFrom('base64' as const, 'quoted-printable' as const),
      attachments: fc.array(fc.record({ filename: line, content: fc.uint8Array().map((bytes) => Buffer.from(bytes)) })),
    });
    await fc.assert(
      fc.asyncProperty(mail, async (content) => {
        const raw = (await transport.sendMail(content)).message as Buffer;
        expect(byMayfly(raw)).toEqual(await byPostalMime(raw));
        expect(byMayfly(raw)).toMatchObject({
          from: 'anna@app.test',
          subject: content.subject.trim(),
          text: withoutLineEndsAround(content.text),
          html: withoutLineEndsAround(content.html),
        });
      }),
      { numRuns: 300 },
    );
  });
});
