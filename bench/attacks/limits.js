// Limits that are gone around: other clients by a header, and rows that no budget counts.
import { at } from '../preparation.js';
import { deliver, RefusedError } from '../smtp.js';
import { FETCHES, seconds, statusOf, windowsIn } from './step.js';

/**
 * The clients that X-Forwarded-For can name in the attack below: an IPv4 address, an IPv6 network, and the proxy
 * itself.
 */
const FORWARDED_CLIENTS = 3;

/** The budget of the store in the attack on it, and how many mails to how many recipients are tried. */
const BUDGET_MIB = 1;
const BUDGET_MAILS = 400;
const BUDGET_RECIPIENTS = 100;

/** How much larger than the budget the files may be: LMDB writes pages anew and keeps the old ones for later. */
const BUDGET_FACTOR = 4;

export const LIMIT_ATTACKS = [
  {
    name: 'X-Forwarded-For garbage',
    lanes: 8,
    address: '127.0.0.1',
    flags: ['--trust-proxy', '127.0.0.1'],
    seeks: '200',
    step: forward,
    breach: tooManyFetches,
  },
  {
    name: `store budget of ${BUDGET_MIB} MiB`,
    lanes: 4,
    maxSteps: BUDGET_MAILS,
    seeks: '452',
    flags: ['--store-budget', `${BUDGET_MIB}MiB`, '--max-message', '64KiB'],
    fillsStore: true,
    step: mailToMany,
    breach: budgetOverrun,
  },
];

/** Headers from which no more clients may come than `FORWARDED_CLIENTS`. */
function forward(context) {
  const n = context.number;
  const port = 1024 + (n % 60_000);
  const variants = [
    `203.0.113.9:${port}`,
    `[2001:db8::1]:${port}`,
    `[2001:db8::${port.toString(16)}]`,
    `2001:db8::1%eth${n}`,
    `garbage-${n}`,
    `_hidden${n}`,
    `unknown ${n}`,
    `203.0.113.9:${port}:x`,
    `${n}`,
    `0x${n.toString(16)}`,
    `300.1.2.${n}`,
  ];
  return statusOf(context, '/api/inbox/small', { headers: { 'x-forwarded-for': variants[n % variants.length] } });
}

function tooManyFetches({ tally, elapsedMs }) {
  const fetched = tally['200'] ?? 0;
  const allowed = FETCHES * FORWARDED_CLIENTS * windowsIn(elapsedMs);
  if (fetched === 0) return 'nothing was fetched, so nothing was shown';
  return fetched > allowed
    ? `${fetched} fetches in ${seconds(elapsedMs)}; ${FORWARDED_CLIENTS} clients may make ${allowed}`
    : null;
}

async function mailToMany({ service, address, number }) {
  const recipients = Array.from({ length: BUDGET_RECIPIENTS }, (_, n) => at(`row-${number}-${n}`));
  const mail = Buffer.from('Subject: small\r\n\r\nYour code is 482913\r\n');
  try {
    await deliver(service, mail, recipients, { localAddress: address });
    return '250';
  } catch (error) {
    if (error instanceof RefusedError) return String(error.code);
    throw error;
  }
}

function budgetOverrun({ tally, storeBytes }) {
  const taken = tally['250'] ?? 0;
  const mib = storeBytes / 2 ** 20;
  const mails = `${taken} mails to ${BUDGET_RECIPIENTS} recipients each are ${mib.toFixed(1)} MiB on disk`;
  if (taken === 0) return 'no mail was taken, so nothing was shown';
  if (mib > BUDGET_MIB * BUDGET_FACTOR) return `${mails}, with a budget of ${BUDGET_MIB} MiB`;
  return tally['452'] > 0 ? null : `${mails}, and none was refused`;
}
