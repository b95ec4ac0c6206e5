// Requests to send that are costly to receive, to read and to compose.
import { at } from '../preparation.js';
import { statusOf } from './step.js';

/** Of each attachment: its mail has nearly the largest size. */
const FILE_BYTES = 7 * 2 ** 20;

/** How many are stored. The others are composed all the same, and then refused for their recipient. */
const STORED = 20;

/** Values in a body of many small ones, as many as one may have. */
const MANY_VALUES = 190_000;

/** How long a large request may take: the attacker has the lowest priority on a machine that may be busy. */
const SENDING_MS = 240_000;

const HEADERS = { 'content-type': 'application/json' };

export const SENDING_ATTACKS = [
  { name: 'large bodies to a send API', lanes: 8, seeks: '200', step: sendLarge, breach: nothingSent },
  { name: 'many fields to a send API', lanes: 8, seeks: '200', step: sendMany, breach: nothingSent },
];

const LARGE = bodyAround(
  `"attachments":[{"filename":"a.bin","content":"${Buffer.alloc(FILE_BYTES, 'file').toString('base64')}"}]`,
);
const MANY = bodyAround(
  `"tags":[${Array(MANY_VALUES / 2)
    .fill('{"n":1}')
    .join()}]`,
);

function sendLarge(context) {
  return send(context, LARGE);
}

function sendMany(context) {
  return send(context, MANY);
}

function send(context, bodyTo) {
  const to = context.number < STORED ? at(`sent-${context.address}-${context.number}`) : 'a@elsewhere.test';
  return statusOf(context, '/emails', { method: 'POST', headers: HEADERS, body: bodyTo(to), timeoutMs: SENDING_MS });
}

/** A request to Resend with these fields, whose recipient is filled in for each. */
function bodyAround(fields) {
  const rest = Buffer.from(`","from":"app@bench.test","subject":"Hi","text":"Your code is 482913",${fields}}`);
  return (to) => Buffer.concat([Buffer.from(`{"to":"${to}`), rest]);
}

function nothingSent({ tally }) {
  return tally['200'] > 0 ? null : 'no request was accepted, so nothing was shown';
}
