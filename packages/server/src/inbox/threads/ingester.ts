import { systemClock } from '../../base/clock.js';
import type { Log } from '../../base/log.js';
import { type IngestedMail, ingestReading, ingestUnread, type ReceivedMail } from '../ingest/stored-message.js';
import { type ParserPool, ThreadsClosedError } from './parser-pool.js';

/** Larger messages are never parsed on the event loop. */
export const LOOP_BYTES = 16 * 1024;

/** Messages up to this size do not wait for a turn: passing one to a thread takes longer than parsing it. */
export const TINY_BYTES = 4 * 1024;

/** Tiny messages may take a third of the event loop's time, in bursts of up to 8 ms. Hostile ones would take it all. */
const TINY_SHARE = 1 / 3;
const TINY_BURST_MS = 8;

export type Ingest = (mail: ReceivedMail) => IngestedMail;

export interface IngesterOptions {
  readonly threads: ParserPool;
  readonly log: Log;
  /** Loads the parser of the event loop; tests pass their own. */
  readonly load?: () => Promise<Ingest>;
}

export type Ingester = ReturnType<typeof ingesterOf>;

/** Turns messages into what the store keeps (D20), in threads or on the event loop. */
export function ingesterOf({ threads, log, load = loadIngest }: IngesterOptions) {
  /** When tiny messages will have taken no more than their share. */
  let evenAt = 0;
  let loading: Promise<void> | null = null;
  let ingestHere: Ingest | null = null;

  /** Loads the parser of the event loop. Rejects if that fails. */
  function prepare(): Promise<void> {
    loading ??= load().then((loaded) => {
      ingestHere = loaded;
    });
    return loading;
  }

  async function parsed(mail: ReceivedMail, client: string): Promise<IngestedMail> {
    const isSmall = mail.raw.length <= LOOP_BYTES;
    // Does not load the parser while a thread runs, because that thread parses the message sooner.
    if (isSmall && ingestHere === null && !threads.hasThread) await prepare();
    const here = isSmall ? ingestHere : null;
    const now = systemClock.monotonic();
    if (here !== null && mail.raw.length <= TINY_BYTES && (evenAt - now) * TINY_SHARE < TINY_BURST_MS) {
      try {
        return here(mail);
      } finally {
        evenAt = Math.max(evenAt, now) + (systemClock.monotonic() - now) / TINY_SHARE;
      }
    }
    const onLoop = here === null ? undefined : () => here(mail);
    const { raw, envelopeFrom, generatedId, recipientBytes, recipients, sendApi = null } = mail;
    // Names each value, because a spread takes as long as all other work of this function.
    const details = { envelopeFrom, generatedId, recipientBytes, recipients, sendApi };
    return threads.run('ingest', details, { client, pieces: [raw], onLoop });
  }

  /** Never rejects: stores only the raw text of a message that cannot be parsed. */
  async function ingest(mail: ReceivedMail, client: string): Promise<IngestedMail> {
    try {
      return await parsed(mail, client);
    } catch (error) {
      const bytes = mail.raw.length;
      if (error instanceof ThreadsClosedError) {
        log.warn({ bytes }, 'The service stopped before a message was parsed; its raw text is kept.');
      } else log.error({ err: error, bytes }, 'A message could not be parsed; its raw text is kept.');
      return ingestUnread(mail);
    }
  }

  return { prepare, ingest };
}

/** Loads the parser on use, so that the service is ready sooner. */
async function loadIngest(): Promise<Ingest> {
  const { readMail } = await import('mayfly-mail/internal/read-mail');
  return (mail) => ingestReading(readMail(mail.raw), mail);
}
