// Reading, inspecting and deleting more than is good for others.
import { open } from '../http.js';
import { filled } from '../mails.js';
import { at, FILLER, FULL_INBOX, fillInbox, LARGE_INBOX, newestIn } from '../preparation.js';
import { deliver } from '../smtp.js';
import { NOWHERE, statusOf } from './step.js';

/** The lists that are read slowly: together they are larger than the buffers of the sockets. */
const SLOW_LISTS = 4;
const SLOW_LIST_MAILS = 14;
const SLOW_LIST_MAIL_BYTES = 900_000;

/** The full inboxes that are emptied. */
const DELETED_INBOXES = 4;

export const MAIL_ATTACKS = [
  {
    name: 'lists read while emptied',
    lanes: 1,
    maxSteps: SLOW_LISTS,
    prepare: fillSlowLists,
    seeks: 'whole',
    step: readWhileEmptied,
    breach: cutLists,
  },
  { name: 'filtered fetches', lanes: 8, step: fetchFull(`?body=${NOWHERE}`) },
  { name: 'large lists in gzip', lanes: 8, step: fetchFull('', { headers: { 'accept-encoding': 'gzip' } }) },
  { name: 'summaries of a full inbox', lanes: 8, step: fetchFull('/summary') },
  { name: 'large lists abandoned', lanes: 8, step: abandonList },
  { name: 'DELETE in a row', lanes: 4, prepare: fillForDelete, step: deleteInbox },
  { name: 'explain of 10 MB', lanes: 4, prepare: findLarge, step: inspectLarge('explain') },
  { name: 'html of 10 MB', lanes: 4, prepare: findLarge, step: inspectLarge('html') },
  { name: 'parts of 10 MB', lanes: 4, prepare: findLarge, step: inspectLarge('parts') },
  { name: 'a part of 10 MB', lanes: 4, prepare: findLarge, step: inspectLarge('parts/1') },
  { name: 'a part of 10 MB abandoned', lanes: 8, prepare: findLarge, step: abandonPart },
];

async function fillSlowLists({ service, address }) {
  const mail = filled(
    'Subject: slow\r\nContent-Type: text/plain\r\n\r\n',
    `${'a line of text '.repeat(5)}\r\n`,
    SLOW_LIST_MAIL_BYTES,
  );
  for (let list = 0; list < SLOW_LISTS; list++) {
    for (let n = 0; n < SLOW_LIST_MAILS; n++) await deliver(service, mail, [at(slowList(address, list))], FILLER);
  }
}

/** Each attempt has inboxes of its own: deleted mail may count for a while. */
function slowList(address, number) {
  return `slow-${address}-${number}`;
}

/** Lets a list begin, empties its inbox, and reads the rest of the list. */
async function readWhileEmptied(context) {
  const path = `/api/inbox/${slowList(context.address, context.number)}`;
  const response = await open(context.service, path, { localAddress: context.address });
  if (response.statusCode !== 200) return String(response.statusCode);
  await statusOf(context, path, { method: 'DELETE' });
  try {
    const chunks = [];
    for await (const chunk of response) chunks.push(chunk);
    return JSON.parse(Buffer.concat(chunks)).count === SLOW_LIST_MAILS ? 'whole' : 'shortened';
  } catch {
    return 'cut';
  }
}

function cutLists({ tally }) {
  const { whole = 0, cut = 0, shortened = 0 } = tally;
  const lists = whole + cut + shortened;
  if (lists === 0) return 'no list was read, so nothing was shown';
  return whole === lists ? null : `${lists - whole} of ${lists} lists were cut or shortened by emptying the inbox`;
}

function fetchFull(rest, options) {
  return (context) => statusOf(context, `/api/inbox/${FULL_INBOX}${rest}`, options);
}

/** Reads the beginning of a large list and leaves. */
function abandonList(context) {
  return abandon(context, `/api/inbox/${FULL_INBOX}`);
}

/** The same of a large part. */
function abandonPart(context) {
  return abandon(context, `/api/inbox/${LARGE_INBOX}/${context.receivedAt}/parts/1`);
}

async function abandon({ service, address }, path) {
  const response = await open(service, path, { localAddress: address });
  if (response.statusCode === 200) await new Promise((resolve) => response.once('readable', resolve));
  response.destroy();
  return String(response.statusCode);
}

async function fillForDelete({ service, address }) {
  for (let n = 0; n < DELETED_INBOXES; n++) await fillInbox(service, deletedInbox(address, n));
}

function deletedInbox(address, number) {
  return `deleted-${address}-${number % DELETED_INBOXES}`;
}

function deleteInbox(context) {
  return statusOf(context, `/api/inbox/${deletedInbox(context.address, context.number)}`, { method: 'DELETE' });
}

/** Every step has what `prepare` puts into the context. */
async function findLarge(context) {
  context.receivedAt = await newestIn(context.service, LARGE_INBOX);
}

function inspectLarge(what) {
  return (context) => statusOf(context, `/api/inbox/${LARGE_INBOX}/${context.receivedAt}/${what}`);
}
