import { PROGRESS_MS } from './bounds.js';

/** Reports the elapsed seconds of a call to the host. */
export type Report = (waitedSeconds: number, ofSeconds: number, message: string) => void;

/**
 * Reports progress every few seconds to a host that requested it. Some hosts restart their timeout with each report.
 */
export class Progress {
  readonly #timer: ReturnType<typeof setInterval> | null;

  constructor(report: Report | null, ofSeconds: number) {
    const startedAt = performance.now();
    const tell = (report: Report) => {
      const waited = Math.min(Math.round((performance.now() - startedAt) / 1000), ofSeconds);
      report(waited, ofSeconds, `Waited ${waited} of ${ofSeconds} s for the email.`);
    };
    this.#timer = report === null ? null : setInterval(tell, PROGRESS_MS, report);
  }

  end(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
  }
}
