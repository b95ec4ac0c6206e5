import { whenOver } from '../../http/client-left.js';
import type { App, Reply } from '../../http/framework.js';
import { Lane } from '../../lane.js';
import { idOf } from '../ids.js';
import type { Shared } from '../shared.js';
import { badMail, composedMail, type Letter, letterOf } from './letter.js';

/** The largest request: to take JSON apart and to compose a mail takes the event loop some ms for so much. */
const MAX_SEND_BYTES = 2 * 1024 * 1024;

/** How many are taken in and composed at once. Whoever comes then waits before his body is read. */
const AT_ONCE = 8;

/** `POST /api/v1/send`: composes a mail and delivers it as if it had come by SMTP. */
export function addSendRoute(api: App, { inboxes, clock, access, maxMessageBytes, maxRecipients }: Shared): void {
  const lane = new Lane(AT_ONCE);
  const config = { limit: 'drop-in' } as const;
  const onRequest = (_request: unknown, reply: Reply) => begun(lane, reply);

  api.post('/api/v1/send', { config, onRequest, bodyLimit: MAX_SEND_BYTES }, async (request) => {
    const letter = letterOf(request.body);
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

/** Resolves when the turn of a request has come, which lasts until it is answered. */
function begun(lane: Lane, reply: Reply): Promise<void> {
  return new Promise((begin) => {
    lane.run(() => {
      begin();
      return new Promise<void>((end) => whenOver(reply.raw, end));
    });
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
