import { PROGRESS_MS } from './bounds.js';

/** Tells the host how many seconds of a call have passed. */
export type Report = (waitedSeconds: number, ofSeconds: number, message: string) => void;

/**
 * Tells a host that has asked for it, every few seconds, that a wait goes on: some count their patience from the last
 * they heard.
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
