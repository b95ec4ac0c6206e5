import { type Attachment, oneLine, type Person } from 'mayfly-plugins-shared/compose-letter';
import {
  headersFrom,
  isObject,
  type JsonObject,
  objectInText,
  variableText,
} from 'mayfly-plugins-shared/sending/fields';
import { type Form, type FormFile, readForm } from 'mayfly-plugins-shared/sending/form';
import { mailboxesIn, mailboxIn } from 'mayfly-plugins-shared/sending/mailboxes';
import {
  type Order,
  type OrderRequest,
  rawOrder,
  type TemplateUse,
  type Translator,
} from 'mayfly-plugins-shared/sending/order';
import { checkTogether, refuse } from 'mayfly-plugins-shared/sending/problem';
import { Filling } from '../templates.js';

const DOMAIN = /^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/;

function idOf(uuid: string, { domain = '' }: OrderRequest['params']) {
  const messageId = `<${uuid}@${domain}>`;
  return { id: messageId, messageId };
}

/** `POST /v3/{domain}/messages` (documentation.mailgun.com/docs/mailgun/api-reference/send/mailgun/messages). */
export const mailgunMessage: Translator = {
  hasOneId: true,
  idOf,
  async read(request) {
    const form = await formOf(request);
    return { orders: ordersOf(form), body: form.kept };
  },
};

/** `POST /v3/{domain}/messages.mime`: a message that the application composed, as the file or field `message`. */
export const mailgunMime: Translator = {
  idOf,
  async read(request) {
    const form = await formOf(request);
    const [file] = form.filesOf('message');
    const text = form.first('message');
    const message = file?.content ?? (text === '' ? null : Buffer.from(text));
    if (message === null) return refuse('missing', { field: 'message' });
    const recipients = form.people('to').map(({ address }) => address);
    if (recipients.length === 0) refuse('missing', { field: 'to' });
    return { orders: [rawOrder(message, '', recipients, form.notes)], body: form.kept };
  },
};

async function formOf({ body, contentType, params: { domain = '' } }: OrderRequest): Promise<MailgunForm> {
  if (!DOMAIN.test(domain)) {
    refuse('not-found', { detail: `Domain not found: ${domain.slice(0, 100)}`, hint: 'The path has no valid domain.' });
  }
  return new MailgunForm(await readForm(body, contentType));
}

const VARIABLES = 'recipient-variables';

/** Returns one message, or with `recipient-variables`, one for each recipient in To. */
function ordersOf(form: MailgunForm): Iterable<Order> {
  const order = orderOf(form);
  const perRecipient = form.json(VARIABLES);
  if (perRecipient === null) return [order];
  checkTogether(order.letter.to.length, order.letter);
  return ordersFor(perRecipient, order);
}

function* ordersFor(perRecipient: JsonObject, order: Order): Generator<Order> {
  const filling = new Filling();
  for (const person of order.letter.to) {
    const given = perRecipient[person.address] ?? perRecipient[person.address.toLowerCase()];
    const own = isObject(given) ? given : {};
    const tags = new Map<string, string>();
    for (const [name, text] of Object.entries(own)) tags.set(`%recipient.${name}%`, variableText(text, VARIABLES));
    tags.set('%recipient%', person.address);
    const filled = (text: string) => filling.substituted(text, tags, VARIABLES);
    const { letter, template } = order;
    yield {
      ...order,
      template: template && { ...template, variables: { ...template.variables, ...own } },
      letter: {
        ...letter,
        to: [person],
        subject: filled(letter.subject),
        text: filled(letter.text),
        html: filled(letter.html),
        headers: new Map([...letter.headers].map(([name, text]) => [name, filled(text)])),
      },
    };
  }
}

function orderOf(form: MailgunForm): Order {
  const from = form.first('from');
  if (from === '') refuse('missing', { field: 'from' });
  const to = form.people('to');
  if (to.length === 0) refuse('missing', { field: 'to' });
  const [text, html] = [form.first('text'), form.first('html') || form.first('amp-html')];
  const template = templateIn(form);
  if (text === '' && html === '' && template === null) refuse('missing', { field: 'text' });
  const variables = form.below('v:');
  const kept: [string, string][] =
    variables.length === 0 ? [] : [['X-Mailgun-Variables', JSON.stringify(Object.fromEntries(variables))]];
  const headers = form.below('h:').filter(([name]) => name.toLowerCase() !== 'reply-to');
  return {
    letter: {
      from: mailboxIn(from) ?? refuse('sender', { field: 'from' }),
      to,
      cc: form.people('cc'),
      bcc: form.people('bcc'),
      replyTo: form.people('h:Reply-To'),
      subject: oneLine(form.first('subject')),
      text,
      html,
      headers: headersFrom([...headers, ...kept], 'h:'),
      attachments: [
        ...form.filesOf('attachment').map((file) => attached(file, '')),
        // The HTML refers to an inline file by its file name.
        ...form.filesOf('inline').map((file) => attached(file, file.filename)),
      ],
    },
    template,
    notes: form.notes,
  };
}

function templateIn(form: MailgunForm): TemplateUse | null {
  const id = form.first('template');
  if (id === '') return null;
  const given = form.json('t:variables') ?? form.json('h:X-Mailgun-Variables') ?? {};
  return { id, variables: { ...Object.fromEntries(form.below('v:')), ...given } };
}

function attached({ filename, type, content }: FormFile, cid: string): Attachment {
  return { content, filename: oneLine(filename), contentType: oneLine(type), cid: oneLine(cid) };
}

class MailgunForm {
  readonly #form: Form;

  constructor(form: Form) {
    this.#form = form;
  }

  /** The fields to store with the message: repeated fields as lists, files by their sizes. */
  get kept(): JsonObject {
    const { fields, files } = this.#form;
    const named = files.map(
      ({ field, filename, content }) => [field, `${filename} (${content.length} bytes)`] as const,
    );
    const kept = new Map<string, string | string[]>();
    for (const [name, value] of [...fields.filter(([name]) => name !== 'message'), ...named]) {
      const before = kept.get(name);
      kept.set(name, before === undefined ? value : [before, value].flat());
    }
    return Object.fromEntries(kept);
  }

  get notes(): readonly string[] {
    const time = this.first('o:deliverytime').slice(0, 100);
    return [
      ...(time === '' ? [] : [`o:deliverytime is ${time}, but the email was sent now.`]),
      ...(this.first('o:testmode') === 'yes' ? ['o:testmode is on, but the email was sent anyway.'] : []),
    ];
  }

  first(name: string): string {
    return this.#named(name)[0] ?? '';
  }

  #named(name: string): readonly string[] {
    return this.#form.fields.flatMap(([field, text]) => (field.toLowerCase() === name.toLowerCase() ? text : []));
  }

  filesOf(name: string): readonly FormFile[] {
    return this.#form.files.filter(({ field }) => field === name);
  }

  people(name: string): readonly Person[] {
    return this.#named(name).flatMap((text) => mailboxesIn(text) ?? refuse('recipient', { field: name }));
  }

  /** Fields whose name begins with a prefix, such as `h:` in `h:X-Run`. Omits the prefix. */
  below(prefix: string): readonly (readonly [string, string])[] {
    return this.#form.fields.flatMap(([name, value]) =>
      name.startsWith(prefix) ? [[name.slice(prefix.length), value] as const] : [],
    );
  }

  json(name: string): JsonObject | null {
    const text = this.first(name);
    return text === '' ? null : objectInText(text, name);
  }
}
