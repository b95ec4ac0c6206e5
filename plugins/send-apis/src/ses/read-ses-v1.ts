import { objectInText } from 'mayfly-plugins-shared/sending/fields';
import { formIn } from 'mayfly-plugins-shared/sending/form';
import { orProblem, recipientsInForm } from 'mayfly-plugins-shared/sending/named-recipients';
import type { Order, Orders, RawOrder, Translator } from 'mayfly-plugins-shared/sending/order';
import { type Problem, refuse } from 'mayfly-plugins-shared/sending/problem';
import { QUERY_SECRETS } from 'mayfly-plugins-shared/sending/query-protocol';
import { checkBulk, sesId, sesOrder, sesRaw } from './ses-order.js';

type Form = ReadonlyMap<string, string>;

const NO_EXTRAS = { headers: new Map<string, string>(), attachments: [] } as const;

/** `POST /` with a form (docs.aws.amazon.com/ses/latest/APIReference/API_SendEmail.html and related pages). */
export const sesV1: Translator = {
  idOf: sesId,
  read({ body }): Orders {
    const form = new Map<string, string>();
    for (const [name, text] of formIn(body)) if (!form.has(name)) form.set(name, text);
    const action = form.get('Action') ?? '';
    const read = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
    if (read === undefined) {
      return refuse('not-found', {
        detail: `Could not find operation ${action.slice(0, 100)} for version 2010-12-01`,
        hint: `Mayfly serves the actions ${Object.keys(ACTIONS).join(', ')}.`,
      });
    }
    const kept = [...form].filter(([name]) => !QUERY_SECRETS.test(name) && name !== 'RawMessage.Data');
    return { orders: read(form), body: Object.fromEntries(kept), action };
  },
};

const ACTIONS: Readonly<Record<string, (form: Form) => Orders['orders']>> = {
  SendEmail: (form) => [simple(form)],
  SendRawEmail: (form) => [raw(form)],
  SendTemplatedEmail: (form) => [templated(form, 'Destination', value(form, 'Template'), value(form, 'TemplateData'))],
  SendBulkTemplatedEmail: (form) => bulk(form),
};

function value(form: Form, name: string): string {
  return form.get(name) ?? '';
}

/** Returns the values of `NAME.member.1`, `NAME.member.2` and so on. */
function members(form: Form, name: string): readonly string[] {
  const found: string[] = [];
  for (let at = 1; form.has(`${name}.member.${at}`); at += 1) found.push(value(form, `${name}.member.${at}`));
  return found;
}

function people(form: Form, destination: string) {
  return {
    from: value(form, 'Source'),
    to: members(form, `${destination}.ToAddresses`),
    cc: members(form, `${destination}.CcAddresses`),
    bcc: members(form, `${destination}.BccAddresses`),
    replyTo: members(form, 'ReplyToAddresses'),
  };
}

function simple(form: Form): Order {
  const [text, html] = ['Text', 'Html'].map((part) => value(form, `Message.Body.${part}.Data`)) as [string, string];
  if (text === '' && html === '') refuse('missing', { field: 'Message.Body' });
  const subject = form.get('Message.Subject.Data') ?? refuse('missing', { field: 'Message.Subject' });
  return sesOrder({ ...people(form, 'Destination'), ...NO_EXTRAS, subject, text, html, template: null });
}

function raw(form: Form): RawOrder {
  const field = 'RawMessage.Data';
  return sesRaw(value(form, field), field, value(form, 'Source'), members(form, 'Destinations'));
}

function templated(form: Form, destination: string, id: string, json: string, standard = ''): Order {
  if (id === '') refuse('missing', { field: 'Template' });
  const variables = { ...objectInText(standard, 'DefaultTemplateData'), ...objectInText(json, 'TemplateData') };
  const texts = { subject: '', text: '', html: '' };
  return sesOrder({ ...people(form, destination), ...NO_EXTRAS, ...texts, template: { id, variables } });
}

function bulk(form: Form): Orders['orders'] {
  let count = 0;
  while (form.has(`${destinationAt(count + 1)}.ToAddresses.member.1`)) {
    count += 1;
    checkBulk(count);
  }
  if (count === 0) refuse('missing', { field: 'Destinations' });
  return bulkOrders(form, count);
}

/** Yields one message at a time, because the variables of each may use much memory. */
function* bulkOrders(form: Form, count: number): Generator<Order | Problem> {
  for (let at = 1; at <= count; at += 1) {
    const own = value(form, `Destinations.member.${at}.ReplacementTemplateData`);
    const standard = value(form, 'DefaultTemplateData');
    yield orProblem(
      () => templated(form, destinationAt(at), value(form, 'Template'), own, standard),
      () => recipientsInForm([...form].filter(([name]) => name.startsWith(destinationAt(at)))),
    );
  }
}

function destinationAt(at: number): string {
  return `Destinations.member.${at}.Destination`;
}
