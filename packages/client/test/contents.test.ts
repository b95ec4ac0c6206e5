import { describe, expect, test } from 'vitest';
import { Mayfly, type ReceivedEmail } from '../src/index.js';
import { fromName } from '../src/wait/received-email.js';
import { inVain, saysInVain } from './in-vain.js';
import { type Answer, recordingFetch } from './recording-fetch.js';
import { freshName, serviceOfFile } from './service.js';

const service = await serviceOfFile();

function message(lines: readonly string[]): string {
  return `${lines.join('\r\n')}\r\n`;
}

const INVOICE = message([
  'From: "Billing, Acme" <billing@app.test>',
  'Reply-To: =?utf-8?Q?Gr=C3=BC=C3=9Fe?= <help@app.test>',
  'Subject: Your account',
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary=b',
  '',
  '--b',
  'Content-Type: text/html; charset=utf-8',
  '',
  '<p>Your code is A7K-2QX. <a href="https://app.test/start?token=abc">Activate account</a>',
  '<a href="https://app.test/terms">Terms</a> <a href="https://app.test/x/RESET">Forgot it?</a></p>',
  '--b',
  "Content-Type: application/pdf; name*=utf-8''rechnung%20%C3%BC.pdf",
  "Content-Disposition: attachment; filename*=utf-8''rechnung%20%C3%BC.pdf",
  'Content-Transfer-Encoding: base64',
  '',
  'AAEC/w==',
  '--b',
  'Content-Type: text/csv; charset=iso-8859-1',
  'Content-Disposition: attachment',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  'gr=FC=DFe;1',
  '--b--',
]);

async function received(raw: string, answer?: Answer) {
  const { fetch, requests } = recordingFetch(answer);
  const inbox = new Mayfly({ baseUrl: service.url, fetch }).inbox(freshName());
  await service.message(inbox.name, raw);
  const email = await inbox.waitForEmail();
  requests.length = 0;
  return { inbox, email, requests };
}

describe('the parsed contents of an email', () => {
  test('are fetched on first use, in one request', async () => {
    const { email, requests } = await received(INVOICE);
    expect(requests).toEqual([]);
    const [html, links, headers] = await Promise.all([email.html(), email.links(), email.headers()]);
    expect(requests).toEqual(['parts']);
    expect(html).toContain('<p>Your code is A7K-2QX.');
    expect(headers.find(({ name }) => name === 'Reply-To')?.value).toBe('Grüße <help@app.test>');
    expect(headers.map(({ name }) => name).slice(0, 3)).toEqual(['From', 'Reply-To', 'Subject']);
    expect(links).toHaveLength(3);
  });

  test('contain links that can be found by text or address, ignoring case', async () => {
    const { email } = await received(INVOICE);
    const links = await email.links();
    expect(links.find('TERMS')?.url).toBe('https://app.test/terms');
    expect(links.find(/reset/i)?.text).toBe('Forgot it?');
    expect(links.find(/forgot/i)?.url).toBe('https://app.test/x/RESET');
    expect(links.find(({ url }) => url.endsWith('terms'))?.text).toBe('Terms');
    expect(links.find(/nowhere/)).toBeUndefined();
    expect(links.action?.url).toBe('https://app.test/start?token=abc');
    expect(links.map(({ text }) => text).find((text) => text === 'Terms')).toBe('Terms');
  });

  test('fetch the content of an attachment only when the test reads it', async () => {
    const { email, requests } = await received(INVOICE);
    const [pdf, csv, ...others] = await email.attachments();
    expect(others).toEqual([]);
    expect(pdf).toMatchObject({ name: 'rechnung ü.pdf', type: 'application/pdf', size: 4 });
    expect(requests).toEqual(['parts']);
    expect([...((await pdf?.bytes()) ?? [])]).toEqual([0, 1, 2, 255]);
    expect(csv).toMatchObject({ name: 'part-3', type: 'text/csv', size: 7 });
    expect(await csv?.text()).toBe('grüße;1');
  });

  test('reject if the email was deleted', async () => {
    const { email, inbox } = await received(INVOICE);
    await inbox.delete(email);
    await inbox.delete(email);
    for (const ask of [() => email.html(), () => email.explain(), () => email.attachments()]) {
      await expect(ask()).rejects.toMatchObject({ name: 'MayflyGoneError', status: 404 });
    }
    await expect(inbox.delete({} as ReceivedEmail)).rejects.toMatchObject({ name: 'MayflyOptionError' });
  });

  test('are null or empty if the email has no such contents', async () => {
    const { email, inbox } = await received(message(['From: a@app.test', 'Subject: x', '', 'Hello']));
    expect(await email.html()).toBeNull();
    expect(await email.links()).toEqual([]);
    expect(await email.attachments()).toEqual([]);
    await inbox.clear();
    expect(await inbox.emails()).toEqual([]);
  });
});

