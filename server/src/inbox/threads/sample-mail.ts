import type { ReceivedMail } from './ingested-mail.js';

/** After this many sample mails, the code that parses mail is compiled well enough. */
export const WARM_UP_MAILS = 30;

const PARAGRAPH = '<p style="color: #333333; font-size: 14px">Thank you for signing up. It takes only a moment.</p>\n';

/** A mail such as applications send. It is read before the first one comes, so that reading is compiled by then. */
export function sampleMail(): ReceivedMail {
  const raw = Buffer.from(
    `From: Sample <app@mayfly.invalid>\r
To: sample@mayfly.invalid\r
Subject: =?utf-8?q?Your_code_f=C3=BCr_today?=\r
MIME-Version: 1.0\r
Content-Type: multipart/alternative; boundary="sample"\r
\r
--sample\r
Content-Type: text/plain; charset=utf-8\r
Content-Transfer-Encoding: quoted-printable\r
\r
Your verification code is 482913. It is valid for 10 minutes.=\r
 Or go to https://app.invalid/verify?token=3DZm9v\r
--sample\r
Content-Type: text/html; charset=utf-8\r
\r
<html><head><style>.code { font-size: 32px }</style></head><body><table><tr><td>
${PARAGRAPH.repeat(8)}
<p class="code"><b>482913</b></p><a href="https://app.invalid/verify?token=Zm9v&amp;n=1">Verify your address</a>
<p>&copy; 2026, 94105 San Francisco. <a href="https://app.invalid/unsubscribe">Unsubscribe</a></p>
</td></tr></table></body></html>\r
--sample--\r
`,
  );
  return { raw, envelopeFrom: '', generatedId: '<sample@mayfly.invalid>', recipientBytes: 0, recipients: null };
}
