// Attempts to send mail that name as many inboxes as they can, and looks at them.
import { at } from '../preparation.js';
import { RefusedError, SmtpConnection } from '../smtp.js';
import { statusOf } from './step.js';

/** The most recipients that a mail may have, times this many mails: 100,000 names. No mail has content. */
const RECIPIENTS = 100;
const MAILS = 1_000;

/** Transactions per connection, and per write. */
const MAILS_EACH = 10;

/** How long filling the delivery log may take on a busy machine. */
const FILLING_MS = 120_000;

/** An inbox that each of the mails names, so that it has more attempts than an answer lists. */
const NAMED_ALWAYS = 'named-always';

export const ATTEMPT_ATTACKS = [
  {
    name: 'attempts for 100,000 inboxes',
    lanes: 8,
    maxSteps: MAILS / MAILS_EACH,
    step: nameMany,
  },
  { name: 'attempts read in a row', lanes: 8, prepare: nameOften, step: readAttempts },
];

async function nameMany(context) {
  const { service, address, number, signal } = context;
  const connection = new SmtpConnection(service, { localAddress: address });
  try {
    await connection.greet();
    for (let mail = 0; mail < MAILS_EACH; mail++) {
      signal.throwIfAborted();
      const first = (number * MAILS_EACH + mail) * RECIPIENTS;
      await name(
        connection,
        Array.from({ length: RECIPIENTS }, (_, n) => (n === 0 ? NAMED_ALWAYS : `named-${first + n}`)),
      );
    }
  } catch (error) {
    if (error instanceof RefusedError) return String(error.code);
    throw error;
  } finally {
    connection.close();
  }
  return statusOf(context, `/api/inbox/${NAMED_ALWAYS}/attempts`);
}

/** Sends transactions without content in one write, and reads all replies. */
async function name(connection, inboxes, transactions = 1) {
  const recipients = inboxes.map((inbox) => `RCPT TO:<${at(inbox)}>\r\n`);
  connection.write(`MAIL FROM:<app@bench.test>\r\n${recipients.join('')}RSET\r\n`.repeat(transactions));
  for (let reply = 0; reply < transactions * (recipients.length + 2); reply++) await connection.reply();
}

/** Fills the book of attempts, with as many for one inbox as there is room for. */
async function nameOften({ service, address }) {
  const connection = new SmtpConnection(service, { localAddress: address, timeoutMs: FILLING_MS });
  await connection.greet();
  for (let mail = 0; mail < MAILS; mail += MAILS_EACH) await name(connection, [NAMED_ALWAYS], MAILS_EACH);
  connection.close();
}

function readAttempts(context) {
  const isOdd = context.number % 2 === 1;
  return statusOf(context, isOdd ? '/api/attempts' : `/api/inbox/${NAMED_ALWAYS}/attempts`);
}
