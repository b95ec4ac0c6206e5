import {
  type App,
  basicCredentials,
  type Delivered,
  httpErrors,
  notStoredErrors,
  type Reader,
  type RefusedRecipient,
  type Reply,
  type Request,
  RequestError,
  readerOf,
  recipientErrors,
  rowName,
  type SmtpError,
  StoreAwayError,
} from 'mayfly-inbox/plugin';
import { CONFIG } from 'mayfly-plugins-shared/compat-api';
import { idOf } from 'mayfly-plugins-shared/requests';
import { countMail, SentBodies } from 'mayfly-plugins-shared/sent-bodies';
import { ERRORS } from './errors.js';
import type { Mailpit } from './mailpit.js';
import type { LetterOutcome, SentLetter } from './mailpit-tasks.js';

/** Allows JSON of twice the message size, because an escape such as `\u20ac` is longer than its character. */
const JSON_FACTOR = 2;
const SPARE_BYTES = 2 * 1024 * 1024;
const MAX_NAME_LENGTH = 255;

/** Maximum size of a request, because a parser thread holds several copies. */
const MOST_BYTES = 48 * 1024 * 1024;

const NOT_A_RECIPIENT: Readonly<Record<RefusedRecipient, (address: string) => string>> = {
  'foreign-domain': (address) => `mail for the domain of ${address} is not accepted here; --domain '*' accepts any`,
  'bad-domain': (address) => `${address} has no valid domain`,
  'bad-name': (address) => `${address} is not the address of an inbox`,
};

const { code, status, text } = httpErrors.storeAway;
const STORE_AWAY = { name: code, code: status, enhanced: null, text };

export function addSendRoute(api: App, shared: Mailpit): void {
  const maxMessageBytes = shared.settings['max-message'];
  const bodies = new SentBodies(api, shared);
  const bounded = bodies.upTo(Math.min(maxMessageBytes * JSON_FACTOR + SPARE_BYTES, MOST_BYTES));

  const onSend = async (_request: Request, { statusCode }: Reply, payload: unknown) => {
    if (statusCode < 400 || typeof payload !== 'string') return payload;
    const { error } = JSON.parse(payload);
    return JSON.stringify({ error, Error: error });
  };

  api.post('/api/v1/send', { ...CONFIG, ...bounded, onSend }, async (request, reply) => {
    const json = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    request.body = undefined;
    const { letter, raw } = await composed(json, readerOf(reply), shared);
    await countMail(request, shared);
    if (raw.length > maxMessageBytes) throw new RequestError(ERRORS.mailTooLarge, { limit: maxMessageBytes });
    const { user = '' } = basicCredentials(request) ?? {};
    if (user !== '') shared.senders.set(letter.messageId, user.slice(0, MAX_NAME_LENGTH));
    const { recipients, taken } = await attempted(request, letter, raw, shared);
    if (taken.ending) await bodies.end(request, reply, [taken.ending]);
    if (!taken.stored) throw notStored(taken);
    // For the returned ID, prefers an inbox that the caller may open.
    const shown = recipients.findIndex(({ inbox }) => shared.access.mayOpen(request, inbox));
    const at = Math.max(shown, 0);
    return { ID: idOf({ inbox: recipients[at]?.inbox ?? '', receivedAt: taken.receivedAt[at] ?? 0 }) };
  });
}

const EMPTY = new Uint8Array();

async function composed(json: Buffer, { client, signal }: Reader, { run, task, clock, settings }: Mailpit) {
  const details = { date: clock.now(), maxRecipients: settings['max-recipients'] };
  const [outcome = EMPTY, raw = EMPTY] = await run(task('letter', details), { client, pieces: [json], signal });
  const letter: LetterOutcome = JSON.parse(Buffer.from(outcome).toString());
  if (letter.refused !== null) throw new RequestError(ERRORS.badMail, { reason: letter.refused });
  return { letter, raw };
}

/** Accepts a message, and records its outcome in the delivery log as SMTP does (D60). */
async function attempted(request: Request, letter: SentLetter, raw: Uint8Array, shared: Mailpit) {
  const { mail, clock, attempts } = shared;
  const { from } = letter;
  const { client, adHoc } = request.caller;
  const attempt = attempts.begin({ way: 'catcher', client, from, adHoc });
  // Records all recipients first, because if one is rejected, all are.
  for (const address of letter.recipients) attempt.recipient(address, null);
  try {
    const recipients = letter.recipients.map((address) => {
      const recipient = mail.recipientOf(address, adHoc);
      if (typeof recipient !== 'string') return recipient;
      throw new RefusedMail(recipientErrors[recipient], NOT_A_RECIPIENT[recipient](address));
    });
    for (const recipient of recipients) {
      const refusal = await mail.refusalOf?.(recipient, from);
      if (refusal) throw new RefusedMail(refusal, `${recipient.written ?? recipient.to}: ${replyOf(refusal)}`);
    }
    const taken = await mail.deliver({ client, raw, envelopeFrom: from, recipients, receivedAt: clock.now() });
    if (taken.stored) attempt.kept(taken.receivedAt);
    else attempt.refused(notStored(taken).told);
    return { recipients, taken };
  } catch (error) {
    if (error instanceof RefusedMail) attempt.refused(error.told);
    if (error instanceof StoreAwayError) attempt.refused(STORE_AWAY);
    throw error;
  } finally {
    attempt.end();
  }
}

function notStored(taken: Extract<Delivered, { stored: false }>): RefusedMail {
  const error = taken.reason === 'rehearsed' ? taken.error : notStoredErrors[taken.reason];
  return new RefusedMail(error, replyOf(error));
}

function replyOf({ code, enhanced, text }: SmtpError): string {
  return `${code} ${enhanced} ${text}`;
}

/** The error for a message that SMTP would reject with this reply. */
class RefusedMail extends RequestError {
  readonly told;

  constructor(error: SmtpError, reason: string) {
    super(ERRORS.badMail, { reason });
    this.told = { name: rowName(error), code: this.status, enhanced: null, text: this.message };
  }
}
