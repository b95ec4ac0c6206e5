// Reading plus extraction beside postal-mime's bare parse of the same bytes, in turns in one run, so that a noisy machine slows
// both. Prints messages a second (medians) and the ratio of the two. Run by `npm run bench:extract`.
import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import PostalMime from 'postal-mime';
import { readMail } from '../server/dist/mail/read-mail.js';

const MailComposer = createRequire(import.meta.url)('nodemailer/lib/mail-composer');

/** How long one measurement of one parser lasts. */
const SLICE_MS = 150;

/** How many measurements of each parser are not counted, for V8 takes about a second to compile what it sees used. */
const WARM_UP_SLICES = 8;

/** How many measurements of each parser there are after that. */
const SLICES = 9;

const paragraph =
  'Thank you for signing up. To finish setting up your account, please confirm that this address is yours. ';
const row = `<tr><td style="padding: 12px 24px; font-family: Helvetica, Arial, sans-serif; color: #202123">${paragraph}</td></tr>`;
const html = `<!doctype html><html><head><style>.b { color: #2563eb; font-size: 16px }</style></head><body><table>
${row.repeat(30)}<tr><td>Your verification code is:</td></tr><tr><td><p style="font-size: 32px; letter-spacing: 4px"><b>482913</b></p></td></tr>
<tr><td><a class="b" href="https://app.example/verify?token=Zm9vYmFy&amp;next=%2F">Verify your address</a></td></tr>${row.repeat(30)}
<tr><td><a href="https://app.example/unsubscribe">Unsubscribe</a> &copy; 2026 Example, 94105 San Francisco</td></tr></table></body></html>`;
const text = `${paragraph.repeat(12)}\n\nYour code is 482913\n\nhttps://app.example/verify?token=Zm9vYmFy\n\n${paragraph.repeat(6)}`;

const envelope = { from: 'Example <no-reply@app.example>', to: 'demo@inbox.test', subject: 'Confirm your address' };
const attachments = [{ filename: 'report.pdf', content: randomBytes(760_000) }];
const messages = {
  'text, 2 KB': await composed({ ...envelope, text }),
  'HTML, 14 KB': await composed({ ...envelope, html }),
  'attachment, 1 MB': await composed({ ...envelope, text, attachments }),
};

console.log('message            bytes   Mayfly/s   postal-mime/s   Mayfly is faster by');
for (const [name, raw] of Object.entries(messages)) {
  const { otp, magicLink } = readMail(raw);
  if (otp !== '482913' || !magicLink?.includes('/verify?')) throw new Error(`${name}: read wrongly`);
  const ours = [];
  const theirs = [];
  for (let slice = 0; slice < WARM_UP_SLICES + SLICES; slice++) {
    const a = await perSecond(() => readMail(raw));
    const b = await perSecond(() => PostalMime.parse(raw));
    if (slice < WARM_UP_SLICES) continue;
    ours.push(a);
    theirs.push(b);
  }
  const ratio = median(ours.map((rate, slice) => rate / theirs[slice]));
  const columns = [String(raw.length).padStart(9), rounded(ours).padStart(11), rounded(theirs).padStart(16)];
  console.log(`${name.padEnd(16)}${columns.join('')}   ${ratio.toFixed(2)} times`);
}

function composed(mail) {
  return new MailComposer(mail).compile().build();
}

async function perSecond(job) {
  const startedAt = performance.now();
  let runs = 0;
  while (performance.now() - startedAt < SLICE_MS) {
    await job();
    runs++;
  }
  return (runs * 1000) / (performance.now() - startedAt);
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

function rounded(rates) {
  return Math.round(median(rates)).toLocaleString('en');
}
