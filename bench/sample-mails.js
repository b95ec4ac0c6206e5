// Makes messages for benchmarks, like those that follow a sign-up. Their bytes are the same in every run.
import { createRequire } from 'node:module';

const MailComposer = createRequire(import.meta.url)('nodemailer/lib/mail-composer');

export const CODE = '482913';

/** Replaces values that nodemailer would generate anew in every run. */
const SAME_IN_EVERY_RUN = {
  date: new Date('2026-01-31T09:30:00Z'),
  messageId: '<sample@app.example>',
  baseBoundary: 'sample',
};

const ENVELOPE = {
  from: 'Example <no-reply@app.example>',
  to: 'demo@inbox.example.com',
  subject: 'Confirm your address',
};
const LINK = 'https://app.example/verify?token=Zm9vYmFy';
const PARAGRAPH =
  'Thank you for signing up. To finish setting up your account, please confirm that this address is yours. ';

const CELL_STYLE = 'padding: 12px 24px; font-family: Helvetica, Arial, sans-serif; color: #202123';
const ROWS = `<tr><td style="${CELL_STYLE}">${PARAGRAPH}</td></tr>`.repeat(30);
const HTML = `<!doctype html><html><head><style>.b { color: #2563eb; font-size: 16px }</style></head><body><table>
${ROWS}<tr><td>Your verification code is:</td></tr><tr><td><p style="font-size: 32px; letter-spacing: 4px"><b>${CODE}</b></p></td></tr>
<tr><td><a class="b" href="${LINK}&amp;next=%2F">Verify your address</a></td></tr>${ROWS}
<tr><td><a href="https://app.example/unsubscribe">Unsubscribe</a> &copy; 2026 Example, 94105 San Francisco</td></tr></table></body></html>`;
const TEXT = `${PARAGRAPH.repeat(12)}\n\nYour code is ${CODE}\n\n${LINK}\n\n${PARAGRAPH.repeat(6)}`;

/** 14 KB of HTML, quoted-printable. */
export function htmlMail() {
  return composed({ html: HTML });
}

/** 2 KB of plain text. */
export function textMail() {
  return composed({ text: TEXT });
}

function composed(mail) {
  return new MailComposer({ ...ENVELOPE, ...SAME_IN_EVERY_RUN, ...mail }).compile().build();
}

/** The size of a large message, close to the maximum. */
const LARGE_BYTES = 10_000_000;

/** Makes a message that starts with `head` and repeats `unit`. */
export function filled(head, unit, bytes = LARGE_BYTES) {
  const mail = Buffer.alloc(bytes, unit);
  mail.write(head, 'latin1');
  return mail;
}
