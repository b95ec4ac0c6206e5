import type { Clock } from '../base/clock.js';
import type { TlsIdentity } from './certificate.js';

/**
 * How often the files are looked at. They are read and compared, not watched by the system: it tells of a file's own changes, and
 * not that a link on the way to it leads elsewhere now, as certbot and Kubernetes have it, nor of anything on a network's disk.
 */
export const CHECK_MS = 2_000;

export interface RenewalOptions {
  readonly used: TlsIdentity;
  /** Reads both files. Rejects with a sentence when one cannot be read. */
  read(): Promise<TlsIdentity>;
  /** Uses a pair from now on. Throws a sentence when it cannot be used. */
  use(pair: TlsIdentity): void;
  readonly clock: Pick<Clock, 'after'>;
  readonly log: { info(message: string): void; warn(message: string): void };
}

/**
 * Looks from time to time whether a certificate was renewed, and has it used. Both files are read together; while they cannot be
 * used, because one is there before the other or is half written, what was used before stays. Only what is still wrong at the next
 * look is told, and once.
 */
export function watchCertificate({ used, read, use, clock, log }: RenewalOptions): Renewal {
  let current = used;
  let fault: string | null = null;
  let told: string | null = null;
  let cancel = () => {};
  let isStopped = false;
  let looking = Promise.resolve();

  const look = async () => {
    try {
      const pair = await read();
      if (isStopped) return;
      const isNew = pair.cert !== current.cert || pair.key !== current.key;
      if (isNew) use(pair);
      current = pair;
      fault = null;
      told = null;
      if (isNew) log.info('The TLS certificate was renewed: new connections use the new one.');
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (reason === fault && reason !== told) {
        log.warn(`The TLS certificate was not renewed; the previous one stays in use: ${reason}`);
        told = reason;
      }
      fault = reason;
    }
  };
  const schedule = () => {
    if (isStopped) return;
    cancel = clock.after(CHECK_MS, () => {
      looking = look().then(schedule);
    });
  };
  schedule();
  return {
    async stop() {
      isStopped = true;
      cancel();
      await looking;
    },
  };
}

export interface Renewal {
  /** Resolves when a look that is under way is over; no other follows. */
  stop(): Promise<void>;
}
