import {
  type App,
  basicCredentials,
  countMail,
  httpErrors,
  type OpenAttempt,
  type Reader,
  type Reply,
  type Request,
  RequestError,
  readerOf,
  rowName,
  SentBodies,
  type SmtpError,
  StoreAwayError,
} from '../../../server/dist/extension/extension.js';
import type { LetterOutcome } from '../in-thread.js';
import { idOf } from '../requests.js';
import { CONFIG, type Shared, work } from '../shared.js';

/** JSON may take six bytes for a character that takes four in base64 or six in quoted-printable. */
const JSON_FACTOR = 2;

const SPARE_BYTES = 2 * 1024 * 1024;

/** A thread holds a request several times. */
const MOST_BYTES = 48 * 1024 * 1024;

const NOT_STORED = {
  'inbox-full': 'an inbox is full',
  'store-full': 'the store is full',
  'disk-full': 'the disk of the store is full',
} as const;

const { code, status, text } = httpErrors.storeAway;
const STORE_AWAY = { name: code, code: status, enhanced: null, text };

/** `POST /api/v1/send`: delivers a mail as if it had come by SMTP. */
export function addSendRoute(api: App, shared: Shared): void {
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
    if (raw.length > maxMessageBytes) throw new RequestError(httpErrors.mailTooLarge, { limit: maxMessageBytes });
    shared.senders.note(letter.messageId, basicCredentials(request)?.user ?? '');
    return { ID: await deliver({ request, reply, bodies }, { ...letter, raw }, shared) };
  });
}

const EMPTY = new Uint8Array();

async function composed(json: Buffer, { client, signal }: Reader, { run, clock, settings }: Shared) {
  const details = { date: clock.now(), maxRecipients: settings['max-recipients'] };
  const [outcome = EMPTY, raw = EMPTY] = await run(work('letter', details), { client, pieces: [json], signal });
  const letter: LetterOutcome = JSON.parse(Buffer.from(outcome).toString());
  if (letter.refused !== null) throw badMail(letter.refused);
  return { letter, raw };
}

interface Mail {
  readonly from: string;
  readonly recipients: readonly string[];
  readonly raw: Uint8Array;
}

interface Exchange {
  readonly request: Request;
  readonly reply: Reply;
  readonly bodies: SentBodies;
}

async function deliver(
  exchange: Exchange,
  { from, recipients: addresses, raw }: Mail,
  shared: Shared,
): Promise<string> {
  const { mail, access, clock, attempts } = shared;
  const { request, reply, bodies } = exchange;
  const client = access.clientOf(request);
  const attempt = attempts.begin({ way: 'catcher', client, from });
  try {
    const recipients = recipientsOf(addresses, mail, attempt);
    for (const recipient of recipients) {
      const rehearsed = await mail.refusalOf?.(recipient, from);
      if (rehearsed) throw refused(attempt, rowName(rehearsed), badMail(replyOf(rehearsed)));
    }
    const taken = await mail.deliver({ client, raw, envelopeFrom: from, recipients, receivedAt: clock.now() });
    if (taken.stored) attempt.kept(taken.receivedAt);
    if (taken.ending) await bodies.end(request, reply, [taken.ending]);
    if (!taken.stored) {
      const isRehearsed = taken.reason === 'rehearsed';
      const [name, text] = isRehearsed
        ? [rowName(taken.error), replyOf(taken.error)]
        : [taken.reason, NOT_STORED[taken.reason]];
      throw refused(attempt, name, badMail(text));
    }
    return shownId(request, recipients, taken.receivedAt, shared);
  } catch (error) {
    // The first refusal counts.
    if (error instanceof StoreAwayError) attempt.refused(STORE_AWAY);
    throw error;
  } finally {
    attempt.end();
  }
}

function shownId(
  request: Request,
  recipients: readonly { readonly inbox: string }[],
  receivedAt: readonly number[],
  { access }: Shared,
): string {
  // The ID of an inbox that the caller may open.
  const shown = recipients.findIndex(({ inbox }) => access.mayOpen(request, inbox));
  const at = Math.max(shown, 0);
  return idOf({ inbox: recipients[at]?.inbox ?? '', receivedAt: receivedAt[at] ?? 0 });
}

function recipientsOf(addresses: readonly string[], mail: Shared['mail'], attempt: OpenAttempt) {
  // All are named first: the refusal of one is that of all.
  for (const address of addresses) attempt.recipient(address, null);
  return addresses.map((address) => {
    const recipient = mail.recipientOf(address);
    if (recipient === 'foreign-domain') {
      const reason = `mail for the domain of ${address} is not accepted here; --domain '*' takes any`;
      throw refused(attempt, 'foreign-domain', badMail(reason));
    }
    if (recipient === 'bad-name') {
      throw refused(attempt, 'bad-recipient-name', badMail(`${address} is not the address of an inbox`));
    }
    if (recipient === 'bad-rehearsal') {
      throw refused(attempt, recipient, badMail(`what follows -- in ${address} is not a rehearsal`));
    }
    if (recipient === 'rehearsals-off') {
      throw refused(attempt, recipient, badMail(`${address} asks for a failure, but --rehearsals is off`));
    }
    return recipient;
  });
}

function refused(attempt: OpenAttempt, name: string, error: RequestError): RequestError {
  attempt.refused({ name, code: error.status, enhanced: null, text: error.message });
  return error;
}

function replyOf({ code, enhanced, text }: SmtpError): string {
  return `${code} ${enhanced} ${text}`;
}

function badMail(reason: string): RequestError {
  return new RequestError(httpErrors.badMail, { reason });
}
