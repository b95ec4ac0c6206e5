import type { RunningService } from '../../send-apis/test/provider.js';

let used = 0;

/** A number that no other test of the file uses, in a range reserved for fiction. */
export function freshNumber(): string {
  used += 1;
  return `+1555555${String(1_000 + used).slice(-4)}`;
}

export interface Text {
  readonly from?: unknown;
  readonly to?: unknown;
  readonly text?: unknown;
}

interface Told {
  readonly status: number;
  readonly code: string | number | undefined;
}

export interface Api {
  readonly name: string;
  readonly path: string;
  /** The provider's own fields for a text. */
  fields(text: Text): Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly isForm?: boolean;
  /** The ID and the error code in a response. */
  idIn(body: string): string;
  codeIn(body: string): string | number | undefined;
  /** Expected status and code by case. */
  readonly errors: Readonly<
    Record<'noRecipient' | 'noSender' | 'noText' | 'badRecipient' | 'long' | 'unsubscribed' | 'rate', Told>
  >;
}

const is = (status: number, code?: string | number): Told => ({ status, code });
const json = JSON.parse;

export const APIS: readonly Api[] = [
  {
    name: 'Twilio',
    path: '/2010-04-01/Accounts/AC1/Messages.json',
    isForm: true,
    fields: ({ from, to, text }) => ({ From: from, To: to, Body: text }),
    idIn: (body) => json(body).sid,
    codeIn: (body) => json(body).code,
    errors: {
      noRecipient: is(400, 21604),
      noSender: is(400, 21603),
      noText: is(400, 21602),
      badRecipient: is(400, 21211),
      long: is(400, 21617),
      unsubscribed: is(400, 21610),
      rate: is(429, 20429),
    },
  },
  {
    name: 'Vonage SMS',
    path: '/sms/json',
    fields: ({ from, to, text }) => ({ from, to, text, api_key: 'key', api_secret: 'secret-of-a-test' }),
    idIn: (body) => json(body).messages[0]['message-id'],
    codeIn: (body) => json(body).messages[0].status,
    errors: {
      noRecipient: is(200, '2'),
      noSender: is(200, '2'),
      noText: is(200, '2'),
      badRecipient: is(200, '3'),
      long: is(200, '3'),
      unsubscribed: is(200, '7'),
      rate: is(200, '1'),
    },
  },
  {
    name: 'Vonage Messages',
    path: '/v1/messages',
    fields: ({ from, to, text }) => ({ from, to, text, channel: 'sms', message_type: 'text' }),
    idIn: (body) => json(body).message_uuid,
    codeIn: (body) => json(body).type.split('api-errors')[1],
    errors: {
      noRecipient: is(422, '/messages#1150'),
      noSender: is(422, '/messages#1150'),
      noText: is(422, '/messages#1150'),
      badRecipient: is(422, '/messages#1170'),
      long: is(422, '/messages#1150'),
      unsubscribed: is(422, '/messages#1050'),
      rate: is(429, '#throttled'),
    },
  },
  {
    name: 'SNS',
    path: '/sns',
    isForm: true,
    fields: ({ from, to, text }) => ({
      Action: 'Publish',
      PhoneNumber: to,
      Message: text,
      ...(from !== undefined && {
        'MessageAttributes.entry.1.Name': 'AWS.SNS.SMS.SenderID',
        'MessageAttributes.entry.1.Value.StringValue': from,
      }),
    }),
    idIn: (body) => /<MessageId>(.+?)</.exec(body)?.[1] ?? '',
    codeIn: (body) => /<Code>(.+?)</.exec(body)?.[1],
    errors: {
      noRecipient: is(400, 'InvalidParameter'),
      noSender: is(200),
      noText: is(400, 'InvalidParameter'),
      badRecipient: is(400, 'InvalidParameter'),
      long: is(400, 'InvalidParameter'),
      unsubscribed: is(400, 'InvalidParameter'),
      rate: is(400, 'Throttled'),
    },
  },
  {
    name: 'End User Messaging',
    path: '/sms-voice',
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': 'PinpointSMSVoiceV2.SendTextMessage',
    },
    fields: ({ from, to, text }) => ({ OriginationIdentity: from, DestinationPhoneNumber: to, MessageBody: text }),
    idIn: (body) => json(body).MessageId,
    codeIn: (body) => json(body).__type,
    errors: {
      noRecipient: is(400, 'ValidationException'),
      noSender: is(200),
      noText: is(400, 'ValidationException'),
      badRecipient: is(400, 'ValidationException'),
      long: is(400, 'ValidationException'),
      unsubscribed: is(400, 'ConflictException'),
      rate: is(400, 'ThrottlingException'),
    },
  },
  {
    name: 'MessageBird',
    path: '/messages',
    fields: ({ from, to, text }) => ({ originator: from, recipients: to === undefined ? undefined : [to], body: text }),
    idIn: (body) => json(body).id,
    codeIn: (body) => json(body).errors?.[0].code,
    errors: {
      noRecipient: is(422, 9),
      noSender: is(422, 9),
      noText: is(422, 9),
      badRecipient: is(422, 9),
      long: is(422, 10),
      unsubscribed: is(422, 9),
      rate: is(429, 2),
    },
  },
  {
    name: 'Plivo',
    path: '/v1/Account/MA1/Message/',
    fields: ({ from, to, text }) => ({ src: from, dst: to, text }),
    idIn: (body) => json(body).message_uuid[0],
    codeIn: (body) => json(body).error,
    errors: {
      noRecipient: is(400, 'dst parameter not present'),
      noSender: is(400, 'src parameter not present'),
      noText: is(400, 'text parameter not present'),
      badRecipient: is(400, '12 is not a valid phone number'),
      long: is(400, 'text is too long'),
      unsubscribed: is(400, '+15005550004 has opted out'),
      rate: is(429, 'Too many requests'),
    },
  },
];

export function send(service: RunningService, api: Api, text: Text): Promise<Response> {
  return post(service, api, api.fields(text));
}

export function post(service: RunningService, { path, isForm, headers }: Api, fields: object): Promise<Response> {
  if (!isForm) return service.post(path, fields, headers);
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  const form = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]));
  return service.post(path, `${form}`, { ...headers, 'content-type': 'application/x-www-form-urlencoded' });
}
