import { Readable } from 'node:stream';
import {
  type App,
  basicCredentials,
  type Clock,
  FairSemaphore,
  httpErrors,
  LEAST_BYTES_PER_SECOND,
  type Reader,
  type Reply,
  type Request,
  RequestError,
  readerOf,
  releaseWhenOver,
  retryAfter,
  stoppingError,
} from '../../../server/dist/extension/extension.js';
import type { LetterOutcome } from '../in-thread.js';
import { idOf } from '../requests.js';
import { CONFIG, type Shared, work } from '../shared.js';

/** JSON may take six bytes for a character that takes four in base64 or six in quoted-printable. */
const JSON_FACTOR = 2;

const SPARE_BYTES = 2 * 1024 * 1024;

/** A thread holds a request several times. */
const MOST_BYTES = 48 * 1024 * 1024;

const LARGE_BYTES = 2 * 1024 * 1024;

/** Composed at once, after their bodies have come: a slow client holds up none of its others. */
const SMALL_AT_ONCE = { total: 8, perClient: 2 } as const;

/** Received and composed at once; the next wait with the rest of their bodies, for memory is scarce. */
const LARGE_AT_ONCE = { total: 2, perClient: 1 } as const;

/** For so long large ones may be slower than `LEAST_BYTES_PER_SECOND` while others wait. */
const SLOW_MS = 4_000;

const RETRY_MS = 1_000;

const NOT_STORED = {
  'inbox-full': 'an inbox is full',
  'store-full': 'the store is full',
  'disk-full': 'the disk of the store is full',
} as const;

/** `POST /api/v1/send`: delivers a mail as if it had come by SMTP. */
export function addSendRoute(api: App, shared: Shared): void {
  const { clock, access, inboxes } = shared;
  const maxMessageBytes = shared.settings['max-message'];
  const refusals = { busy: () => tooMuchSent(access), closed: stoppingError };
  const small = new FairSemaphore({ clock, bounds: SMALL_AT_ONCE, ...refusals });
  const large = new FairSemaphore({ clock, bounds: LARGE_AT_ONCE, ...refusals });
  // What has begun is finished.
  api.addHook('preClose', async () => {
    for (const turns of [small, large]) turns.close();
  });
  const areLarge = new WeakSet<Request>();
  let waiting = 0;
  const bodyLimit = Math.min(maxMessageBytes * JSON_FACTOR + SPARE_BYTES, MOST_BYTES);

  const onRequest = async (request: Request) => {
    if (Number(request.headers['content-length']) > bodyLimit) {
      throw new RequestError(httpErrors.bodyTooLarge, { limit: bodyLimit }, { connection: 'close' });
    }
    if (inboxes.isFullFor(access.clientOf(request))) throw tooMuchSent(access);
  };

  /** Resolves when the rest of a large body may come. Rejects with 503. */
  const beginLarge = async (request: Request, reader: Reader) => {
    waiting += 1;
    await turnOf(reader, large).finally(() => {
      waiting -= 1;
    });
    areLarge.add(request);
    // From here on bounded by `LARGE_AT_ONCE`.
    reader.hold(0);
    const tooSlow = () => {
      if (waiting === 0) return;
      access.limited('sends');
      reader.cut();
    };
    watchPace(request, reader, { clock, tooSlow });
  };

  const preParsing = async (request: Request, reply: Reply, body: Readable) => {
    const reader = readerOf(reply);
    return Readable.from(counted(body, reader, () => beginLarge(request, reader)));
  };

  const preHandler = async (request: Request, reply: Reply) => {
    if (!areLarge.has(request)) await turnOf(readerOf(reply), small);
  };

  const onSend = async (_request: Request, { statusCode }: Reply, payload: unknown) => {
    if (statusCode < 400 || typeof payload !== 'string') return payload;
    const { error } = JSON.parse(payload);
    return JSON.stringify({ error, Error: error });
  };

  api.post(
    '/api/v1/send',
    { ...CONFIG, onRequest, preParsing, preHandler, onSend, bodyLimit },
    async (request, reply) => {
      const json = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      request.body = undefined;
      const { letter, raw } = await composed(json, readerOf(reply), shared);
      await countMail(request, shared);
      if (raw.length > maxMessageBytes) throw new RequestError(httpErrors.mailTooLarge, { limit: maxMessageBytes });
      shared.senders.note(letter.messageId, basicCredentials(request)?.user ?? '');
      return { ID: await deliver(request, { ...letter, raw }, shared) };
    },
  );
}

