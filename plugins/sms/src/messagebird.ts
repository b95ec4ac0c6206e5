import { json } from 'mayfly-plugins-shared/sending/answer';
import type { Provider } from 'mayfly-plugins-shared/sending/desk';
import { errorFor, isProblem } from 'mayfly-plugins-shared/sending/problem';
import type { TextRows } from './rows.js';
import type { TextShape } from './text.js';

export const messagebirdText: TextShape = {
  ...{ from: ['originator'], to: 'recipients', body: 'body', maxChars: 1377 },
  several: { most: 50, separator: ',', isEach: false },
  idOf: (uuid) => uuid.replaceAll('-', ''),
};

/** MessageBird (developers.messagebird.com/api/sms-messaging). */
export const messagebird: Provider = {
  answer(problem) {
    const { status, code, text } = errorFor(ROWS, problem, [422, 10]);
    return json(status, { errors: [{ code, description: text, parameter: problem.field ?? null }] });
  },
  roots: ['/messages'],
  addRoutes(api, desk) {
    desk.add(api, {
      path: '/messages',
      translator: 'messagebird',
      mediaTypes: ['application/json', 'application/x-www-form-urlencoded'],
      accepted: ([outcome]) => {
        const { id = '', echo = {} } = outcome === undefined || isProblem(outcome) ? {} : outcome;
        const numbers = (echo.to ?? '').split(',');
        const time = new Date(desk.host.clock.now()).toISOString().replace(/\.\d+Z$/, '+00:00');
        const parts = { messagePartCount: Number(echo.segments) };
        const items = numbers.map((to) => ({ recipient: Number(to), status: 'sent', statusDatetime: time, ...parts }));
        const counts = { totalDeliveredCount: 0, totalDeliveryFailedCount: 0 };
        return json(201, {
          ...{ id, href: `https://rest.messagebird.com/messages/${id}`, direction: 'mt', type: 'sms' },
          originator: echo.from?.replace(/^\+/, ''),
          body: echo.body,
          reference: null,
          validity: null,
          gateway: 10,
          ...{ typeDetails: {}, datacoding: 'plain', mclass: 1, scheduledDatetime: null, createdDatetime: time },
          recipients: { totalCount: items.length, totalSentCount: items.length, ...counts, items },
        });
      },
    });
  },
};

const NO_RECIPIENTS = [422, 9, 'no (correct) recipients found'] as const;

/** developers.messagebird.com/api/#api-errors */
const ROWS: TextRows<number> = {
  malformed: [400, 10, 'Request body is not valid JSON'],
  missing: [422, 9, ({ field }) => `${field} is required`],
  invalid: [422, 10, ({ field }) => field && `${field} is invalid`],
  recipient: NO_RECIPIENTS,
  'too-many-recipients': [422, 10, ({ detail }) => `the maximum number of recipients is ${detail}`],
  sender: [422, 10, 'originator is invalid'],
  'too-large': [422, 10, 'body is too long'],
  'not-served': NO_RECIPIENTS,
  full: [402, 25, 'Not enough balance'],
  rate: [429, 2, 'Too many requests'],
  unavailable: [503, 99, 'Service unavailable'],
  forbidden: [403, 2, 'Request not allowed'],
  'media-type': [415, 10],
  'not-found': [404, 20, 'message not found'],
  method: [405, 2, 'Method not allowed'],
  internal: [500, 99, 'Internal error'],
};
