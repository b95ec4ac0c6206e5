/**
 * Reads posts of inbound() by the rules of Griddler, a Rails engine: the fields that its adapters read, from
 * lib/griddler/{sendgrid,mailgun,postmark}/adapter.rb in thoughtbot/griddler-sendgrid (0efc5e15),
 * bradpauly/griddler-mailgun (0ae299d5) and r38y/griddler-postmark (0148ac63).
 */
import { inbound } from 'mayfly-client/inbound';
import { expect, test } from 'vitest';
import { type Arrived, applicationOfFile } from './webhook-fixtures.js';

const { application, last } = await applicationOfFile();

interface Read {
  readonly from: unknown;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly subject: unknown;
  readonly text: unknown;
  readonly html: unknown;
  readonly files: readonly (readonly [name: string, type: string, bytes: readonly number[]])[];
}

async function formOf({ bytes, headers }: Arrived) {
  const post = new Response(Uint8Array.from(bytes), { headers: { 'content-type': `${headers['content-type']}` } });
  return post.formData();
}

const list = (value: unknown) => `${value}`.split(',').map((one) => one.trim());

/** The numbered files of a form, as many as its field of a count says. */
function filesIn(form: FormData, count: string, prefix: string): Promise<Read['files'][number]>[] {
  return Array.from({ length: Number(form.get(count)) }, async (_, at) => {
    const file = form.get(`${prefix}${at + 1}`) as File;
    return [file.name, file.type, [...new Uint8Array(await file.arrayBuffer())]] as const;
  });
}

const ADAPTERS: Readonly<Record<'sendgrid' | 'mailgun' | 'postmark', (post: Arrived) => Promise<Read>>> = {
  async sendgrid(post) {
    const form = await formOf(post);
    const [from, subject, text, html] = ['from', 'subject', 'text', 'html'].map((name) => form.get(name));
    const files = await Promise.all(filesIn(form, 'attachments', 'attachment'));
    return { from, to: list(form.get('to')), cc: list(form.get('cc')), subject, text, html, files };
  },
  async mailgun(post) {
    const form = await formOf(post);
    const headers: Record<string, string> = Object.fromEntries(JSON.parse(`${form.get('message-headers')}`));
    // A field takes precedence over the header of the same name.
    const [from, to, cc] = ['From', 'To', 'Cc'].map((name) => form.get(name) ?? headers[name]);
    const [subject, text, html] = ['subject', 'body-plain', 'body-html'].map((name) => form.get(name));
    const files = await Promise.all(filesIn(form, 'attachment-count', 'attachment-'));
    return { from, to: list(to), cc: list(cc), subject, text, html, files };
  },
  async postmark({ body }) {
    const { FromFull, ToFull, CcFull, Subject, TextBody, HtmlBody, Attachments } = JSON.parse(body);
    const person = ({ Name, Email }: Record<string, string>) => (Name ? `${Name} <${Email}>` : `${Email}`);
    const files = Attachments.map(({ Name, ContentType, Content }: Record<string, string>) => {
      return [Name, ContentType, [...Buffer.from(`${Content}`, 'base64')]];
    });
    const [to, cc] = [ToFull.map(person), CcFull.map(person)];
    return { from: person(FromFull), to, cc, subject: Subject, text: TextBody, html: HtmlBody, files };
  },
};

test.each(Object.entries(ADAPTERS))('the rules of Griddler read an email of %s', async (as, read) => {
  const mail = inbound({
    as: as as keyof typeof ADAPTERS,
    url: application.url,
    ...(as === 'mailgun' && { secret: 'a' }),
  });
  await mail.send({
    from: 'Ann Müller <ann@example.test>',
    to: ['Support <support+42@in.acme.test>', 'two@in.acme.test'],
    cc: 'cc@example.test',
    subject: 'Rückfrage',
    text: 'Grüße',
    html: '<p>Grüße</p>',
    attachments: [
      { filename: 'invoice.pdf', content: Uint8Array.from([0, 255, 13, 10]), contentType: 'application/pdf' },
      { filename: 'logo.png', content: 'png', contentType: 'image/png', cid: 'logo' },
    ],
  });
  expect(await read(last())).toEqual({
    from: 'Ann Müller <ann@example.test>',
    to: ['Support <support+42@in.acme.test>', 'two@in.acme.test'],
    cc: ['cc@example.test'],
    subject: 'Rückfrage',
    text: 'Grüße',
    html: '<p>Grüße</p>',
    files: [
      ['invoice.pdf', 'application/pdf', [0, 255, 13, 10]],
      ['logo.png', 'image/png', [...Buffer.from('png')]],
    ],
  });
});
