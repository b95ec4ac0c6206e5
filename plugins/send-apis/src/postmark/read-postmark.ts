import { type Attachment, bytesOfBase64, type Person } from 'mayfly-plugins-shared/compose-letter';
import {
  filesIn,
  headersFrom,
  isObject,
  type JsonObject,
  jsonIn,
  namedValues,
  objectOf,
  textOf,
} from 'mayfly-plugins-shared/sending/fields';
import { mailboxesIn, mailboxIn } from 'mayfly-plugins-shared/sending/mailboxes';
import { eachAlone } from 'mayfly-plugins-shared/sending/named-recipients';
import { idAt, jsonEmail, type Order, type Translator } from 'mayfly-plugins-shared/sending/order';
import { refuse } from 'mayfly-plugins-shared/sending/problem';

/** postmarkapp.com/developer/user-guide/send-email-with-api/batch-emails */
const MAX_BATCH = 500;

const idOf = idAt('mtasv.net');

/** `POST /email` and `POST /email/withTemplate` (postmarkapp.com/developer/api/email-api). */
export const postmarkEmail = jsonEmail(idOf, orderOf);

/** `POST /email/batch`, an array; and `POST /email/batchWithTemplates`, an object with `Messages`. */
export const postmarkBatch: Translator = {
  idOf,
  read({ body }) {
    const fields = jsonIn(body);
    const messages = isObject(fields) ? fields.Messages : fields;
    if (!Array.isArray(messages)) return refuse('invalid', { field: 'Messages', detail: 'an array' });
    if (messages.length > MAX_BATCH) return refuse('too-many-mails', { detail: String(MAX_BATCH) });
    return { orders: eachAlone(messages, orderOf), body: fields };
  },
};

function orderOf(fields: unknown): Order {
  if (!isObject(fields)) return refuse('malformed');
  const template = templateIn(fields);
  const text = textOf(fields.TextBody, 'TextBody') ?? '';
  const html = textOf(fields.HtmlBody, 'HtmlBody') ?? '';
  const from = textOf(fields.From, 'From') ?? '';
  if (from === '') refuse('missing', { field: 'From' });
  if (text === '' && html === '' && template === null) refuse('missing', { field: 'HtmlBody' });
  const [to, cc, bcc] = [people(fields, 'To'), people(fields, 'Cc'), people(fields, 'Bcc')];
  if (to.length + cc.length + bcc.length === 0) refuse('missing', { field: 'To' });
  const echo = ['To', 'Cc', 'Bcc'].map((field) => [field, textOf(fields[field], field)] as const);
  const headers = namedValues(fields.Headers);
  const tag = textOf(fields.Tag, 'Tag');
  return {
    letter: {
      from: mailboxIn(from) ?? refuse('sender', { field: 'From', address: from }),
      to,
      cc,
      bcc,
      replyTo: people(fields, 'ReplyTo'),
      subject: textOf(fields.Subject, 'Subject') ?? '',
      text,
      html,
      headers: headersFrom(tag === null ? headers : [...headers, ['X-PM-Tag', tag]], 'Headers'),
      attachments: filesIn(fields.Attachments, 'Attachments').map(attached),
    },
    template,
    notes: [],
    echo: Object.fromEntries(echo.flatMap(([field, written]) => (written === null ? [] : [[field, written]]))),
  };
}

function people(fields: JsonObject, field: string): readonly Person[] {
  const text = textOf(fields[field], field) ?? '';
  return mailboxesIn(text) ?? refuse('recipient', { field, address: text });
}

function templateIn({ TemplateId: number, TemplateAlias: alias, TemplateModel: model }: JsonObject) {
  const id =
    typeof number === 'number' ? String(number) : (textOf(alias, 'TemplateAlias') ?? textOf(number, 'TemplateId'));
  return id === null ? null : { id, variables: objectOf(model, 'TemplateModel') };
}

function attached(value: unknown): Attachment {
  const fields = objectOf(value, 'Attachments');
  const text = (name: string) => textOf(fields[name], name) ?? '';
  const detail = 'The Content of an attachment must be base64.';
  return {
    content: bytesOfBase64(text('Content')) ?? refuse('attachment', { field: 'Attachments', detail }),
    filename: text('Name'),
    contentType: text('ContentType'),
    // Like Postmark, accepts the ID with the `cid:` scheme, as in the HTML.
    cid: text('ContentID').replace(/^cid:/, ''),
  };
}