/** The turn lasts until the request is answered. Rejects with 503. */
async function turnOf(reader: Reader, turns: FairSemaphore): Promise<void> {
  releaseWhenOver(await turns.acquire(reader), reader);
}

/** Holds a body for its client as it comes; becoming large waits for `beginLarge`. */
async function* counted(body: Readable, reader: Reader, beginLarge: () => Promise<void>): AsyncGenerator<Buffer> {
  let bytes = 0;
  let isLarge = false;
  for await (const piece of body as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (!isLarge) {
      isLarge = bytes > LARGE_BYTES;
      reader.hold(bytes, { moved: piece.length, isOwed: isLarge });
      if (isLarge) await beginLarge();
    }
    yield piece;
  }
  if (!isLarge) reader.hold(bytes, { isOwed: true });
}

/** Calls `tooSlow` after each `SLOW_MS` with too few bytes. */
function watchPace({ raw }: Request, { signal }: Reader, { clock, tooSlow }: { clock: Clock; tooSlow(): void }): void {
  const least = (SLOW_MS / 1_000) * LEAST_BYTES_PER_SECOND;
  let readBefore = raw.socket.bytesRead;
  const look = () => {
    if (raw.complete || signal.aborted) return;
    const { bytesRead } = raw.socket;
    if (bytesRead - readBefore < least) tooSlow();
    readBefore = bytesRead;
    endWatch = clock.after(SLOW_MS, look);
  };
  let endWatch = clock.after(SLOW_MS, look);
  signal.addEventListener('abort', () => endWatch(), { once: true });
}

function tooMuchSent(access: Shared['access']): RequestError {
  access.limited('sends');
  return new RequestError(httpErrors.tooMuchSent, {}, retryAfter(RETRY_MS));
}

const EMPTY = new Uint8Array();

async function composed(json: Buffer, { client, signal }: Reader, { run, clock, settings }: Shared) {
  const details = { date: clock.now(), maxRecipients: settings['max-recipients'] };
  const [outcome = EMPTY, raw = EMPTY] = await run(work('letter', details), { client, pieces: [json], signal });
  const letter: LetterOutcome = JSON.parse(Buffer.from(outcome).toString());
  if (letter.refused !== null) throw badMail(letter.refused);
  return { letter, raw };
}

async function countMail(request: Request, { access, clock, mailRate }: Shared): Promise<void> {
  const waitMs = await mailRate.take(access.clientOf(request), clock.monotonic());
  if (waitMs <= 0) return;
  access.limited('smtp-limit');
  throw new RequestError(httpErrors.tooManyMails, {}, retryAfter(waitMs));
}

interface Mail {
  readonly from: string;
  readonly recipients: readonly string[];
  readonly raw: Uint8Array;
}

async function deliver(request: Request, { from, recipients: addresses, raw }: Mail, shared: Shared): Promise<string> {
  const { inboxes, access } = shared;
  const recipients = recipientsOf(addresses, inboxes);
  const client = access.clientOf(request);
  const taken = await inboxes.send({ client, raw, envelopeFrom: from, recipients });
  if (!taken.stored) throw badMail(NOT_STORED[taken.reason]);
  // The ID of an inbox that the caller may open.
  const shown = recipients.findIndex(({ inbox }) => access.mayOpen(request, inbox));
  const at = Math.max(shown, 0);
  return idOf({ inbox: recipients[at]?.inbox ?? '', receivedAt: taken.receivedAt[at] ?? 0 });
}

function recipientsOf(addresses: readonly string[], inboxes: Shared['inboxes']) {
  return addresses.map((address) => {
    const recipient = inboxes.recipientOf(address);
    if (recipient === 'foreign-domain')
      throw badMail(`mail for the domain of ${address} is not accepted here; --domain '*' takes any`);
    if (recipient === 'bad-name') throw badMail(`${address} is not the address of an inbox`);
    return recipient;
  });
}

function badMail(reason: string): RequestError {
  return new RequestError(httpErrors.badMail, { reason });
}
