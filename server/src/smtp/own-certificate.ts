import type { SecureContext } from 'node:tls';
import { Worker } from 'node:worker_threads';
import type { Soon } from '../soon.js';
import type { TlsIdentity } from '../tls-identity.js';
import type { CertificateTask } from './certificate-thread.js';
import { secureContextOf } from './engine/tls.js';
import type { SmtpLog } from './smtp-log.js';

/** How long a thread may take. On an idle machine it is a quarter of a second. */
const THREAD_TIMEOUT_MS = 30_000;

/** Memory of the thread's heap: several times what it needs. */
const THREAD_HEAP_MB = 64;

/** After a certificate could not be made, how long none is tried: clients could otherwise keep a processor busy with it. */
const PAUSE_MS = 60_000;

export interface OwnCertificateOptions {
  readonly hostname: string;
  readonly log: SmtpLog;
  /** Milliseconds since the epoch. */
  now(): number;
}

/**
 * The certificate of a service that was given none. It is made when it is first asked for, in a thread: the library for it takes
 * longer to load than the whole service, which nobody should wait for who brings a certificate or uses none.
 */
export class OwnCertificate {
  readonly #options: OwnCertificateOptions;
  #context: SecureContext | null = null;
  #making: Promise<SecureContext | null> | null = null;
  #thread: Worker | null = null;
  #isClosed = false;
  #triesAgainAt = Number.NEGATIVE_INFINITY;

  constructor(options: OwnCertificateOptions) {
    this.#options = options;
  }

  /** What STARTTLS is served with: later while it is being made, and null when it cannot be, which the log has the reason of. */
  readonly context = (): Soon<SecureContext | null> => {
    if (this.#context !== null || this.#making !== null) return this.#context ?? this.#making;
    if (this.#isClosed || this.#options.now() < this.#triesAgainAt) return null;
    this.#making = this.#make().finally(() => {
      this.#making = null;
    });
    return this.#making;
  };

  /** Ends the thread, if there is one. Whoever waits for a certificate then gets none. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#thread?.terminate();
  }

  async #make(): Promise<SecureContext | null> {
    const { hostname, log, now } = this.#options;
    try {
      this.#context = secureContextOf(await this.#runThread({ hostname, now: now() }));
    } catch (error) {
      if (this.#isClosed) return null;
      this.#triesAgainAt = now() + PAUSE_MS;
      log.error({ err: error }, 'The self-signed certificate could not be made, so STARTTLS is refused.');
    }
    return this.#context;
  }

  async #runThread(task: CertificateTask): Promise<TlsIdentity> {
    const thread = new Worker(new URL('./certificate-thread.js', import.meta.url), {
      workerData: task,
      resourceLimits: { maxOldGenerationSizeMb: THREAD_HEAP_MB },
    });
    this.#thread = thread;
    const timer = setTimeout(() => thread.terminate(), THREAD_TIMEOUT_MS);
    try {
      return await new Promise((resolve, reject) => {
        thread.once('message', resolve);
        thread.once('error', reject);
        thread.once('exit', () => reject(new Error('The thread ended before it had made a certificate.')));
      });
    } finally {
      clearTimeout(timer);
    }
  }
}
