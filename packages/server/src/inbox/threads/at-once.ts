import type { Clock } from '../../base/clock.js';
import type { IngestedMail, ReceivedMail } from './ingested-mail.js';

export type Ingest = (mail: ReceivedMail) => IngestedMail;

/** Larger messages are never read on the event loop. */
export const AT_ONCE_BYTES = 16 * 1024;

/** Sample mails after which parsing is compiled well enough. */
export const WARM_UP_MAILS = 30;

/** After reading, the event loop serves others for this many times as long (D22). */
const PAUSE_FACTOR = 1;

/**
 * The same after a second costly message: senders of costly mail, from however many addresses, take a fiftieth of the
 * event loop's time. HTML takes less than 1 ms, and up to 3 ms on a shared processor. A single slow message is more
 * often V8 at work, and a pause starts a thread, which costs as much as a hundred mails.
 */
const COSTLY_MS = 4;
const COSTLY_PAUSE_FACTOR = 100;

/**
 * Reads small messages on the event loop: one that arrives alone, as a thread's round trip costs more than reading it;
 * and all of them while there is no thread, which takes a processor for a while, and 18 MB.
 */
export class AtOnce {
  readonly #clock: Clock;
  readonly #load: () => Promise<Ingest>;
  #loading: Promise<void> | null = null;
  #ingest: Ingest | null = null;
  #messages = 0;
  /** Until then (monotonic), another costly message is a second one. */
  #suspectUntil = Number.NEGATIVE_INFINITY;
  #pausedUntil = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, load: () => Promise<Ingest>) {
    this.#clock = clock;
    this.#load = load;
  }

  get isLoaded(): boolean {
    return this.#ingest !== null;
  }

  /** Loads the parser, once; to be awaited before `read`. Rejects if that fails. */
  load(): Promise<void> {
    this.#loading ??= this.#load().then((ingest) => {
      this.#ingest = ingest;
    });
    return this.#loading;
  }

  /** Has samples compile the parser, with turns for others. Stops at the first message, which does the same. */
  async warmUp(): Promise<void> {
    await this.load();
    const sample = sampleMail();
    const isFirst = () => this.#messages === 0;
    for (let mails = 0; mails < WARM_UP_MAILS && isFirst(); mails += 1) {
      this.#ingest?.(sample);
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (isFirst()) this.#messages = WARM_UP_MAILS;
  }

  pauseMs(): number {
    return Math.max(0, this.#pausedUntil - this.#clock.monotonic());
  }

  /** Reads at most `AT_ONCE_BYTES`, outside of a pause. Throws what parsing throws. */
  read(mail: ReceivedMail): IngestedMail {
    if (this.#ingest === null) throw new Error('What reads on the event loop is not loaded.');
    const startedAt = this.#clock.monotonic();
    const usedBefore = this.#clock.processor();
    try {
      return this.#ingest(mail);
    } finally {
      const now = this.#clock.monotonic();
      // Other programs and our other threads are not the message's fault.
      const usedMs = Math.min(now - startedAt, this.#clock.processor() - usedBefore);
      // The first ones take long because nothing is compiled yet.
      const isCostly = usedMs > COSTLY_MS && this.#messages >= WARM_UP_MAILS;
      this.#messages += 1;
      const isSecond = isCostly && startedAt < this.#suspectUntil;
      if (isCostly) this.#suspectUntil = now + usedMs * COSTLY_PAUSE_FACTOR;
      this.#pausedUntil = now + usedMs * (isSecond ? COSTLY_PAUSE_FACTOR : PAUSE_FACTOR);
    }
  }
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
