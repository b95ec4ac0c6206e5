import { type Attachment, bytesOfBase64, type Letter } from 'mayfly-plugins-shared/compose-letter';
import { headersFrom, jsonIn, listOf, MAX_ATTACHMENTS, objectInText, objectOf, textOf } from '../fields.js';
import { isObject, type JsonObject } from '../json-object.js';
import { orProblem, recipientsIn } from '../named-recipients.js';
import type { Order, RawOrder, Translator } from '../order.js';
import { refuse } from '../problem.js';
import { rawOrder } from '../raw-message.js';
import { filledIn } from '../templates.js';
import { bareAddresses, checkBulk, type SesMail, sesId, sesOrder } from './ses-order.js';

/** `POST /v2/email/outbound-emails` (docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html). */
export const sesEmail: Translator = {
  idOf: sesId,
  read({ body }) {
    const fields = objectIn(body);
    return { orders: [orderOf(fields)], body: fields };
  },
};

/** `POST /v2/email/outbound-bulk-emails` (…/API_SendBulkEmail.html): each entry fails alone. */
export const sesBulk: Translator = {
  idOf: sesId,
  read({ body }) {
    const fields = objectIn(body);
    const { Template: standard } = objectOf(fields.DefaultContent, 'DefaultContent');
    const entries = listOf(fields.BulkEmailEntries, 'BulkEmailEntries');
    if (entries.length === 0) refuse('missing', { field: 'BulkEmailEntries' });
    checkBulk(entries.length);
    const template = objectOf(standard, 'DefaultContent.Template');
    return {
      orders: bulkOrders(entries, { fields, template, variables: dataOf(template.TemplateData) }),
      body: fields,
    };
  },
};

interface Bulk {
  readonly fields: JsonObject;
  readonly template: JsonObject;
  readonly variables: JsonObject;
}

function* bulkOrders(entries: readonly unknown[], { fields, template, variables }: Bulk) {
  for (const entry of entries) {
    const read = () => {
      const { Destination, ReplacementEmailContent, ReplacementHeaders } = objectOf(entry, 'BulkEmailEntries');
      const { ReplacementTemplate } = objectOf(ReplacementEmailContent, 'ReplacementEmailContent');
      const { ReplacementTemplateData: own } = objectOf(ReplacementTemplate, 'ReplacementTemplate');
      const headers = ReplacementHeaders ?? template.Headers;
      const merged = { ...variables, ...dataOf(own) };
      return orderOf({ ...fields, Destination, Content: { Template: template } }, { headers, variables: merged });
    };
    yield orProblem(read, () => recipientsIn(entry));
  }
}

function objectIn(body: Buffer): JsonObject {
  const fields = jsonIn(body);
  return isObject(fields) ? fields : refuse('malformed');
}

function dataOf(json: unknown): JsonObject {
  return objectInText(textOf(json, 'TemplateData') ?? '', 'TemplateData');
}

/** What an entry of a bulk request replaces in its template. */
interface OfEntry {
  readonly headers: unknown;
  readonly variables: JsonObject;
}

