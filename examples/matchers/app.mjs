// An application that emails a code, and a signed newsletter.
import { generateKeyPairSync, randomBytes, randomInt } from 'node:crypto';

const FROM = 'Acme <app@example.test>';
const SITE = 'https://app.example.test';

export async function sendWelcome(mail, to) {
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  const link = `${SITE}/verify?token=${randomBytes(16).toString('hex')}`;
  const until = new Date(Date.now() + 15 * 60_000).toUTCString();
  await mail.sendMail({
    from: FROM,
    to,
    subject: `${code} is your code`,
    text: `Hello ${to},\n\nyour code is ${code}, until ${until}.\nOr open ${link}\n`,
    html: `<p>Hello ${to},</p>\n<p>your code is <b>${code}</b>, until ${until}. Or <a href="${link}">sign in</a></p>\n`,
  });
}

/** A correct newsletter. Each test omits a part of it. */
export const NEWS = {
  from: FROM,
  subject: 'News of November',
  text: `Read ${SITE}/news. Unsubscribe: ${SITE}/unsubscribe/1`,
  html: `<p><a href="${SITE}/news">Read the news</a></p><p><a href="${SITE}/unsubscribe/1">Unsubscribe</a></p>`,
  headers: {
    'List-Unsubscribe': `<${SITE}/unsubscribe/1>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  },
};

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const dkim = { domainName: 'example.test', keySelector: 'news', privateKey };

/** Signs nodemailer's default headers, which include List-Unsubscribe but not List-Unsubscribe-Post. */
export const byDefault = dkim;

/** Also signs List-Unsubscribe-Post, as RFC 8058 requires. */
export const forOneClick = { ...dkim, headerFieldNames: 'from:to:subject:list-unsubscribe:list-unsubscribe-post' };
