import { json } from 'mayfly-plugins-shared/sending/answer';
import type { Outcome } from 'mayfly-plugins-shared/sending/delivery';
import type { Provider } from 'mayfly-plugins-shared/sending/desk';
import { errorFor, isProblem } from 'mayfly-plugins-shared/sending/problem';
import type { TextRows } from './rows.js';
import { addSentTexts, ROOT, resource } from './sent-texts.js';
import type { TextShape } from './text.js';

export const twilioText: TextShape = {
  from: ['From', 'MessagingServiceSid'],
  to: 'To',
  body: 'Body',
  maxChars: 1600,
  // Twilio chooses a number of the messaging service.
  fieldsIn: ({ MessagingServiceSid: service, ...fields }) => (service ? { From: '+15005550006', ...fields } : fields),
  idOf: (uuid) => `SM${uuid.replaceAll('-', '')}`,
};

/** Twilio's Messages (twilio.com/docs/messaging/api/message-resource). */
export const twilio: Provider = {
  answer(problem) {
    const { status, code, text } = errorFor(ROWS, problem, [400, 20001]);
    return json(status, { code, message: text, more_info: `https://www.twilio.com/docs/errors/${code}`, status });
  },
  roots: ['/2010-04-01'],
  addRoutes(api, desk) {
    desk.add(api, {
      path: `${ROOT}/Messages.json`,
      translator: 'twilio',
      mediaTypes: ['application/x-www-form-urlencoded'],
      accepted: ([outcome]: readonly Outcome[], request) => {
        const { id = '', echo = {} } = outcome === undefined || isProblem(outcome) ? {} : outcome;
        const { from = '', to = '', body = '' } = echo;
        const sent = { id, from, to, body, at: desk.host.clock.now() };
        return json(201, { ...resource(sent, request), status: 'queued', date_sent: null });
      },
    });
    addSentTexts(api, desk);
  },
};

/** Status and code (twilio.com/docs/api/errors). */
const ROWS: TextRows<number> = {
  malformed: [400, 20001, 'The request is malformed.'],
  missing: [400, 21602, 'Message body is required.'],
  'missing-to': [400, 21604, "A 'To' phone number is required."],
  'missing-from': [400, 21603, "A 'From' phone number is required."],
  sender: [
    400,
    21212,
    ({ address }) => `The 'From' number ${address} is not a valid phone number, shortcode, or alphanumeric sender ID.`,
  ],
  recipient: [400, 21211, ({ address }) => `Invalid 'To' Phone Number: ${address}`],
  'not-owned': [
    400,
    21606,
    ({ address }) => `The 'From' phone number provided (${address}) is not a valid message-capable Twilio phone number`,
  ],
  'queue-full': [429, 21611, 'This "From" number has exceeded the maximum number of queued messages'],
  unroutable: [
    400,
    21612,
    ({ address }) =>
      `Message cannot be sent with the current combination of 'To' (${address}) and/or 'From' parameters`,
  ],
  'no-permission': [
    400,
    21408,
    ({ address }) =>
      `Permission to send an SMS has not been enabled for the region indicated by the 'To' number: ${address}`,
  ],
  unsubscribed: [400, 21610, 'Attempt to send to unsubscribed recipient'],
  'not-mobile': [400, 21614, ({ address }) => `'To' number ${address} is not a valid mobile number`],
  'too-large': [400, 21617, 'The concatenated message body exceeds the 1600 character limit'],
  'not-served': [400, 21612],
  full: [429, 21611],
  rate: [429, 20429, 'Too Many Requests'],
  unavailable: [503, 20503, 'Service is unavailable. Please try again'],
  forbidden: [403, 20403, 'Forbidden'],
  'key-needed': [401, 20003, 'Authenticate'],
  'media-type': [415, 20001],
  'not-found': [404, 20404, ({ detail }) => detail ?? 'The requested resource was not found'],
  method: [405, 20004, 'Method not allowed'],
  internal: [500, 20500, 'Internal Server Error'],
};
