// The service that is attacked, and the mail in it.
import { fillSmallInbox, measure } from './load.js';
import { fillSharedInboxes } from './preparation.js';
import { startService } from './service.js';

/** What the measuring itself needs before its times count: compiled code and open files. */
const WARM_UP_MS = 500;

/**
 * The service that the attacks are made on, one at a time: a new one when the flags are others or the last one is lost.
 */
export class Stage {
  #isShort;
  #service = null;
  #flags;

  constructor({ isShort }) {
    this.#isShort = isShort;
  }

  /** Resolves to the service with these flags; one without flags has the inboxes that attacks share. */
  async enter(flags = []) {
    if (this.#service !== null && !this.#service.hasEnded && String(flags) === this.#flags) return this.#service;
    await this.leave();
    this.#flags = String(flags);
    this.#service = await startService(flags);
    await fillSmallInbox(this.#service);
    if (flags.length === 0) await fillSharedInboxes(this.#service, { isShort: this.#isShort });
    await measure(this.#service, WARM_UP_MS);
    return this.#service;
  }

  /** How other clients fare without an attack, and `cpuShare`, the part of one processor that serving them takes. */
  async idle(durationMs) {
    const service = await this.enter();
    const [cpuBefore, startedAt] = [service.cpuMs(), performance.now()];
    const seen = await measure(service, durationMs);
    return { ...seen, cpuShare: (service.cpuMs() - cpuBefore) / (performance.now() - startedAt) };
  }

  async leave() {
    await this.#service?.stop();
    this.#service = null;
  }
}
