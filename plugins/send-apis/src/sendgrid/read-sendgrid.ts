import { type Attachment, bytesOfBase64, isAddress, oneLine, type Person } from 'mayfly-plugins-shared/compose-letter';
import {
  filesIn,
  headersFrom,
  isObject,
  type JsonObject,
  jsonIn,
  listOf,
  objectOf,
  textOf,
  variableText,
} from 'mayfly-plugins-shared/sending/fields';
import { idAt, type Order, type Translator } from 'mayfly-plugins-shared/sending/order';
import { checkTogether, refuse } from 'mayfly-plugins-shared/sending/problem';
import { Filling } from '../templates.js';

/** twilio.com/docs/sendgrid/api-reference/mail-send/limitations */
const MAX_PERSONALIZATIONS = 1_000;

/** `POST /v3/mail/send` (twilio.com/docs/sendgrid/api-reference/mail-send/mail-send), a message per personalization. */
export const sendgridMail: Translator = {
  hasOneId: true,
  idOf: idAt('sendgrid.net'),
  read({ body }) {
    const fields = jsonIn(body);
    if (!isObject(fields)) return refuse('malformed');
    const personalizations = listOf(fields.personalizations, 'personalizations');
    if (personalizations.length === 0) refuse('missing', { field: 'personalizations' });
    if (personalizations.length > MAX_PERSONALIZATIONS)
      refuse('too-many-mails', { detail: String(MAX_PERSONALIZATIONS) });
    const common = commonOf(fields);
    checkTogether(personalizations.length, common);
    return { orders: mailsOf(personalizations, common), body: fields };
  },
};

function* mailsOf(personalizations: readonly unknown[], common: Common): Generator<Order> {
  const filling = new Filling();
  for (const [at, one] of personalizations.entries()) yield personalized(one, at, common, filling);
}

type Common = ReturnType<typeof commonOf>;

function commonOf(fields: JsonObject) {
  if (!isObject(fields.from)) refuse('missing', { field: 'from.email' });
  const from = person(fields.from, 'from');
  const templateId = textOf(fields.template_id, 'template_id');
  const content = listOf(fields.content, 'content').map((one, at) => contentOf(one, at));
  if (content.length === 0 && templateId === null) refuse('missing', { field: 'content' });
  const ofType = (type: string) => content.find((one) => one.type === type)?.value ?? '';
  const replyTo = fields.reply_to == null ? [] : [person(fields.reply_to, 'reply_to')];
  const { sandbox_mode: sandbox } = objectOf(fields.mail_settings, 'mail_settings');
  const isSandboxed = objectOf(sandbox, 'mail_settings.sandbox_mode').enable === true;
  return {
    fields,
    from,
    replyTo: [...replyTo, ...people(fields.reply_to_list, 'reply_to_list')],
    subject: textOf(fields.subject, 'subject'),
    text: ofType('text/plain'),
    html: ofType('text/html'),
    templateId,
    attachments: filesIn(fields.attachments, 'attachments').map(attached),
    notes: isSandboxed ? ['sandbox_mode is on, but the email was sent anyway.'] : [],
    isSandboxed,
  };
}

function contentOf(value: unknown, at: number): { readonly type: string; readonly value: string } {
  const { type, value: text } = objectOf(value, `content.${at}`);
  const given = textOf(text, `content.${at}.value`) ?? '';
  if (given === '') refuse('missing', { field: `content.${at}.value` });
  return {
    type: (textOf(type, `content.${at}.type`) ?? 'text/plain').split(';', 1)[0]?.toLowerCase() ?? '',
    value: given,
  };
}

function personalized(value: unknown, at: number, common: Common, filling: Filling): Order {
  const place = `personalizations.${at}`;
  const own = objectOf(value, place);
  const named = (name: string) => people(own[name], `${place}.${name}`);
  const [to, cc, bcc] = [named('to'), named('cc'), named('bcc')];
  if (to.length === 0) refuse('missing', { field: `${place}.to` });
  checkUnique({ to, cc, bcc }, place);
  const field = `${place}.substitutions`;
  const given = Object.entries(objectOf(own.substitutions, field));
  const substitutions = new Map(given.map(([tag, text]) => [tag, variableText(text, field)]));
  const filled = (text: string) => filling.substituted(text, substitutions, field);
  const subject = textOf(own.subject, `${place}.subject`) ?? common.subject;
  if (subject === null && common.templateId === null) refuse('missing', { field: 'subject' });
  const headers = [common.fields.headers, own.headers]
    .flatMap((one) => Object.entries(objectOf(one, 'headers')))
    .map(([name, text]) => [name, typeof text === 'string' ? filled(text) : text] as const);
  const variables = () => {
    const data = objectOf(own.dynamic_template_data, `${place}.dynamic_template_data`);
    return { ...Object.fromEntries(substitutions), ...data };
  };
  const sendAt = own.send_at ?? common.fields.send_at;
  return {
    letter: {
      from: own.from == null ? common.from : person(own.from, `${place}.from`),
      to,
      cc,
      bcc,
      replyTo: common.replyTo,
      subject: filled(subject ?? ''),
      text: filled(common.text),
      html: filled(common.html),
      headers: headersFrom(headers, 'headers'),
      attachments: common.attachments,
    },
    template: common.templateId === null ? null : { id: common.templateId, variables: variables() },
    notes: [
      ...common.notes,
      ...(sendAt == null ? [] : [`send_at is ${timeText(sendAt)}, but the email was sent now.`]),
    ],
    ...(common.isSandboxed && { echo: { sandbox: 'true' } }),
  };
}

function timeText(sendAt: unknown): string {
  const time = typeof sendAt === 'number' ? new Date(sendAt * 1_000) : null;
  return time === null || Number.isNaN(time.getTime())
    ? variableText(sendAt, 'send_at').slice(0, 100)
    : time.toISOString();
}

/** SendGrid refuses an address that appears twice. */
function checkUnique(lists: Readonly<Record<string, readonly Person[]>>, place: string): void {
  const seen = new Set<string>();
  for (const [name, list] of Object.entries(lists)) {
    for (const { address } of list) {
      if (seen.has(address.toLowerCase())) refuse('invalid', { field: place, address, detail: `${place}.${name}` });
      seen.add(address.toLowerCase());
    }
  }
}

function people(value: unknown, field: string): readonly Person[] {
  return listOf(value, field).map((one, at) => person(one, `${field}.${at}`));
}

function person(value: unknown, field: string): Person {
  const { email, name } = objectOf(value, field);
  const address = (textOf(email, `${field}.email`) ?? '').trim();
  if (!isAddress(address)) refuse(field === 'from' ? 'sender' : 'recipient', { field: `${field}.email` });
  return { address, name: oneLine(textOf(name, `${field}.name`) ?? '') };
}

function attached(value: unknown, at: number): Attachment {
  const field = `attachments.${at}`;
  const fields = objectOf(value, field);
  const text = (name: string) => textOf(fields[name], `${field}.${name}`) ?? '';
  return {
    content: bytesOfBase64(text('content')) ?? refuse('attachment', { field: `${field}.content` }),
    filename: text('filename'),
    contentType: text('type'),
    cid: text('disposition') === 'inline' ? text('content_id') : '',
  };
}
