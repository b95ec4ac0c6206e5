/** toHaveTrackingOff() on emails that came over the send APIs. */
import { Mayfly, type ReceivedEmail } from 'mayfly-client';
import type { TrackingOffOptions } from 'mayfly-client/matchers';
import { type StartedMayfly, startMayfly } from 'mayfly-inbox';
import 'mayfly-client/matchers/vitest';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshName } from './service.js';

let service: StartedMayfly;
let mayfly: Mayfly;

beforeAll(async () => {
  service = await startMayfly({ domain: 'inbox.example.com', fetchLimit: 'off' });
  mayfly = new Mayfly({ baseUrl: service.url });
});

afterAll(() => service.stop());

type Send = (to: string, fields: object, html: string) => readonly [path: string, body: unknown];

const FROM = 'app@acme.test';
const SENDS = {
  sendgrid: (to, fields, html) => [
    '/v3/mail/send',
    {
      from: { email: FROM },
      subject: 'Hi',
      personalizations: [{ to: [{ email: to }] }],
      content: [{ type: 'text/html', value: html }],
      ...fields,
    },
  ],
  postmark: (to, fields, html) => ['/email', { From: FROM, To: to, Subject: 'Hi', HtmlBody: html, ...fields }],
  'postmark batch': (to, fields, html) => [
    '/email/batch',
    ['one-', ''].map((prefix) => ({ From: FROM, To: prefix + to, Subject: 'Hi', HtmlBody: html, ...fields })),
  ],
  mailgun: (to, fields, html) => [
    '/v3/mg.acme.test/messages',
    new URLSearchParams({ from: FROM, to, subject: 'Hi', html, ...fields }),
  ],
  ses: (to, fields, html) => [
    '/v2/email/outbound-emails',
    {
      FromEmailAddress: FROM,
      Destination: { ToAddresses: [to] },
      Content: { Simple: { Subject: { Data: 'Hi' }, Body: { Html: { Data: html } } } },
      ...fields,
    },
  ],
  resend: (to, fields, html) => ['/emails', { from: FROM, to, subject: 'Hi', html, ...fields }],
} satisfies Record<string, Send>;

const LINK = '<a href="https://acme.test/verify?token=1">Verify</a>';
const unlink = (attribute: string) =>
  `<p><a ${attribute} href="https://acme.test/1">1</a> <a href="mailto:a@b.test">2</a></p>`;
const sendgrid = (clicks: unknown, opens: unknown, more = {}) => ({
  tracking_settings: { click_tracking: { enable: clicks }, open_tracking: { enable: opens }, ...more },
});
const CLICKS: TrackingOffOptions = { only: 'clicks' };
const OPENS: TrackingOffOptions = { only: 'opens' };
const SET = { ConfigurationSetName: 'news' };
const MISSING = "is missing, so the account's setting decides";

/** A request, options of the matcher, and what the matcher finds; null if tracking is off. */
type Case = readonly [keyof typeof SENDS, fields: object, html: string, TrackingOffOptions, string | null];

