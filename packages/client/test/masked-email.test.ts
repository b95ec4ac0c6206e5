import { Mayfly } from 'mayfly-client';
import { describe, expect, test } from 'vitest';
import { maskedEmail, maskedProse } from '../src/testing/masked-email.js';
import type { LoadableEmail } from '../src/wait/received-email.js';
import { freshName, serviceOfFile } from './service.js';

const service = await serviceOfFile();

interface Data {
  readonly address: string;
  readonly code: string;
  readonly token: string;
  readonly id: string;
  readonly hex: string;
  readonly date: Date;
  readonly port: number;
  readonly order: number;
}

type Template = (data: Data) => string;

const first = {
  code: '048291',
  token: 'V1StGXR8_Z5jdHi6B-myT',
  id: '9f1c2a44-77b1-4c0e-9d52-0b1f6a3c8e11',
  hex: 'd41d8cd98f00b204e9800998ecf8427e',
  date: new Date('2026-11-27T09:05:33.120Z'),
  port: 43_211,
  order: 99,
};
const second = {
  code: '771204',
  token: 'kQ-wbnLAsqPXcZtRuMEyd',
  id: '0c8d6c5e-1f0b-4a53-8a43-6d3f1f4f9b02',
  hex: 'fedcbafedcbafedcbafedcbafedcba01',
  date: new Date('2027-03-02T14:40:07.003Z'),
  port: 80,
  order: 12_345,
};

async function snapshotOf(template: Template, data: Omit<Data, 'address'>, mask: (string | RegExp)[] = []) {
  const inbox = new Mayfly({ baseUrl: service.url }).inbox(freshName());
  const raw = template({ ...data, address: inbox.address });
  await service.message(inbox.name, raw.replace(/\r?\n/g, '\r\n'));
  const [email] = (await inbox.emails()) as LoadableEmail[];
  if (email === undefined) throw new Error('no email');
  return maskedEmail(email, await email.parts(), mask);
}

const text = (body: string, subject = 'Welcome') => `From: Acme <app@example.test>\nSubject: ${subject}\n\n${body}\n`;
const html = (body: string) =>
  `From: app@example.test\nSubject: Welcome\nContent-Type: text/html; charset=utf-8\n\n${body}\n`;
const format = (date: Date, locale: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...options }).format(date);

const MASKED: Record<string, readonly [(data: Data) => string, string]> = {
  'a code': [({ code }) => `Your code is ${code}.`, 'Your code is ******.'],
  'a code in an address': [
    ({ code }) => `Code ${code}: https://a.example/c/${code}?c=${code}`,
    'Code ******: https://a.example/c/******?c=[token]',
  ],
  'a token of a query': [
    ({ token }) => `https://a.example/verify?token=${token}&lang=en.`,
    'https://a.example/verify?token=[token]&lang=[token].',
  ],
  'a token of a path': [
    ({ token }) => `https://a.example/confirm-your-address/${token}/`,
    'https://a.example/confirm-your-address/[token]/',
  ],
  'a free port': [
    ({ port }) => `http://127.0.0.1:${port + 1000}/a and http://[::1]:${port}/b`,
    'http://127.0.0.1:[port]/a and http://[::1]:[port]/b',
  ],
  'the address': [({ address }) => `For ${address.toUpperCase()}, <${address}>`, 'For [address], <[address]>'],
  'the local part': [({ address }) => `Hello ${address.split('@')[0]}!`, 'Hello [inbox]!'],
  'an id': [({ id, hex }) => `Ids ${id} and ${hex}`, 'Ids [id] and [id]'],
  'an ISO date': [({ date }) => `${date.toISOString()} or ${date.toISOString().slice(0, 10)}`, '[date] or [date]'],
  'a date of a header': [({ date }) => `${date.toUTCString()}`, '[date] [time]'],
  'a time': [
    ({ date }) => `At ${format(date, 'en-US', { timeStyle: 'short' })} or ${format(date, 'de', { timeStyle: 'long' })}`,
    'At [time] or [time]',
  ],
  'an hour': [
    ({ date }) => `At ${date.getUTCHours() % 12}pm, ${date.getUTCHours() % 12} AM or ${date.getUTCHours()}h05`,
    'At [time], [time] or [time]',
  ],
  'a year': [({ date }) => `© 2019–${date.getUTCFullYear()} Acme`, '© [year]–[year] Acme'],
  'a weekday': [({ date }) => `Until ${format(date, 'fr', { weekday: 'long' })}!`, 'Until [day]!'],
  'a day and a month': [({ date }) => `On ${format(date, 'en-US', { day: 'numeric', month: 'short' })}`, 'On [date]'],
};