describe('fromName', () => {
  test.each([
    'app@app.test',
    '"Billing, \\"Acme\\"" <app@app.test>',
    '=?utf-8?Q?Gr=C3=BC=C3=9Fe_aus?= =?utf-8?B?IEvDtmxu?= <app@app.test>',
    '=?iso-8859-1*de?Q?Gr=FC=DFe?= Team <app@app.test>',
    'Jane\r\n Doe <app@app.test>, Bob <bob@app.test>',
    '=?utf-8?Q?line=0Abreak?= <app@app.test>',
    '<app@app.test>',
  ])('decodes the From header as the service does: %s', async (from) => {
    const inbox = new Mayfly({ baseUrl: service.url }).inbox(freshName());
    await service.message(inbox.name, message([`From: ${from}`, 'Subject: x', '', 'Hello']));
    const response = await fetch(`${service.url}/api/inbox/${inbox.name}/summary`);
    const { emails } = (await response.json()) as { emails: { fromName: string }[] };
    expect((await inbox.latest())?.fromName).toBe(emails[0]?.fromName);
  });

  test('is empty if the From header is missing or hostile', () => {
    expect(fromName('')).toBe('');
    expect(fromName(`From: ${'"\\'.repeat(100_000)} <a@app.test>\r\n\r\n`)).toBe('');
    expect(fromName('Subject: x\r\n\r\nFrom: Body <a@app.test>')).toBe('');
  });
});

describe('waitForCode and waitForLink', () => {
  const html = (body: string, subject = 'Your account') =>
    message([
      'From: a@app.test',
      `Subject: ${subject}`,
      'MIME-Version: 1.0',
      'Content-Type: text/html; charset=utf-8',
      '',
      body,
    ]);
  const newInbox = () => new Mayfly({ baseUrl: service.url }).inbox(freshName());

  test('return a code with letters, or the code that matches the pattern option', async () => {
    const inbox = newInbox();
    const waiting = inbox.waitForCode();
    await service.message(inbox.name, html('<p>Hello</p>'));
    await service.message(inbox.name, html('<p>Your verification code is A7K-2QX</p>'));
    expect(await waiting).toBe('A7K-2QX');
    const digits = inbox.waitForCode({ pattern: /^\d{6}$/ });
    await service.message(inbox.name, html('<p>Your verification code is 482913</p>'));
    expect(await digits).toBe('482913');
    // Only the older email has a code that matches, so the older email is the newest match.
    expect(await inbox.waitForCode({ pattern: 'a7k' })).toBe('A7K-2QX');
  });

  test('return the action link, or the link that the filter matches', async () => {
    const inbox = newInbox();
    await service.message(inbox.name, INVOICE);
    expect(await inbox.waitForLink()).toBe('https://app.test/start?token=abc');
    expect(await inbox.waitForLink({ text: 'forgot' })).toBe('https://app.test/x/RESET');
    expect(await inbox.waitForLink({ pattern: /terms$/ })).toBe('https://app.test/terms');
    const both = (timeout: number) => inbox.waitForLink({ text: 'terms', pattern: 'reset', timeout });
    await inVain(both, ({ message }, timeout) =>
      expect(message).toContain(
        `Waited ${timeout / 1_000} s for an email with a link with the text "terms" to "reset". 1 email came to ${inbox}: ` +
          `'Your account' (no link with the text "terms" to "reset": it has another link, https://app.test/start?token=abc: use `,
      ),
    );
  });

  test('describe the wanted code or link in the timeout error, and reject invalid options', async () => {
    const inbox = newInbox();
    await service.message(inbox.name, html('<p>Hello</p>'));
    await inVain(
      (timeout) => inbox.waitForCode({ timeout, pattern: /x/, subject: 'account' }),
      ({ message }) =>
        expect(message).toContain('for an email with a code that matches /x/, subject "account". 1 email came'),
    );
    await saysInVain((timeout) => inbox.waitForLink({ timeout }), '(no link; its text begins "Hello")');
    await expect(inbox.waitForCode({ pattern: 4 as unknown as string })).rejects.toThrow('pattern must be a string');
  });

  test('end at their deadline even if the response with the parsed contents never ends', async () => {
    const { fetch } = recordingFetch((request, init) => {
      if (request !== 'parts') return null;
      const start = (controller: ReadableStreamDefaultController) =>
        init?.signal?.addEventListener('abort', () => controller.error(init.signal?.reason));
      return new Response(new ReadableStream({ start }), { headers: { 'content-type': 'application/json' } });
    });
    const inbox = new Mayfly({ baseUrl: service.url, fetch }).inbox(freshName());
    await service.mail(inbox.name);
    await inbox.emails();
    await expect(inbox.waitForCode({ timeout: 500 })).rejects.toMatchObject({ name: 'MayflyTimeoutError' });
  });
});
