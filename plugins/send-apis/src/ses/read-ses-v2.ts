import { type Attachment, bytesOfBase64, type Letter } from 'mayfly-plugins-shared/compose-letter';
import {
  filesIn,
  headersFrom,
  isObject,
  type JsonObject,
  jsonIn,
  listOf,
  namedValues,
  objectInText,
  objectOf,
  textOf,
} from 'mayfly-plugins-shared/sending/fields';
import { eachAlone } from 'mayfly-plugins-shared/sending/named-recipients';
import { jsonEmail, type Order, type RawOrder, type Translator } from 'mayfly-plugins-shared/sending/order';
import { refuse } from 'mayfly-plugins-shared/sending/problem';
import { filledIn } from '../templates.js';
import { checkBulk, type SesContents, sesId, sesOrder, sesRaw } from './ses-order.js';

/** `POST /v2/email/outbound-emails` (docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html). */
export const sesEmail = jsonEmail(sesId, (fields) => orderOf(objectIn(fields)));

/** `POST /v2/email/outbound-bulk-emails` (…/API_SendBulkEmail.html), in which each entry may fail alone. */
export const sesBulk: Translator = {
  idOf: sesId,
  read({ body }) {
    const fields = objectIn(jsonIn(body));
    const { Template: standard } = objectOf(fields.DefaultContent, 'DefaultContent');
    const entries = listOf(fields.BulkEmailEntries, 'BulkEmailEntries');
    if (entries.length === 0) refuse('missing', { field: 'BulkEmailEntries' });
    checkBulk(entries.length);
    const template = objectOf(standard, 'DefaultContent.Template');
    const variables = dataOf(template.TemplateData);
    const orders = eachAlone(entries, (entry) => {
      const { Destination, ReplacementEmailContent, ReplacementHeaders } = objectOf(entry, 'BulkEmailEntries');
      const { ReplacementTemplate } = objectOf(ReplacementEmailContent, 'ReplacementEmailContent');
      const { ReplacementTemplateData: own } = objectOf(ReplacementTemplate, 'ReplacementTemplate');
      const replaced = { headers: ReplacementHeaders ?? template.Headers, variables: { ...variables, ...dataOf(own) } };
      return orderOf({ ...fields, Destination, Content: { Template: template } }, replaced);
    });
    return { orders, body: fields };
  },
};

function objectIn(fields: unknown): JsonObject {
  return isObject(fields) ? fields : refuse('malformed');
}

function dataOf(json: unknown): JsonObject {
  return objectInText(textOf(json, 'TemplateData') ?? '', 'TemplateData');
}

type OfEntry = { readonly headers: unknown; readonly variables: JsonObject };

function orderOf(fields: JsonObject, ofEntry?: OfEntry): Order | RawOrder {
  const { Simple, Raw, Template } = objectOf(fields.Content, 'Content');
  const destination = objectOf(fields.Destination, 'Destination');
  const addresses = (value: unknown, field: string) => listOf(value, field).map((one) => textOf(one, field) ?? '');
  const named = (field: string) => addresses(destination[field], field);
  const [to, cc, bcc] = [named('ToAddresses'), named('CcAddresses'), named('BccAddresses')];
  const from = textOf(fields.FromEmailAddress, 'FromEmailAddress') ?? '';
  if (Raw !== undefined && Raw !== null) {
    const field = 'Content.Raw.Data';
    return sesRaw(textOf(objectOf(Raw, 'Content.Raw').Data, field) ?? '', field, from, [...to, ...cc, ...bcc]);
  }
  const replyTo = addresses(fields.ReplyToAddresses, 'ReplyToAddresses');
  const shared = { from, to, cc, bcc, replyTo };
  if (Simple !== undefined && Simple !== null)
    return sesOrder({ ...shared, ...simple(objectOf(Simple, 'Content.Simple')) });
  if (Template === undefined || Template === null) return refuse('missing', { field: 'Content' });
  return sesOrder({ ...shared, ...templated(objectOf(Template, 'Content.Template'), ofEntry) });
}

function simple(content: JsonObject): SesContents {
  const body = objectOf(content.Body, 'Content.Simple.Body');
  const data = (value: unknown, field: string) => textOf(objectOf(value, field).Data, `${field}.Data`);
  const text = data(body.Text, 'Content.Simple.Body.Text');
  const html = data(body.Html, 'Content.Simple.Body.Html');
  const subject = data(content.Subject, 'Content.Simple.Subject');
  if (subject === null) refuse('missing', { field: 'Content.Simple.Subject' });
  if (text === null && html === null) refuse('missing', { field: 'Content.Simple.Body' });
  return { subject: subject ?? '', text: text ?? '', html: html ?? '', template: null, ...headersAndFiles(content) };
}

function templated(content: JsonObject, ofEntry?: OfEntry): SesContents {
  const variables = ofEntry?.variables ?? dataOf(content.TemplateData);
  const arn = textOf(content.TemplateArn, 'TemplateArn');
  const name = textOf(content.TemplateName, 'TemplateName') ?? arn?.split('/').at(-1) ?? null;
  const shared = headersAndFiles(ofEntry === undefined ? content : { ...content, Headers: ofEntry.headers });
  if (content.TemplateContent !== undefined && content.TemplateContent !== null) {
    const inline = objectOf(content.TemplateContent, 'TemplateContent');
    const text = (part: string) => textOf(inline[part], `TemplateContent.${part}`) ?? '';
    const texts = { subject: text('Subject'), text: text('Text'), html: text('Html') };
    return { ...filledIn(texts, variables), ...shared, template: null };
  }
  if (name === null || name === '') return refuse('missing', { field: 'TemplateName' });
  return { subject: '', text: '', html: '', ...shared, template: { id: name, variables } };
}

function headersAndFiles(content: JsonObject): Pick<Letter, 'headers' | 'attachments'> {
  return {
    headers: headersFrom(namedValues(content.Headers), 'Headers'),
    attachments: filesIn(content.Attachments, 'Attachments').map(attached),
  };
}

function attached(value: unknown): Attachment {
  const fields = objectOf(value, 'Attachments');
  const text = (name: string) => textOf(fields[name], name) ?? '';
  return {
    content: bytesOfBase64(text('RawContent')) ?? refuse('attachment', { field: 'RawContent' }),
    filename: text('FileName'),
    contentType: text('ContentType'),
    cid: text('ContentDisposition') === 'INLINE' ? text('ContentId') : '',
  };
}