function orderOf(fields: JsonObject, ofEntry?: OfEntry): Order | RawOrder {
  const { Simple, Raw, Template } = objectOf(fields.Content, 'Content');
  const destination = objectOf(fields.Destination, 'Destination');
  const addresses = (value: unknown, field: string) => listOf(value, field).map((one) => textOf(one, field) ?? '');
  const [to, cc, bcc] = ['To', 'Cc', 'Bcc'].map((name) =>
    addresses(destination[`${name}Addresses`], `${name}Addresses`),
  );
  const from = textOf(fields.FromEmailAddress, 'FromEmailAddress') ?? '';
  const people = { to: to ?? [], cc: cc ?? [], bcc: bcc ?? [] };
  if (Raw !== undefined && Raw !== null) {
    const data = bytesOfBase64(textOf(objectOf(Raw, 'Content.Raw').Data, 'Content.Raw.Data') ?? '');
    const recipients = bareAddresses([...people.to, ...people.cc, ...people.bcc]);
    return rawOrder(data ?? refuse('attachment', { field: 'Content.Raw.Data' }), {
      from: from === '' ? '' : (bareAddresses([from])[0] ?? ''),
      recipients,
    });
  }
  const replyTo = addresses(fields.ReplyToAddresses, 'ReplyToAddresses');
  const shared = { ...people, from, replyTo };
  if (Simple !== undefined && Simple !== null)
    return sesOrder({ ...shared, ...simple(objectOf(Simple, 'Content.Simple')) });
  if (Template === undefined || Template === null) return refuse('missing', { field: 'Content' });
  return sesOrder({ ...shared, ...templated(objectOf(Template, 'Content.Template'), ofEntry) });
}

type Contents = Omit<SesMail, 'from' | 'to' | 'cc' | 'bcc' | 'replyTo'>;

function simple(content: JsonObject): Contents {
  const body = objectOf(content.Body, 'Content.Simple.Body');
  const data = (value: unknown, field: string) => textOf(objectOf(value, field).Data, `${field}.Data`);
  const text = data(body.Text, 'Content.Simple.Body.Text');
  const html = data(body.Html, 'Content.Simple.Body.Html');
  const subject = data(content.Subject, 'Content.Simple.Subject');
  if (subject === null) refuse('missing', { field: 'Content.Simple.Subject' });
  if (text === null && html === null) refuse('missing', { field: 'Content.Simple.Body' });
  return { subject: subject ?? '', text: text ?? '', html: html ?? '', template: null, ...headersAndFiles(content) };
}

function templated(content: JsonObject, ofEntry?: OfEntry): Contents {
  const variables = ofEntry?.variables ?? dataOf(content.TemplateData);
  const arn = textOf(content.TemplateArn, 'TemplateArn');
  const name = textOf(content.TemplateName, 'TemplateName') ?? arn?.split('/').at(-1) ?? null;
  const shared = headersAndFiles(ofEntry === undefined ? content : { ...content, Headers: ofEntry.headers });
  const inline = objectOf(content.TemplateContent, 'TemplateContent');
  const [subject, text, html] = ['Subject', 'Text', 'Html'].map(
    (part) => textOf(inline[part], `TemplateContent.${part}`) ?? '',
  );
  if (content.TemplateContent !== undefined && content.TemplateContent !== null) {
    const texts = { subject: subject ?? '', text: text ?? '', html: html ?? '' };
    return { ...filledIn(texts, variables), ...shared, template: null };
  }
  if (name === null || name === '') return refuse('missing', { field: 'TemplateName' });
  return { subject: '', text: '', html: '', ...shared, template: { id: name, variables } };
}

function headersAndFiles(content: JsonObject): Pick<Letter, 'headers' | 'attachments'> {
  const headers = listOf(content.Headers, 'Headers').map((header) => {
    const { Name, Value } = objectOf(header, 'Headers');
    return [Name, Value] as const;
  });
  return {
    headers: headersFrom(headers, 'Headers'),
    attachments: listOf(content.Attachments, 'Attachments', MAX_ATTACHMENTS).map(attached),
  };
}

function attached(value: unknown): Attachment {
  const { RawContent, FileName, ContentType, ContentId, ContentDisposition } = objectOf(value, 'Attachments');
  const isInline = textOf(ContentDisposition, 'ContentDisposition') === 'INLINE';
  return {
    content: bytesOfBase64(textOf(RawContent, 'RawContent') ?? '') ?? refuse('attachment', { field: 'RawContent' }),
    filename: textOf(FileName, 'FileName') ?? '',
    contentType: textOf(ContentType, 'ContentType') ?? '',
    cid: isInline ? (textOf(ContentId, 'ContentId') ?? '') : '',
  };
}
