import { afterEach, describe, expect, test } from 'vitest';
import { inboxApi } from '../src/api.js';
import { recordingFetch } from './recording-fetch.js';
import { freshName, serviceOfFile, type TestService } from './service.js';

const opened: TestService[] = [];

const service = await serviceOfFile();

afterEach(async () => {
  for (const one of opened.splice(0)) await one.stop();
});

const MULTIPART = [
  'From: =?utf-8?Q?Caf=C3=A9_M=C3=BCller?= <cafe@app.test>',
  'To: demo@inbox.example.com',
  'Subject: Your invoice',
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary=b',
  '',
  '--b',
  'Content-Type: text/html; charset=utf-8',
  '',
  '<p>Hello <a href="https://app.test/reset?token=abc">Reset it</a></p>',
  '--b',
  'Content-Type: application/pdf',
  'Content-Disposition: attachment; filename="in voice.pdf"',
  'Content-Transfer-Encoding: base64',
  '',
  'AAEC/w==',
  '--b--',
  '',
].join('\r\n');

function newApi() {
  const name = freshName();
  const { fetch, requests } = recordingFetch();
  const api = inboxApi(name, { baseUrl: service.url, fetch }, 'browser');
  return { api, name, requests };
}

describe('the API of one inbox', () => {
  test('lists summaries page by page, and filters them', async () => {
    const { api, name } = newApi();
    for (let n = 1; n <= 5; n++) await service.mail(name, { subject: `mail ${n}`, text: `Your code is 48291${n}` });
    const subjects = (emails: readonly { subject: string }[]) => emails.map(({ subject }) => subject);
    const first = await api.summaries({ limit: 2 });
    expect(subjects(first)).toEqual(['mail 5', 'mail 4']);
    expect(first[0]).toMatchObject({ otp: '482915', to: `${name}@inbox.example.com`, attachments: 0, cut: [] });
    expect(subjects(await api.summaries({ limit: 2, before: first[1]?.receivedAt }))).toEqual(['mail 3', 'mail 2']);
    expect(subjects(await api.summaries({ after: first[1]?.receivedAt }))).toEqual(['mail 5']);
    expect(subjects(await api.summaries({ subject: 'MAIL 3', hasOtp: true }))).toEqual(['mail 3']);
    expect(subjects(await api.summaries({ hasMagicLink: true }))).toEqual([]);
    expect(subjects(await api.emails({ body: '482911' }))).toEqual(['mail 1']);
  });

  test('returns the fields, parsed contents, attachment, source and explanation of an email', async () => {
    const { api, name } = newApi();
    await service.message(name, MULTIPART);
    const [{ receivedAt } = { receivedAt: '' }] = await api.summaries();
    expect(await api.email(receivedAt)).toMatchObject({ subject: 'Your invoice', rawBody: MULTIPART });
    const { parts, html, links } = await api.parts(receivedAt);
    expect(html).toContain('<p>Hello');
    expect(links.map(({ url, text }) => [url, text])).toEqual([['https://app.test/reset?token=abc', 'Reset it']]);
    const pdf = parts.find(({ attachment }) => attachment);
    expect(pdf).toMatchObject({ path: '2', filename: 'in voice.pdf', size: 4 });
    expect([...new Uint8Array(await (await api.part(receivedAt, '2')).arrayBuffer())]).toEqual([0, 1, 2, 255]);
    const response = await fetch(api.partUrl(receivedAt, '2'));
    expect(response.headers.get('content-disposition')).toContain('in voice.pdf');
    expect(await (await api.message(receivedAt)).text()).toBe(MULTIPART);
    expect(await api.explanation(receivedAt)).toMatchObject({ magicLink: 'https://app.test/reset?token=abc' });
  });

  test('reads an email of more than 4 MiB', async () => {
    const { api, name } = newApi();
    await service.message(name, `Subject: large\r\n\r\n${'x'.repeat(2 ** 22)}\r\n`);
    const [{ receivedAt } = { receivedAt: '' }] = await api.summaries();
    expect((await api.email(receivedAt)).rawBody).toHaveLength(2 ** 22 + 20);
  });
});