const CASES: readonly Case[] = [
  ['sendgrid', sendgrid(false, false), LINK, {}, null],
  [
    'sendgrid',
    {},
    LINK,
    {},
    `tracking_settings.click_tracking.enable ${MISSING}, tracking_settings.open_tracking.enable ${MISSING}`,
  ],
  ['sendgrid', sendgrid(true, false), LINK, {}, 'tracking_settings.click_tracking.enable is true'],
  ['sendgrid', sendgrid(false, true), LINK, CLICKS, null],
  ['sendgrid', sendgrid(false, 1), LINK, OPENS, 'tracking_settings.open_tracking.enable is 1'],
  ['sendgrid', { tracking_settings: [] }, unlink('clicktracking="off"'), CLICKS, null],
  ['sendgrid', {}, unlink('clicktracking=off'), CLICKS, null],
  ['sendgrid', {}, unlink('clicktracking="on"'), CLICKS, `tracking_settings.click_tracking.enable ${MISSING}`],
  ['sendgrid', {}, unlink('clicktracking=off') + LINK, CLICKS, `tracking_settings.click_tracking.enable ${MISSING}`],
  ['postmark', {}, unlink('data-pm-no-track') + LINK.replace('<a', '<a title="1>0"'), CLICKS, `TrackLinks ${MISSING}`],
  [
    'postmark',
    {},
    unlink('data-pm-no-track') + LINK.replace('token=1', 'x'.repeat(5_000)),
    CLICKS,
    `TrackLinks ${MISSING}`,
  ],
  [
    'sendgrid',
    sendgrid(false, false, { ganalytics: { enable: true } }),
    LINK,
    {},
    'tracking_settings.ganalytics adds parameters to its links',
  ],
  // The request is far longer than what Mayfly keeps of it.
  ['sendgrid', { categories: Array(9_000).fill('x'), ...sendgrid(false, false) }, LINK, {}, null],
  ['postmark', { TrackLinks: 'None', TrackOpens: false }, LINK, {}, null],
  ['postmark', { TrackLinks: 'HtmlOnly', TrackOpens: false }, LINK, {}, 'TrackLinks is "HtmlOnly"'],
  ['postmark', { TrackOpens: false }, unlink('data-pm-no-track'), {}, null],
  ['postmark', { TextBody: 'https://acme.test/1' }, unlink('data-pm-no-track'), CLICKS, `TrackLinks ${MISSING}`],
  ['postmark', { TextBody: 'https://a.test', TrackLinks: 'HtmlOnly' }, unlink('data-pm-no-track'), CLICKS, null],
  ['postmark batch', { TrackLinks: 'None' }, LINK, {}, `TrackOpens ${MISSING}`],
  ['mailgun', { 'o:tracking': 'no' }, LINK, {}, null],
  ['mailgun', { 'o:tracking': 'no', 'o:tracking-clicks': 'htmlonly' }, LINK, {}, 'o:tracking-clicks is "htmlonly"'],
  ['mailgun', { 'h:X-Mailgun-Track': 'no' }, LINK, {}, null],
  ['mailgun', { 'o:tracking-opens': 'false' }, unlink('disable-tracking=true'), {}, null],
  ['ses', {}, LINK, {}, null],
  [
    'ses',
    SET,
    LINK,
    { configurationSets: ['auth'] },
    'the configuration set "news" may track (name sets that do not in configurationSets)',
  ],
  ['ses', SET, LINK, { configurationSets: ['news'] }, null],
  ['ses', SET, unlink('ses:no-track'), CLICKS, null],
];

const titled = CASES.map((one) => [one[0], JSON.stringify(one[1]).slice(0, 90), one[4] ?? 'off', one] as const);

test.each(titled)('toHaveTrackingOff() for %s with %s finds: %s', async (_as, _fields, _fault, one) => {
  const [as, fields, html, options, fault] = one;
  const email = await sent(as, fields, html);
  const off = `have tracking${options.only === undefined ? '' : ` of ${options.only}`} off`;
  if (fault === null) {
    await expect(email).toHaveTrackingOff(options);
    await expect(expect(email).not.toHaveTrackingOff(options)).rejects.toThrow(
      `Expected 'Hi' not to ${off}, but it does.`,
    );
  } else {
    await expect(email).not.toHaveTrackingOff(options);
    await expect(expect(email).toHaveTrackingOff(options)).rejects.toThrow(`Expected 'Hi' to ${off}, but ${fault}.`);
  }
});

test('toHaveTrackingOff() throws for an email whose request says nothing about tracking, and for a wrong option', async () => {
  const resend = await sent('resend', {}, LINK);
  const bySmtp = { ...resend, parts: async () => ({ sendApi: null, incomplete: [] }) };
  for (const [email, says] of [
    [resend, "toHaveTrackingOff() cannot check 'Hi': Resend sets tracking for a domain, not in a request."],
    [bySmtp, "toHaveTrackingOff() cannot check 'Hi': it did not come over a send API."],
  ] as const) {
    await expect(expect(email).toHaveTrackingOff()).rejects.toThrow(says);
    await expect(expect(email).not.toHaveTrackingOff()).rejects.toThrow(says);
  }
  const only = { only: 'links' } as unknown as TrackingOffOptions;
  await expect(expect(resend).toHaveTrackingOff(only)).rejects.toThrow('only must be clicks or opens.');
});

async function sent(as: keyof typeof SENDS, fields: object, html: string): Promise<ReceivedEmail> {
  const inbox = mayfly.inbox(freshName());
  const [path, body] = (SENDS[as] as Send)(inbox.address, fields, html);
  const isForm = body instanceof URLSearchParams;
  const response = await fetch(service.url + path, {
    method: 'POST',
    headers: isForm ? {} : { 'content-type': 'application/json' },
    body: isForm ? body : JSON.stringify(body),
  });
  expect(response.ok, await response.clone().text()).toBe(true);
  return inbox.waitForEmail();
}
