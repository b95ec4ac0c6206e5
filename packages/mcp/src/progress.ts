import { PROGRESS_MS } from './bounds.js';

/** Tells the host how many seconds a call has taken. */
export type Report = (waitedSeconds: number, ofSeconds: number, message: string) => void;

/** Reports every few seconds, because some hosts restart their timeout with each report. Returns a function that stops. */
export function reportProgress(report: Report, ofSeconds: number): () => void {
  const startedAt = performance.now();
  const timer = setInterval(() => {
    const waited = Math.min(Math.round((performance.now() - startedAt) / 1000), ofSeconds);
    report(waited, ofSeconds, `Waited ${waited} of ${ofSeconds} s for the email.`);
  }, PROGRESS_MS);
  return () => clearInterval(timer);
}
