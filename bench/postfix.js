// Postfix's test programs: smtp-source sends as fast as it can, and smtp-sink discards what it receives.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { endProgram, freePort, runProgram, startProgram, whenListening } from './programs.js';

const DEBIAN_PACKAGE = { debianPackage: 'postfix' };

const BACKLOG = '256';

/** Parallel sessions of smtp-source, the same in all comparisons. */
export const SENDERS = 20;

/** Starts smtp-sink on a free port and resolves to `{ host, smtpPort, pid, stop() }`. */
export async function startSink() {
  const smtpPort = await freePort();
  // If started by root, smtp-sink requires a user to run as.
  const user = process.getuid() === 0 ? ['-u', 'nobody'] : [];
  const child = await startProgram('smtp-sink', [...user, `127.0.0.1:${smtpPort}`, BACKLOG], DEBIAN_PACKAGE);
  await whenListening(child, smtpPort);
  return { host: '127.0.0.1', smtpPort, pid: child.pid, stop: () => endProgram(child) };
}

/** Writes a message into a file, from which smtp-source reads it. `remove()` deletes the file. */
export function mailFile(mail) {
  const folder = mkdtempSync(path.join(tmpdir(), 'mayfly-bench-mail-'));
  const file = path.join(folder, 'mail.eml');
  writeFileSync(file, mail.toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
  return { file, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/**
 * Sends a message `mails` times, `SENDERS` at a time, over one connection per message or over persistent connections.
 * Resolves to the messages per second. The first message goes to `1NAME@inbox.example.com`, the second to `2NAME@…`.
 * Rejects when the server refuses a message.
 */
export async function sendMails({ host, smtpPort }, { file, mails, isPersistent, name }) {
  const how = ['-s', String(SENDERS), '-m', String(mails), '-N', '-F', file, ...(isPersistent ? ['-d'] : [])];
  const who = ['-f', 'app@bench.test', '-t', `${name}@inbox.example.com`];
  const startedAt = performance.now();
  await runProgram('smtp-source', [...how, ...who, `${host}:${smtpPort}`], DEBIAN_PACKAGE);
  return (mails * 1000) / (performance.now() - startedAt);
}
