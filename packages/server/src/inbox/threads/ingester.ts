import type { Clock } from '../../base/clock.js';
import type { Log } from '../../base/log.js';
import { AT_ONCE_BYTES, AtOnce, type Ingest } from './at-once.js';
import { type IngestedMail, ingestReading, ingestUnread, type ReceivedMail } from './ingested-mail.js';
import { type ReadingThreads, ThreadsClosedError } from './reading-threads.js';

export interface IngesterOptions {
  readonly threads: ReadingThreads;
  readonly clock: Clock;
  readonly log: Log;
  /** The parser of the event loop; tests give their own. */
  readonly load?: () => Promise<Ingest>;
}

export interface IngestedFor {
  readonly client: string;
  /** Whether no other message is being stored. */
  readonly isAlone: boolean;
}

/** Turns messages into what the store keeps (D20): in threads, or small ones alone or without a thread on the loop. */
export class Ingester {
  readonly #log: Log;
  readonly #threads: ReadingThreads;
  readonly #atOnce: AtOnce;

  constructor({ threads, clock, log, load = loadIngest }: IngesterOptions) {
    this.#log = log;
    this.#threads = threads;
    this.#atOnce = new AtOnce(clock, load);
  }

  /** Loads what the first message would wait for. Rejects if that fails. */
  async prepare(): Promise<void> {
    await this.#atOnce.load();
  }

  /** Also compiles it, unless a message has come. Rejects as `prepare`. */
  async warmUp(): Promise<void> {
    await this.#atOnce.warmUp();
  }

  /** Never rejects: a message that cannot be parsed is kept with its raw text alone. */
  async ingest(mail: ReceivedMail, by: IngestedFor): Promise<IngestedMail> {
    try {
      return await this.#ingest(mail, by);
    } catch (error) {
      const bytes = mail.raw.length;
      if (error instanceof ThreadsClosedError) {
        this.#log.warn({ bytes }, 'The service stopped before a message was parsed; its raw text is kept.');
      } else this.#log.error({ err: error, bytes }, 'A message could not be parsed; its raw text is kept.');
      return ingestUnread(mail);
    }
  }

  async #ingest(mail: ReceivedMail, { client, isAlone }: IngestedFor): Promise<IngestedMail> {
    const { raw, ...details } = mail;
    const atOnce = this.#atOnce;
    const isSmall = raw.length <= AT_ONCE_BYTES;
    // A thread parses it sooner than the event loop could load the parser.
    if (isSmall && !atOnce.isLoaded && !this.#threads.hasOne) await atOnce.load();
    const mayReadHere = isSmall && atOnce.isLoaded;
    if (mayReadHere && isAlone && this.#threads.isIdle && atOnce.pauseMs() === 0) return atOnce.read(mail);
    const onLoop = {
      pauseMs: () => atOnce.pauseMs(),
      read: () => {
        const { index, record, summary } = atOnce.read(mail);
        return [index, record, summary];
      },
    };
    const toRead = { client, pieces: [raw], ...(mayReadHere && { onLoop }) };
    const [index, record, summary] = await this.#threads.run('ingest', details, toRead);
    return { index, record, summary };
  }
}

/** Loaded on use, not before the service is ready. */
async function loadIngest(): Promise<Ingest> {
  const { readMail } = await import('mayfly-mail/internal/read-mail');
  return (mail) => ingestReading(readMail(mail.raw), mail);
}
