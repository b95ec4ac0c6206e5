import { PROGRESS_MS } from './bounds.js';

/** Reports to the host how many seconds a call has taken, and how many it may take. */
export type Report = (waitedSeconds: number, ofSeconds: number, message: string) => void;

/** Reports every few seconds, because some hosts restart their timeout at each report. Returns a stop function. */
export function reportProgress(report: Report, ofSeconds: number): () => void {
  const startedAt = performance.now();
  const timer = setInterval(() => {
    const waited = Math.min(Math.round((performance.now() - startedAt) / 1000), ofSeconds);
    report(waited, ofSeconds, `Waited ${waited} of ${ofSeconds} s for the email.`);
  }, PROGRESS_MS);
  return () => clearInterval(timer);
}
