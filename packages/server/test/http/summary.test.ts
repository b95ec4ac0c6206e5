import type { EmailSummary } from 'mayfly-client';
import { beforeEach, describe, expect, test } from 'vitest';
import { api, startApiForEachTest } from './api.js';

startApiForEachTest();

async function summaries(query = '', inbox = 'demo'): Promise<EmailSummary[]> {
  const response = await api.app.inject(`/api/inbox/${inbox}/summary${query}`);
  expect(response.statusCode).toBe(200);
  const { emails, count } = response.json();
  expect(count).toBe(emails.length);
  return emails;
}

const subjectsOf = (emails: readonly EmailSummary[]) => emails.map(({ subject }) => subject);

/** Delivers messages with the subjects 1, 2, 3 … */
async function mailMany(count: number): Promise<void> {
  for (let n = 1; n <= count; n++) await api.mail('demo', `text ${n}`, { Subject: `${n}` });
}

/** Returns the numbers from the first down to the last, as texts. */
const down = (first: number, last: number) => Array.from({ length: first - last + 1 }, (_, i) => `${first - i}`);

describe('GET /api/inbox/{name}/summary', () => {
  test('returns an empty list for an inbox without mail', async () => {
    const response = await api.app.inject('/api/inbox/demo/summary');
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(response.headers['content-length']).toBe('23');
    expect(response.body).toBe('{"emails":[],"count":0}');
  });

  test('returns each email without rawBody, but with its size, code and number of attachments', async () => {
    const headers = {
      From: '=?utf-8?Q?Anna_=C3=89k?= <anna@app.test>',
      'Message-ID': '<1@app.test>',
      Subject: '=?utf-8?Q?Gr=C3=BC=C3=9Fe?=',
      'Content-Type': 'multipart/mixed; boundary=b',
    };
    const text = 'Your code is 482913. Or go to https://app.test/verify?t=1 now.';
    const part = 'Content-Type: application/pdf\r\nContent-Disposition: attachment; filename=a.pdf\r\n\r\nx';
    await api.mail('demo', `--b\r\n\r\n${text}\r\n--b\r\n${part}\r\n--b--`, headers);
    const { emails } = (await api.app.inject('/api/inbox/demo')).json();
    const [{ rawBody, body, ...email }] = emails;
    expect(await summaries()).toEqual([
      {
        ...email,
        fromName: 'Anna Ék',
        size: Buffer.byteLength(rawBody),
        attachments: 1,
        text: body,
        cut: [],
        code: '482913',
        action: true,
      },
    ]);
    expect(email).toMatchObject({ otp: '482913', magicLink: 'https://app.test/verify?t=1' });
  });

  test.each([
    ['a code with letters', 'Your login code is XK7-Q2P', { otp: null, code: 'XK7-Q2P', action: false }],
    [
      'a link of unusual wording',
      'Anna invites you to her team. Accept the invitation: https://app.test/i/7',
      { code: null, magicLink: null, action: true },
    ],
    ['a message with neither', 'See you at https://app.test/', { code: null, action: false }],
  ])('returns the fields code and action for %s', async (_, text, expected) => {
    await api.mail('demo', text, { Subject: 'You are invited' });
    const [email] = await summaries();
    expect(email).toMatchObject(expected);
    const { codes, links } = (await api.app.inject(`/api/inbox/demo/${email?.receivedAt}/parts`)).json();
    expect(codes[0]?.value ?? null).toBe(expected.code);
    expect(links.some(({ action }: { action: boolean }) => action)).toBe(expected.action);
  });

  test('describes each email in at most 1,000 bytes, whatever the message contains', async () => {
    for (const unit of ['x', '"', '\\', 'ß', '字', '😀', '\u0001', '=?utf-8?B?AAAA?= ']) {
      const long = unit.repeat(3_000);
      await api.mail('demo', `https://app.test/verify?t=${'x'.repeat(2_000)} ${long}`, {
        From: `${long} <${'a'.repeat(300)}@app.test>`,
        'Message-ID': `<${'i'.repeat(900)}@app.test>`,
        Subject: long,
      });
    }
    const response = await api.app.inject('/api/inbox/demo/summary');
    expect(response.rawPayload.length).toBeLessThan(8 * 1_001 + 30);
    for (const summary of response.json().emails) {
      expect(Buffer.byteLength(JSON.stringify(summary))).toBeLessThanOrEqual(1_000);
      expect(summary).toMatchObject({ id: null, from: null, magicLink: null });
      expect(summary.cut).toEqual(expect.arrayContaining(['id', 'from', 'magicLink']));
    }
  });

  describe('filters (D9)', () => {
    beforeEach(async () => {
      await api.mail('demo', 'Your code is 482913', { Subject: 'Code', From: 'Login <login@app.test>' });
      await api.mail('demo', 'Click https://app.test/verify?t=1', { Subject: 'Link', From: 'team@other.test' });
      await api.mail('demo', 'Nothing in it', { Subject: 'Plain' });
    });

    test.each([
      'hasOtp=true',
      'hasOtp=false',
      'hasMagicLink=true',
      'hasMagicLink=false&hasOtp=false',
      'from=LOGIN@',
      'subject=in',
      'body=CLICK',
      'subject=nothing',
      'subject=',
      'unknown=1&source=browser',
      'source=&source=twice',
      'after=2026-01-01T00:00:00.000Z',
      'after=2026-01-01T00:00:00.001Z&hasOtp=false',
      'after=2026-01-01T00:00:00.002Z',
    ])('selects the same emails as a fetch: %s', async (query) => {
      const fetched = (await api.app.inject(`/api/inbox/demo?${query}`)).json();
      expect(subjectsOf(await summaries(`?${query}`))).toEqual(subjectsOf(fetched.emails));
    });
  });

  describe('pages', () => {
    test.each([1, 3, 127, 128, 129, 200])('of %i emails contain each email of the inbox once', async (limit) => {
      await mailMany(300);
      const found: string[] = [];
      // The limit of 300 ends the test if the pages never end.
      for (let before = ''; found.length <= 300; ) {
        const page = await summaries(`?limit=${limit}${before}`);
        expect(page.length).toBeLessThanOrEqual(limit);
        found.push(...subjectsOf(page));
        if (page.length < limit) break;
        before = `&before=${page.at(-1)?.receivedAt}`;
      }
      expect(found).toEqual(down(300, 1));
    });

    test.each(['0', '-1', '1.5', '01', '', '1e3', 'all', '1000000', '%2B1', ' 1', '1&limit=1'])(
      'get 400 and the reason if the limit is %j',
      async (limit) => {
        const response = await api.app.inject(`/api/inbox/demo/summary?limit=${limit}`);
        expect(response.statusCode).toBe(400);
        expect(response.json().error).toBe(
          'The query parameter "limit" is not valid: use it once, with a whole number from 1 to 999999 without leading zeros.',
        );
      },
    );
  });
});
