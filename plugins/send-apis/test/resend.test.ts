import { beforeAll, expect, test } from 'vitest';
import { type Answer, describeSdk, freshAddress, load } from './provider.js';

const FROM = 'Äpp, Inc. <app@acme.test>';

describeSdk('resend, the SDK', { maxEmails: 3 }, (service) => {
  let resend: Answer;

  beforeAll(() => {
    const { Resend } = load('resend');
    resend = new Resend('re_123', { baseUrl: service.url });
  });

  test("Resend's API sends every field of a message, and finds it by its ID", async () => {
    const [to, cc, bcc] = [freshAddress(), freshAddress(), freshAddress()];
    const { data, error } = await resend.emails.send({
      from: FROM,
      to: [`"Doe, Jané" <${to}>`],
      cc,
      bcc: [bcc, bcc],
      replyTo: ['help@acme.test'],
      subject: 'Wélcome\r\nX-Evil: 1',
      text: 'Your code is 482913, für dich',
      html: '<p>Your code is <b>482913</b><img src="cid:logo"></p>',
      headers: { 'X-Run': '42\r\nX-Evil: 1', Bcc: 'evil@inbox.example.com' },
      tags: [{ name: 'kind', value: 'welcome' }],
      scheduledAt: '2030-01-01T00:00:00.000Z',
      attachments: [
        { filename: 'héllo.txt', content: Buffer.from('hello') },
        {
          filename: 'logo.png',
          content: Buffer.from('png').toString('base64'),
          contentType: 'image/png',
          contentId: 'logo',
        },
      ],
    });
    expect(error).toBeNull();
    for (const address of [to, cc, bcc]) expect(await service.emails(address)).toMatchObject([{ otp: '482913' }]);
    const parts = await service.parts(to);
    expect(parts).toMatchObject({
      from: [{ name: 'Äpp, Inc.', address: 'app@acme.test' }],
      to: [{ name: 'Doe, Jané', address: to }],
      cc: [{ address: cc }],
      replyTo: [{ address: 'help@acme.test' }],
      text: 'Your code is 482913, für dich',
      sendApi: {
        provider: 'resend',
        id: data.id,
        request: 'POST /emails',
        body: { tags: [{ name: 'kind', value: 'welcome' }], attachments: [{ content: '(8 characters)' }, {}] },
        notes: [expect.stringContaining('2030-01-01T00:00:00.000Z')],
      },
    });
    expect(parts.headers.find(({ name }: Answer) => name === 'X-Run').value).toBe('42 X-Evil: 1');
    expect(parts.headers.map(({ name }: Answer) => name)).not.toContain('X-Evil');
    expect(parts.parts).toContainEqual(expect.objectContaining({ filename: 'héllo.txt', size: 5, attachment: true }));
    expect(parts.parts).toContainEqual(expect.objectContaining({ contentId: 'logo', type: 'image/png', size: 3 }));
    expect(JSON.stringify(parts)).not.toContain('re_123');
    const found = await resend.emails.get(data.id);
    expect(found.data).toMatchObject({
      object: 'email',
      id: data.id,
      to: [to],
      cc: [cc],
      bcc: [bcc],
      text: parts.text,
      html: parts.html,
      last_event: 'delivered',
      scheduled_at: '2030-01-01T00:00:00.000Z',
    });
    expect(found.data.message_id).toContain(data.id);
    expect((await resend.emails.update({ id: data.id, scheduledAt: '2031-01-01' })).data.id).toBe(data.id);
    expect((await resend.emails.cancel(data.id)).data).toEqual({ object: 'email', id: data.id });
    for (const id of ['49a3999c-0ce1-4ea6-ab68-afcd6dc2e794', 'x']) {
      expect((await resend.emails.get(id)).error).toMatchObject({ statusCode: 404, name: 'not_found' });
    }
  });

  test("an invalid message fails a whole strict batch of Resend's API, but no permissive batch", async () => {
    const [one, other] = [freshAddress(), freshAddress()];
    const mails = [one, other].map((to) => ({ from: FROM, to, subject: 'Hi', text: 'Your code is 482913' }));
    const all = await resend.batch.send(mails);
    expect(all.data.data).toHaveLength(2);
    expect((await service.emails(other))[0].id).toContain(all.data.data[1].id);
    const mixed = [mails[0], { ...mails[1], from: 'nobody' }];
    expect((await resend.batch.send(mixed)).error).toMatchObject({ statusCode: 422, name: 'validation_error' });
    expect(await service.emails(one)).toHaveLength(1);
    const some = await resend.batch.send(mixed, { batchValidation: 'permissive' });
    expect(some.data).toEqual({
      data: [{ id: expect.any(String) }],
      errors: [{ index: 1, message: expect.stringContaining('Invalid `from` field.') }],
    });
    expect(await service.emails(one)).toHaveLength(2);
    expect(await service.emails(other)).toHaveLength(1);
  });

  test("Resend's API sends only one message for two requests with the same idempotency key", async () => {
    const to = freshAddress();
    const mail = { from: FROM, to, subject: 'Hi', text: 'Your code is 482913' };
    const key = { idempotencyKey: `key-${to}` };
    const first = await resend.emails.send(mail, key);
    expect((await resend.emails.send(mail, key)).data).toEqual(first.data);
    expect(await service.emails(to)).toHaveLength(1);
    expect((await resend.emails.send({ ...mail, text: 'other' }, key)).error).toMatchObject({
      statusCode: 409,
      name: 'invalid_idempotent_request',
    });
    expect((await resend.emails.send(mail, { idempotencyKey: 'x'.repeat(257) })).error).toMatchObject({
      statusCode: 400,
      name: 'invalid_idempotency_key',
    });
  });

  const MAIL = { from: FROM, to: 'a@inbox.example.com', subject: 'Hi', text: 'Hi' };

  test.each<[string, Answer, number, string, RegExp]>([
    ['no subject', { ...MAIL, subject: undefined }, 422, 'missing_required_field', /Missing `subject` field/],
    ['a subject of another type', { ...MAIL, subject: 5 }, 422, 'validation_error', /`subject` field must be a string/],
    [
      'an attachment given by its URL',
      { ...MAIL, attachments: [{ path: 'http://127.0.0.1/' }] },
      422,
      'invalid_attachment',
      /fetches/,
    ],
    ['invalid base64', { ...MAIL, attachments: [{ content: '%%%' }] }, 422, 'invalid_attachment', /base64/],
  ])('a message with %s gets the error that Resend sends', async (_, mail, statusCode, name, message) => {
    const { data, error } = await resend.emails.send(mail);
    expect([data, error]).toEqual([null, { statusCode, name, message: expect.stringMatching(message) }]);
  });
});