const LOCALES = ['en-US', 'en-GB', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'sv', 'pl', 'ru', 'ja', 'zh', 'ko'];
const STYLES = ['short', 'medium', 'long', 'full'] as const;
const DATES = LOCALES.flatMap((locale) => STYLES.map((dateStyle) => ({ locale, dateStyle })))
  // Korean short dates such as "26. 11. 27." look like a list of numbers, so they are not masked.
  .filter(({ locale, dateStyle }) => locale !== 'ko' || dateStyle !== 'short');

test.each(DATES)('maskedProse masks a date in $locale with style $dateStyle', ({ locale, dateStyle }) => {
  const shown = [first, second].map(({ date }) => maskedProse(`On ${format(date, locale, { dateStyle })}: news`));
  expect(shown[1]).toBe(shown[0]);
  expect(shown[0]).toMatch(/^On (?:\[day\] )?\[date\]: news$/);
});

describe('a snapshot of an email', () => {
  test.each(Object.entries(MASKED))('masks %s and keeps the other text', async (_, [body, shown]) => {
    const template: Template = (data) =>
      `From: a@example.test\nSubject: S\nContent-Type: text/plain; charset=utf-8\n\n${body(data)}\n`;
    const expected = `From: a@example.test\nSubject: S\n\n--- Text ---\n${shown}`;
    expect([await snapshotOf(template, first), await snapshotOf(template, second)]).toEqual([expected, expected]);
  });
});

const plain = `Dear Ann, 24 hours and 7 days; version 2.10.3, 16:9, 100 %, 3 sets of 4, $1,299.00, call 555-0100. Wait 15 minutes.
You may use section 12 of https://docs.example.com/v2/getting-started?#confirm-your-email-address. Registrierungsbestaetigung!`;

test('a snapshot keeps constant text unmasked', async () => {
  expect(maskedProse(plain)).toBe(plain);
  const template = () => text(plain);
  expect(await snapshotOf(template, first)).toBe(
    `From: Acme <app@example.test>\nSubject: Welcome\n\n--- Text ---\n${plain}`,
  );
});

test.each(['$2000', '€ 1999', '2000 €', '1999&nbsp;EUR', '10.20.30.40', 'goToAccount', 'BlinkMacSystemFont'])(
  'maskedProse leaves %s unmasked',
  (same) => {
    expect(maskedProse(`It is ${same}.`)).toBe(`It is ${same}.`);
  },
);

test.each(['7kjZqxSjEwxwtIuEjbmRqg', 'MuDgcunJfwgjMzeK', 'JqwSijDpaXyQcWvQ'])(
  'maskedProse masks %s because its capital letters make it look like a token',
  (token) => {
    expect(maskedProse(`It is ${token}.`)).toBe('It is [id].');
  },
);

