import { randomUUID } from 'node:crypto';
import { json } from 'mayfly-plugins-shared/sending/answer';
import type { Provider } from 'mayfly-plugins-shared/sending/desk';
import { errorFor, isProblem } from 'mayfly-plugins-shared/sending/problem';
import type { TextRows } from './rows.js';
import type { TextShape } from './text.js';

export const plivoText: TextShape = {
  ...{ from: ['src'], to: 'dst', body: 'text', maxChars: 1600 },
  several: { most: 1_000, separator: '<', isEach: true },
  // Plivo chooses a number of the powerpack.
  fieldsIn: (fields) => (fields.powerpack_uuid ? { src: '+15005550006', ...fields } : fields),
  idOf: (uuid) => uuid,
};

/** Plivo (plivo.com/docs/messaging/api/message). */
export const plivo: Provider = {
  answer(problem) {
    const { status, text } = errorFor(ROWS, problem, [400, null]);
    return json(status, { api_id: randomUUID(), error: text });
  },
  roots: ['/v1/Account'],
  addRoutes(api, desk) {
    for (const path of ['/v1/Account/:sid/Message', '/v1/Account/:sid/Message/']) {
      desk.add(api, {
        ...{ path, translator: 'plivo', mediaTypes: ['application/json', 'application/x-www-form-urlencoded'] },
        accepted: (outcomes) =>
          json(202, {
            message: 'message(s) queued',
            message_uuid: outcomes.flatMap((outcome) => (isProblem(outcome) ? [] : outcome.id)),
            api_id: randomUUID(),
          }),
      });
    }
  },
};

const ROWS: TextRows<null> = {
  malformed: [400, null, 'Invalid JSON'],
  missing: [400, null, ({ field }) => `${field} parameter not present`],
  invalid: [400, null, ({ field, detail }) => field && `${field} must be ${detail}`],
  recipient: [400, null, ({ address }) => `${address} is not a valid phone number`],
  'too-many-recipients': [400, null, ({ detail }) => `dst may have at most ${detail} numbers`],
  sender: [400, null, ({ address }) => `src ${address} is not valid`],
  'too-large': [400, null, 'text is too long'],
  unsubscribed: [400, null, ({ address }) => `${address} has opted out`],
  'not-served': [400, null, ({ address }) => `${address} cannot be reached`],
  full: [402, null, 'Insufficient credits'],
  rate: [429, null, 'Too many requests'],
  unavailable: [503, null, 'Service unavailable'],
  forbidden: [403, null, 'Forbidden'],
  'media-type': [415, null],
  'not-found': [404, null, 'not found'],
  method: [405, null, 'method not allowed'],
  internal: [500, null, 'Internal error'],
};
