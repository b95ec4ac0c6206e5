import { Readable } from 'node:stream';
import {
  type App,
  type Ending,
  FairSemaphore,
  httpErrors,
  LEAST_BYTES_PER_SECOND,
  RETRY_SOON,
  type Reader,
  type Release,
  type Reply,
  type Request,
  RequestError,
  readerOf,
  releaseWhenOver,
  retryAfter,
  type Service,
  stoppingError,
  whenOver,
} from 'mayfly-inbox/plugin';

const LARGE_BYTES = 2 * 1024 * 1024;

/** Maximum small bodies composed at a time. Bodies being received do not count, so they delay no other request. */
const SMALL_AT_ONCE = { total: 8, perClient: 2 } as const;

/** Maximum large bodies received and composed at a time. To save memory, others wait before they are read further. */
const LARGE_AT_ONCE = { total: 2, perClient: 1 } as const;

/** How long a large body may arrive at less than `LEAST_BYTES_PER_SECOND` while others wait. */
const SLOW_MS = 4_000;

type Receiving = Pick<Service, 'access' | 'clock' | 'held' | 'mailRate' | 'adHocRate'>;

/** Limits bodies of requests that send mail: the size of each, and how many a plugin's routes process at a time. */
export class SentBodies {
  readonly #host: Receiving;
  readonly #small: FairSemaphore;
  readonly #large: FairSemaphore;
  readonly #turns = new WeakMap<Request, Release>();
  #waiting = 0;
  /** Functions that end simulated delays. */
  readonly #delays = new Set<() => void>();
  #isStopping = false;

  constructor(api: App, host: Receiving) {
    const { clock, access } = host;
    const refusals = { busy: () => tooMuchSent(access), closed: stoppingError };
    this.#host = host;
    this.#small = new FairSemaphore({ clock, bounds: SMALL_AT_ONCE, ...refusals });
    this.#large = new FairSemaphore({ clock, bounds: LARGE_AT_ONCE, ...refusals });
    // At a stop, running requests finish. Delayed ones are answered immediately, because their mail is already stored.
    api.addHook('preClose', async () => {
      this.#isStopping = true;
      for (const turns of [this.#small, this.#large]) turns.close();
      for (const end of this.#delays) end();
    });
  }

  /** Returns options for a route that rejects a body above `bodyLimit` bytes with 413, and too many bodies with 503. */
  upTo(bodyLimit: number) {
    const { access, held } = this.#host;
    return {
      bodyLimit,
      onRequest: async (request: Request) => {
        if (Number(request.headers['content-length']) > bodyLimit) {
          throw new RequestError(httpErrors.bodyTooLarge, { limit: bodyLimit }, { connection: 'close' });
        }
        if (held.isFullFor(request.caller.client)) throw tooMuchSent(access);
      },
      preParsing: async (request: Request, reply: Reply, body: Readable) => {
        const reader = readerOf(reply);
        const bytes = Readable.from(counted(body, reader, () => this.#beginLarge(request, reader)));
        // Ignores errors after the response, because nothing else handles them and they would end the process.
        return bytes.on('error', () => {});
      },
      preHandler: async (request: Request, reply: Reply) => {
        if (!this.#turns.has(request)) this.#turns.set(request, await turnOf(readerOf(reply), this.#small));
      },
    };
  }

  /**
   * Applies simulated failures to a request whose messages are stored (D56). Closes the connection without a response,
   * or resolves when the delay is over and the response may be sent. Other requests need not wait for the delay.
   */
  async end(request: Request, { raw }: Reply, endings: readonly Ending[]): Promise<void> {
    if (endings.length === 0) return;
    this.#turns.get(request)?.();
    const delayMs = Math.max(...endings.map((ending) => ending.delayMs));
    if (delayMs > 0 && !this.#isStopping) await this.#delay(delayMs, raw);
    if (endings.some(({ isLost }) => isLost)) raw.req.socket.destroy();
  }

  #delay(delayMs: number, response: Reply['raw']): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        cancel();
        this.#delays.delete(end);
        resolve();
      };
      const cancel = this.#host.clock.after(delayMs, end);
      this.#delays.add(end);
      whenOver(response, end);
    });
  }

  async #beginLarge(request: Request, reader: Reader): Promise<void> {
    this.#waiting += 1;
    const turn = turnOf(reader, this.#large).finally(() => {
      this.#waiting -= 1;
    });
    this.#turns.set(request, await turn);
    // From here on, `LARGE_AT_ONCE` limits memory, so this body no longer counts as held bytes.
    reader.hold(0);
    this.#watchPace(request, reader);
  }

  /** Disconnects a client that stays below the minimum speed for `SLOW_MS` while others wait. */
  #watchPace({ raw }: Request, reader: Reader): void {
    const { clock, access } = this.#host;
    const { signal } = reader;
    const least = (SLOW_MS / 1_000) * LEAST_BYTES_PER_SECOND;
    let readBefore = raw.socket.bytesRead;
    const look = () => {
      if (raw.complete || signal.aborted) return;
      const { bytesRead } = raw.socket;
      if (bytesRead - readBefore < least && this.#waiting > 0) {
        access.limited('sends');
        reader.cut();
      }
      readBefore = bytesRead;
      endWatch = clock.after(SLOW_MS, look);
    };
    let endWatch = clock.after(SLOW_MS, look);
    signal.addEventListener('abort', () => endWatch(), { once: true });
  }
}

/** Waits for a turn, which lasts until the response, or until the returned function is called. Rejects with 503. */
async function turnOf(reader: Reader, turns: FairSemaphore): Promise<Release> {
  let release: Release | null = await turns.acquire(reader);
  const end = () => {
    release?.();
    release = null;
  };
  releaseWhenOver(end, reader);
  return end;
}

/** Counts a body's bytes as held by its client until the body is large. Then waits for `beginLarge`. */
async function* counted(body: Readable, reader: Reader, beginLarge: () => Promise<void>): AsyncGenerator<Buffer> {
  let bytes = 0;
  let isLarge = false;
  for await (const piece of body as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (!isLarge) {
      isLarge = bytes > LARGE_BYTES;
      reader.hold(bytes);
      if (isLarge) await beginLarge();
    }
    yield piece;
  }
}

function tooMuchSent(access: Service['access']): RequestError {
  access.limited('sends');
  return new RequestError(httpErrors.tooMuchSent, {}, RETRY_SOON);
}

/** Counts a message toward the rate limits of SMTP. Rejects with 429 if the message exceeds a limit. */
export async function countMail(request: Request, { access, clock, mailRate, adHocRate }: Receiving): Promise<void> {
  const waitMs = await mailRate.take(request.caller.client, clock.monotonic());
  if (waitMs > 0) {
    access.limited('smtp-limit');
    throw new RequestError(httpErrors.tooManyMails, {}, retryAfter(waitMs));
  }
  const adHoc = request.caller.adHoc;
  const adHocWaitMs = adHoc === null ? 0 : ((await adHocRate?.take(adHoc, clock.monotonic())) ?? 0);
  if (adHocWaitMs <= 0) return;
  access.limited('ad-hoc-limit');
  throw new RequestError(httpErrors.tooManySpaceMails, {}, retryAfter(adHocWaitMs));
}
