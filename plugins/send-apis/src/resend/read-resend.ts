import { type Attachment, bytesOfBase64, type Person } from 'mayfly-plugins-shared/compose-letter';
import { filesIn, headersFrom, isObject, jsonIn, listOf, objectOf, textOf } from 'mayfly-plugins-shared/sending/fields';
import { mailboxesIn, mailboxIn } from 'mayfly-plugins-shared/sending/mailboxes';
import { eachAlone } from 'mayfly-plugins-shared/sending/named-recipients';
import { idAt, jsonEmail, type Order, type TemplateUse, type Translator } from 'mayfly-plugins-shared/sending/order';
import { refuse } from 'mayfly-plugins-shared/sending/problem';

/** resend.com/docs/api-reference/emails/send-batch-emails */
const MAX_BATCH = 100;

const idOf = idAt('resend.dev');

/** `POST /emails` (resend.com/docs/api-reference/emails/send-email). */
export const resendEmail = jsonEmail(idOf, orderOf);

/** `POST /emails/batch`: parses each message separately, so a permissive batch can list the invalid ones. */
export const resendBatch: Translator = {
  idOf,
  read({ body }) {
    const emails = jsonIn(body);
    if (!Array.isArray(emails)) return refuse('invalid', { detail: 'The batch must be an array of emails.' });
    if (emails.length === 0 || emails.length > MAX_BATCH) {
      return refuse('invalid', { detail: `The batch must contain between 1 and ${MAX_BATCH} emails.` });
    }
    return { orders: eachAlone(emails, orderOf), body: emails };
  },
};

function orderOf(fields: unknown): Order {
  if (!isObject(fields)) return refuse('malformed');
  const template = templateIn(fields.template);
  const text = textOf(fields.text, 'text');
  const html = textOf(fields.html, 'html');
  const subject = textOf(fields.subject, 'subject');
  const to = people(fields.to, 'to');
  if (fields.from === undefined || fields.from === null) refuse('missing', { field: 'from' });
  if (to.length === 0) refuse('missing', { field: 'to' });
  if (subject === null && template === null) refuse('missing', { field: 'subject' });
  if (text === null && html === null && template === null) refuse('missing', { field: 'html` or `text' });
  const scheduled = textOf(fields.scheduled_at, 'scheduled_at');
  return {
    letter: {
      from: mailboxIn(textOf(fields.from, 'from') ?? '') ?? refuse('sender', { field: 'from' }),
      to,
      cc: people(fields.cc, 'cc'),
      bcc: people(fields.bcc, 'bcc'),
      replyTo: people(fields.reply_to, 'reply_to'),
      subject: subject ?? '',
      text: text ?? '',
      html: html ?? '',
      headers: headersFrom(Object.entries(objectOf(fields.headers, 'headers')), 'headers'),
      attachments: filesIn(fields.attachments, 'attachments').map(attached),
    },
    template,
    notes: scheduled === null ? [] : [`scheduled_at is ${scheduled.slice(0, 100)}, but the email was sent now.`],
  };
}

/** Parses the people in a text or in a list of texts. */
function people(value: unknown, field: string): readonly Person[] {
  const texts = typeof value === 'string' ? [value] : listOf(value, field);
  return texts.flatMap((text) => {
    const found = mailboxesIn(textOf(text, field) ?? '');
    return found !== null && found.length > 0 ? found : refuse('recipient', { field });
  });
}

function templateIn(value: unknown): TemplateUse | null {
  if (value === undefined || value === null) return null;
  const { id, variables } = objectOf(value, 'template');
  return {
    id: textOf(id, 'template.id') ?? refuse('missing', { field: 'template.id' }),
    variables: objectOf(variables, 'template.variables'),
  };
}

function attached(value: unknown): Attachment {
  const { content, filename, path, content_type: type, content_id, inline_content_id } = objectOf(value, 'attachments');
  const cid = content_id ?? inline_content_id;
  if (content === undefined || content === null) {
    if (typeof path === 'string') {
      refuse('attachment', { detail: 'Mayfly fetches no URLs, so `path` is not supported: send `content`.' });
    }
    refuse('attachment', { detail: 'Attachment must have either a `content` or `path`.' });
  }
  return {
    content: contentOf(content),
    filename: (filename === false ? '' : textOf(filename, 'attachments.filename')) ?? '',
    contentType: textOf(type, 'attachments.content_type') ?? '',
    cid: textOf(cid, 'attachments.content_id') ?? '',
  };
}

/** Decodes base64, a Node Buffer in its JSON form, or a list of bytes, as from Python. */
function contentOf(content: unknown): Buffer {
  if (typeof content === 'string') return bytesOfBase64(content) ?? notBase64();
  const { type, data } = isObject(content) ? content : { type: 'Buffer', data: content };
  const isBytes = type === 'Buffer' && Array.isArray(data) && data.every((byte) => Number.isInteger(byte));
  return isBytes ? Buffer.from(data) : notBase64();
}

function notBase64(): never {
  return refuse('attachment', { detail: 'The attachment content must be base64.' });
}
