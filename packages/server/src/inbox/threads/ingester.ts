import type { Clock } from '../../base/clock.js';
import type { Log } from '../../base/log.js';
import { type IngestedMail, ingestReading, ingestUnread, type ReceivedMail } from './ingested-mail.js';
import { type ReadingThreads, ThreadsClosedError } from './reading-threads.js';

type Ingest = (mail: ReceivedMail) => IngestedMail;

/** Larger messages are never read on the event loop. */
const AT_ONCE_BYTES = 16 * 1024;

/** Sample mails after which parsing is compiled well enough. */
const WARM_UP_MAILS = 30;

/** After reading, the event loop serves others for this many times as long (D22). */
const PAUSE_FACTOR = 1;

/**
 * The same after a second costly message: senders of costly mail, from however many addresses, take a fiftieth of the
 * event loop's time. HTML takes less than 1 ms, and up to 3 ms on a shared processor. A single slow message is more
 * often V8 at work, and a pause starts a thread, which costs as much as a hundred mails.
 */
const COSTLY_MS = 4;
const COSTLY_PAUSE_FACTOR = 100;

export interface IngesterOptions {
  readonly threads: ReadingThreads;
  readonly clock: Clock;
  readonly log: Log;
  /** Loads the parser of the event loop; tests give their own. */
  readonly load?: () => Promise<Ingest>;
}

export interface IngestedFor {
  readonly client: string;
  /** Whether no other message is being stored. */
  readonly isAlone: boolean;
}

/**
 * Turns messages into what the store keeps (D20), in threads or on the event loop. That reads a small message which
 * arrives alone, as a thread's round trip costs more than reading it; and all small ones while there is no thread, which
 * takes a processor for a while, and 18 MB.
 */
export class Ingester {
  readonly #options: IngesterOptions;
  #loading: Promise<void> | null = null;
  #ingestHere: Ingest | null = null;
  #messages = 0;
  /** Until then (monotonic), another costly message is a second one. */
  #suspectUntil = Number.NEGATIVE_INFINITY;
  #pausedUntil = Number.NEGATIVE_INFINITY;

  constructor(options: IngesterOptions) {
    this.#options = options;
  }

  /** Loads what the first message would wait for, once. Rejects if that fails. */
  prepare(): Promise<void> {
    const { load = loadIngest } = this.#options;
    this.#loading ??= load().then((ingest) => {
      this.#ingestHere = ingest;
    });
    return this.#loading;
  }

  /** Also has samples compile it, with turns for others. Stops at the first message, which does the same. */
  async warmUp(): Promise<void> {
    await this.prepare();
    const sample = sampleMail();
    const isFirst = () => this.#messages === 0;
    for (let mails = 0; mails < WARM_UP_MAILS && isFirst(); mails += 1) {
      this.#ingestHere?.(sample);
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (isFirst()) this.#messages = WARM_UP_MAILS;
  }

  /** Never rejects: a message that cannot be parsed is kept with its raw text alone. */
  async ingest(mail: ReceivedMail, by: IngestedFor): Promise<IngestedMail> {
    try {
      return await this.#ingest(mail, by);
    } catch (error) {
      const { log } = this.#options;
      const bytes = mail.raw.length;
      if (error instanceof ThreadsClosedError) {
        log.warn({ bytes }, 'The service stopped before a message was parsed; its raw text is kept.');
      } else log.error({ err: error, bytes }, 'A message could not be parsed; its raw text is kept.');
      return ingestUnread(mail);
    }
  }

  async #ingest(mail: ReceivedMail, { client, isAlone }: IngestedFor): Promise<IngestedMail> {
    const { threads } = this.#options;
    const { raw, ...details } = mail;
    const isSmall = raw.length <= AT_ONCE_BYTES;
    // A thread parses it sooner than the event loop could load the parser.
    if (isSmall && this.#ingestHere === null && !threads.hasOne) await this.prepare();
    const ingestHere = isSmall ? this.#ingestHere : null;
    const pauseMs = () => Math.max(0, this.#pausedUntil - this.#options.clock.monotonic());
    if (ingestHere && isAlone && threads.isIdle && pauseMs() === 0) return this.#readHere(mail, ingestHere);
    const toRead = { client, pieces: [raw] };
    const onLoop = ingestHere && {
      pauseMs,
      read: () => {
        const { index, record, summary } = this.#readHere(mail, ingestHere);
        return [index, record, summary];
      },
    };
    const [index, record, summary] = await threads.run('ingest', details, { ...toRead, ...(onLoop && { onLoop }) });
    return { index, record, summary };
  }

  /** Throws what parsing throws. */
  #readHere(mail: ReceivedMail, ingest: Ingest): IngestedMail {
    const { clock } = this.#options;
    const startedAt = clock.monotonic();
    const usedBefore = clock.processor();
    try {
      return ingest(mail);
    } finally {
      const now = clock.monotonic();
      // Other programs and our other threads are not the message's fault.
      const usedMs = Math.min(now - startedAt, clock.processor() - usedBefore);
      // The first ones take long because nothing is compiled yet.
      const isCostly = usedMs > COSTLY_MS && this.#messages >= WARM_UP_MAILS;
      this.#messages += 1;
      const isSecond = isCostly && startedAt < this.#suspectUntil;
      if (isCostly) this.#suspectUntil = now + usedMs * COSTLY_PAUSE_FACTOR;
      this.#pausedUntil = now + usedMs * (isSecond ? COSTLY_PAUSE_FACTOR : PAUSE_FACTOR);
    }
  }
}

/** Loaded on use, not before the service is ready. */
async function loadIngest(): Promise<Ingest> {
  const { readMail } = await import('mayfly-mail/internal/read-mail');
  return (mail) => ingestReading(readMail(mail.raw), mail);
}

const PARAGRAPH = '<p style="color: #333333; font-size: 14px">Thank you for signing up. It takes only a moment.</p>\n';

/** A typical mail of an application, parsed before the first real one so that parsing is compiled by then. */
function sampleMail(): ReceivedMail {
  const raw = Buffer.from(
    `From: Sample <app@mayfly.invalid>\r
To: sample@mayfly.invalid\r
Subject: =?utf-8?q?Your_code_f=C3=BCr_today?=\r
MIME-Version: 1.0\r
Content-Type: multipart/alternative; boundary="sample"\r
\r
--sample\r
Content-Type: text/plain; charset=utf-8\r
Content-Transfer-Encoding: quoted-printable\r
\r
Your verification code is 482913. It is valid for 10 minutes.=\r
 Or go to https://app.invalid/verify?token=3DZm9v\r
--sample\r
Content-Type: text/html; charset=utf-8\r
\r
<html><head><style>.code { font-size: 32px }</style></head><body><table><tr><td>
${PARAGRAPH.repeat(8)}
<p class="code"><b>482913</b></p><a href="https://app.invalid/verify?token=Zm9v&amp;n=1">Verify your address</a>
<p>&copy; 2026, 94105 San Francisco. <a href="https://app.invalid/unsubscribe">Unsubscribe</a></p>
</td></tr></table></body></html>\r
--sample--\r
`,
  );
  return { raw, envelopeFrom: '', generatedId: '<sample@mayfly.invalid>', recipientBytes: 0, recipients: null };
}