const TEMPLATES: Record<string, Template> = {
  'of text': ({ address, code, token, date, order }) =>
    text(
      `Hello ${address}!\n\nYour code for order no. [${order}] is ${code}. It expires on ${date.toUTCString()}.\nOr open https://app.example/verify?token=${token}\n`,
      `${code} is your code`,
    ),
  'of HTML': ({ address, code, token, hex, date, port }) =>
    html(
      [
        `<html><head><style>p { color: #0a8291 }</style></head><body id="m-${hex}"><!-- ${date.getTime()}0000 -->`,
        `<p class="email-body-paragraph-1">Hello <b>${address}</b>, from Friday&nbsp;${format(date, 'en-GB', { dateStyle: 'long' }).replaceAll(' ', '&nbsp;')}</p>`,
        `<table><tr>${[...code].map((digit) => `<td style="width: 10px">${digit}</td>`).join('\n')}</tr></table>`,
        `<a href="http://localhost:${port + 1000}/verify?token=${token}&amp;next=%2Fhome&amp;email=${encodeURIComponent(address)}">Confirm</a>`,
        `<a href='https://app.example/u/${token}'>Unsubscribe</a>`,
        `<img src="cid:${hex}@app.example" alt="Your code: ${code}" width="600"><img src="data:image/png;base64,${btoa(token)}">`,
        `<p>© ${date.getUTCFullYear()} Acme</p></body></html>`,
      ].join('\n'),
    ),
  'with attachments': ({ code, date, hex }) =>
    [
      `From: Acme <noreply+${hex}@example.test>\nSubject: Your invoice\nContent-Type: multipart/mixed; boundary=${hex}\n`,
      `--${hex}\nContent-Type: multipart/alternative; boundary=a${hex}\n`,
      `--a${hex}\nContent-Type: text/plain\n\nYour code: ${code.replace(/^.../, '$&-')}\n`,
      `--a${hex}\nContent-Type: text/html\n\n<p>Your code: <b>${code}</b></p>\n--a${hex}--`,
      `--${hex}\nContent-Type: application/pdf; name="invoice-${date.toISOString().slice(0, 10)}.pdf"\nContent-Disposition: attachment\n\n%PDF ${hex}\n--${hex}--\n`,
    ].join('\n'),
};

/** Changes of a few letters in a template. */
const CHANGES: readonly (readonly [string, string, string])[] = [
  ['of text', 'is your code', 'is the code'],
  ['of text', 'app.example/verify', 'app.example/check'],
  ['of text', '?token=', '?code='],
  ['of HTML', '10px', '12px'],
  ['of HTML', '>Confirm<', '>Verify<'],
  ['of HTML', 'paragraph-1', 'paragraph-2'],
  ['with attachments', 'invoice-', 'receipt-'],
  ['with attachments', '<b>', '<i>'],
];

describe('the snapshot of a template', () => {
  test.each(Object.entries(TEMPLATES))('%s is the same for different data', async (_, template) => {
    // Only the test can identify the order number as data, so the test passes a pattern.
    const [one, other] = await Promise.all([first, second].map((data) => snapshotOf(template, data, [/\[\d+\]/])));
    expect(one).toBe(other);
    for (const data of [first, second]) {
      for (const secret of [data.code, data.token, data.hex, data.id]) expect(one).not.toContain(secret);
    }
  });

  test.each(CHANGES)('%s changes if %s becomes %s', async (name, before, after) => {
    const template = TEMPLATES[name] as Template;
    const changed: Template = (data) => template(data).replaceAll(before, after);
    expect(changed({ ...first, address: 'a@inbox.example.com' })).not.toBe(
      template({ ...first, address: 'a@inbox.example.com' }),
    );
    expect(await snapshotOf(changed, first)).not.toBe(await snapshotOf(template, first));
  });

  test('masks the texts and patterns that a test passes, even inside a URL', async () => {
    const template = () => text('Order A-1 of Ann, Ann: https://a.example/o/A-1/track?t=1 costs $5');
    const shown = await snapshotOf(template, first, ['Ann', /A-\d/, /\$\d+/g]);
    expect(shown).toContain(
      'Order [masked] of [masked], [masked]: https://a.example/o/[masked]/track?t=[token] costs [masked]',
    );
  });
});
