import type { Log } from '../../base/log.js';
import { type IngestedMail, ingestReading, type ReceivedMail, UNREAD } from '../ingest/stored-message.js';
import { type ParserPool, ThreadsClosedError } from './parser-pool.js';

/** Larger messages are never parsed on the event loop. */
export const LOOP_BYTES = 16 * 1024;

export type Ingest = (mail: ReceivedMail) => IngestedMail;

export interface IngesterOptions {
  readonly threads: ParserPool;
  readonly log: Log;
  /** Loads the parser of the event loop; tests pass their own. */
  readonly load?: () => Promise<Ingest>;
}

/** Turns messages into what the store keeps (D20), in threads or on the event loop. */
export class Ingester {
  readonly #options: IngesterOptions;
  #loading: Promise<void> | null = null;
  #ingestHere: Ingest | null = null;

  constructor(options: IngesterOptions) {
    this.#options = options;
  }

  /** Loads the parser of the event loop. Rejects if that fails. */
  prepare(): Promise<void> {
    const { load = loadIngest } = this.#options;
    this.#loading ??= load().then((ingest) => {
      this.#ingestHere = ingest;
    });
    return this.#loading;
  }

  /** Never rejects: stores only the raw text of a message that cannot be parsed. */
  async ingest(mail: ReceivedMail, client: string): Promise<IngestedMail> {
    const { threads, log } = this.#options;
    const { raw, ...details } = mail;
    const isSmall = raw.length <= LOOP_BYTES;
    try {
      // A thread parses it before the event loop could load the parser.
      if (isSmall && this.#ingestHere === null && !threads.hasThread) await this.prepare();
      const ingest = isSmall ? this.#ingestHere : null;
      return await threads.run('ingest', details, {
        ...{ client, pieces: [raw] },
        ...(ingest && { onLoop: () => ingest(mail) }),
      });
    } catch (error) {
      const bytes = raw.length;
      if (error instanceof ThreadsClosedError) {
        log.warn({ bytes }, 'The service stopped before a message was parsed; its raw text is kept.');
      } else log.error({ err: error, bytes }, 'A message could not be parsed; its raw text is kept.');
      return ingestReading(UNREAD, mail);
    }
  }
}

/** Loaded on use, not before the service is ready. */
async function loadIngest(): Promise<Ingest> {
  const { readMail } = await import('mayfly-mail/internal/read-mail');
  return (mail) => ingestReading(readMail(mail.raw), mail);
}
