import { json } from 'mayfly-plugins-shared/sending/answer';
import { idIn, type Provider } from 'mayfly-plugins-shared/sending/desk';
import type { JsonObject } from 'mayfly-plugins-shared/sending/fields';
import { errorFor, isProblem, refuse } from 'mayfly-plugins-shared/sending/problem';
import type { TextRows } from './rows.js';
import type { TextShape } from './text.js';

export const vonageSmsText: TextShape = {
  from: ['from'],
  to: 'to',
  body: 'text',
  maxChars: 3200,
  idOf: (uuid) => uuid,
};

export const vonageMessageText: TextShape = {
  ...vonageSmsText,
  fieldsIn(fields: JsonObject) {
    if (fields.channel !== 'sms') return refuse('invalid', { field: 'channel', detail: '"sms"' });
    return fields.message_type === 'text' ? fields : refuse('invalid', { field: 'message_type', detail: '"text"' });
  },
};

/** Vonage's SMS API (developer.vonage.com/en/api/sms), which reports errors with status 200. */
export const vonageSms: Provider = {
  answer(problem) {
    const { status, code, text } = errorFor(SMS_ROWS, problem, [200, '3']);
    return json(status, { 'message-count': '1', messages: [{ status: code, 'error-text': text }] });
  },
  roots: ['/sms'],
  addRoutes(api, desk) {
    desk.add(api, {
      path: '/sms/json',
      translator: 'vonage sms',
      mediaTypes: ['application/x-www-form-urlencoded', 'application/json'],
      accepted: ([outcome]) => {
        const { id = '', echo = {} } = outcome === undefined || isProblem(outcome) ? {} : outcome;
        const message = {
          ...{ to: echo.to?.slice(1), 'message-id': id, status: '0', 'remaining-balance': '10.00000000' },
          ...{ 'message-price': '0.00000000', network: '00000' },
        };
        const messages = Array.from({ length: Number(echo.segments) }, () => message);
        return json(200, { 'message-count': String(messages.length), messages });
      },
    });
  },
};

/** Vonage's Messages API, version 1 (developer.vonage.com/en/api/messages). */
export const vonageMessages: Provider = {
  answer(problem) {
    const { status, code, text } = errorFor(MESSAGE_ROWS, problem, [422, INVALID]);
    const { field } = problem;
    return json(status, {
      type: `https://developer.vonage.com/api-errors${code[0]}`,
      title: code[1],
      detail: text,
      instance: 'bf0ca0bf927b3b52e3cb03217e1a1ddf',
      ...(status === 422 && field !== undefined && { invalid_parameters: [{ name: field, reason: text }] }),
    });
  },
  roots: ['/v1/messages'],
  addRoutes(api, desk) {
    desk.add(api, {
      path: '/v1/messages',
      translator: 'vonage messages',
      accepted: (outcomes) => json(202, { message_uuid: idIn(outcomes) }),
    });
  },
};

/** developer.vonage.com/en/messaging/sms/guides/troubleshooting-sms */
const SMS_ROWS: TextRows<string> = {
  missing: [200, '2', ({ field }) => `Missing ${field} param`],
  invalid: [200, '3', ({ field }) => `Invalid value for param: ${field}`],
  recipient: [200, '3', 'Invalid value for param: to'],
  'too-large': [200, '3', 'Invalid value for param: text'],
  sender: [200, '15', 'Illegal Sender Address - rejected'],
  unroutable: [200, '6', 'Unroutable message - rejected'],
  'not-mobile': [200, '6', 'Unroutable message - rejected'],
  'no-permission': [200, '29', 'Non White-listed Destination - rejected'],
  'not-served': [200, '7', 'Number barred'],
  full: [200, '9', 'Partner quota exceeded'],
  rate: [200, '1', 'Throughput Rate Exceeded - please wait and retry'],
  unavailable: [200, '5', 'Internal Error'],
  forbidden: [403, '8', 'Account is barred'],
  'media-type': [415, '3'],
  'not-found': [404, '3', 'Not found'],
  method: [405, '3', 'Method not allowed'],
  internal: [500, '5', 'Internal Error'],
};

const INVALID = ['/messages#1150', 'Invalid params'] as const;

/** developer.vonage.com/en/api-errors/messages */
const MESSAGE_ROWS: TextRows<readonly [path: string, title: string]> = {
  malformed: [400, ['#invalid-json', 'Invalid JSON'], 'Unable to process payload'],
  missing: [422, INVALID, ({ field }) => `The required parameter ${field} is missing.`],
  invalid: [422, INVALID, ({ field, detail }) => field && `The value of ${field} must be ${detail}.`],
  recipient: [422, ['/messages#1170', 'Invalid number'], 'The value of to is not a valid number.'],
  sender: [422, ['/messages#1120', 'Illegal Sender Address'], 'The sender is not allowed.'],
  'too-large': [422, INVALID],
  'not-served': [422, ['/messages#1180', 'Absent Subscriber'], 'The number cannot be reached.'],
  unsubscribed: [422, ['/messages#1050', 'Number Barred'], 'The number is barred.'],
  'no-permission': [422, ['/messages#1330', 'Unknown Destination'], 'The destination is not allowed.'],
  full: [
    402,
    ['/#low-balance', 'Low balance'],
    'This request could not be performed due to your account balance being low.',
  ],
  rate: [429, ['#throttled', 'Rate Limit Hit'], 'Please wait, then retry your request'],
  unavailable: [503, ['#unavailable', 'Service unavailable']],
  forbidden: [403, ['#forbidden', 'Forbidden']],
  'media-type': [415, ['#unsupported-media-type', 'Unsupported media type']],
  'not-found': [404, ['#not-found', 'Not found'], 'The requested resource does not exist.'],
  method: [405, ['#method', 'Method not allowed'], 'The resource does not support this method.'],
  internal: [500, ['#internal-error', 'Internal Error'], 'There was an error processing your request.'],
};
