import { parentPort, workerData } from 'node:worker_threads';
import { selfSigned } from './certificate.js';

/** What the thread is to make a certificate for. */
export interface CertificateTask {
  readonly hostname: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

// Runs in a worker thread (see own-certificate.ts): makes one certificate, and ends.
const { hostname, now } = workerData as CertificateTask;
// A failure ends the thread with it.
void selfSigned(hostname, now).then((certificate) => parentPort?.postMessage(certificate));
