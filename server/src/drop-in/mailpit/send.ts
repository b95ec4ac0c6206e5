import { httpErrors } from '../../errors.js';
import type { App, Reply, Request } from '../../http/framework.js';
import { ifThere } from '../../http/one-email.js';
import { RequestError, retryAfter } from '../../http/request-error.js';
import { InspectionTurns } from '../../inbox/threads/inspection-turns.js';
import { idOf } from '../ids.js';
import type { Shared } from '../shared.js';
import { badMail, composedMail, type Letter, letterOf } from './letter.js';

/** The largest request: to take JSON apart and to compose a mail takes the event loop some ms for so much. */
const MAX_SEND_BYTES = 2 * 1024 * 1024;

/**
 * How many are taken in and composed at once. Whoever comes then waits before his body is read; and who sends his slowly keeps none but
 * himself waiting.
 */
const AT_ONCE = { total: 8, perClient: 2 } as const;

/** `POST /api/v1/send`: composes a mail and delivers it as if it had come by SMTP. */
export function addSendRoute(api: App, shared: Shared): void {
  const { inboxes, clock, access, callers, maxMessageBytes, maxRecipients, mailRate } = shared;
  const turns = new InspectionTurns(clock, AT_ONCE);
  const config = { limit: 'drop-in' } as const;

  /** Resolves when the turn of a request has come, which lasts until it is answered. Rejects with 503. */
  const onRequest = async (request: Request, reply: Reply) => {
    const reader = callers.readerOf(request, reply);
    const turn = await ifThere(access, turns.wait(reader));
    if (turn === null) return;
    if (reader.signal.aborted) turn.end();
    else reader.signal.addEventListener('abort', turn.end, { once: true });
  };

  api.post('/api/v1/send', { config, onRequest, bodyLimit: MAX_SEND_BYTES }, async (request) => {
    const letter = letterOf(request.body);
    const waitMs = await mailRate.take(access.clientOf(request), clock.monotonic());
    if (waitMs > 0) {
      access.limited('smtp-limit');
      throw new RequestError(httpErrors.tooManyRequests, {}, retryAfter(waitMs));
    }
    const recipients = recipientsOf(letter, inboxes, maxRecipients);
    const raw = await composedMail(letter, new Date(clock.now()));
    if (raw.length > maxMessageBytes)
      throw badMail(`it is larger than the ${maxMessageBytes} bytes that are taken here`);
    const mail = {
      client: access.clientOf(request),
      raw,
      envelopeFrom: letter.from.address,
      recipients,
      receivedAt: clock.now(),
    };
    const taken = await inboxes.take(mail);
    if (!taken.stored) throw badMail(taken.reason === 'inbox-full' ? 'an inbox is full' : 'the store is full');
    const [first = { inbox: '' }] = recipients;
    return { ID: idOf({ inbox: first.inbox, receivedAt: taken.receivedAt[0] ?? 0 }) };
  });
}

/** Whom a letter is for, each as often as he is named. Throws 400 where one of them is none here. */
function recipientsOf({ to, cc, bcc }: Letter, inboxes: Shared['inboxes'], most: number) {
  const addresses = [...to, ...cc, ...bcc].map(({ address }) => address);
  if (addresses.length === 0) throw badMail('it has no recipient in To, Cc or Bcc');
  if (addresses.length > most) throw badMail(`it has more than ${most} recipients`);
  return addresses.map((address) => {
    const recipient = inboxes.recipientOf(address);
    if (recipient === 'foreign-domain') throw badMail(`mail for the domain of ${address} is not accepted here`);
    if (recipient === 'bad-name') throw badMail(`${address} is not the address of an inbox`);
    return recipient;
  });
}
