// What a fresh server costs until it has shown a first mail, and by the mail after that: ours, another build of ours,
// or a peer, all measured alike.
import { setTimeout as delay } from 'node:timers/promises';
import { fineCpuMsOf, memoryMbOf } from './cpu.js';
import { KeptConnection } from './keep-alive.js';
import { deliver } from './smtp.js';

/** How long a first mail may take, and how often it is looked whether it is there. */
const PATIENCE_MS = 30_000;
const LOOK_EVERY_MS = 1;

/** A server finishes its work after a start before its memory is measured. */
const IDLE_MS = 3_000;

/** How many mails come after the first one, one after the other, and are counted together. */
export const STRETCHES = [20, 80, 400];

/**
 * Measures a server from its start. `start()` resolves to it as soon as it listens:
 * `{ pid, host, smtpPort, httpPort, path, stop() }`, where `path` has `{inbox}` in the place of an inbox's name and
 * answers with the mail's `code`. Resolves to milliseconds until the server listens (`listens`), until the first mail
 * is in hand (`inHand`), processor time by then (`inHandCpu`), the memory when it is idle after that (`idle`, as
 * `memoryMbOf` says), and the processor time of a mail in each of `STRETCHES` (`stretches`).
 */
export async function coldRun(start, sample) {
  const { server, ...first } = await untilInHand(start, sample);
  try {
    await delay(IDLE_MS);
    const idle = memoryMbOf(server.pid);
    const stretches = [];
    for (const [stretch, mails] of STRETCHES.entries()) {
      const before = fineCpuMsOf(server.pid);
      for (let n = 0; n < mails; n++) await deliver(server, sample.mail, [`cold-${stretch}-${n}@inbox.example.com`]);
      stretches.push((fineCpuMsOf(server.pid) - before) / mails);
    }
    return { ...first, idle, stretches };
  } finally {
    await server.stop();
  }
}

/** Only `listens`, `inHand` and `inHandCpu` of that. */
export async function coldStart(start, sample) {
  const { server, ...first } = await untilInHand(start, sample);
  await server.stop();
  return first;
}

async function untilInHand(start, { mail, code }) {
  const startedAt = performance.now();
  const server = await start();
  try {
    const listens = performance.now() - startedAt;
    await deliver(server, mail, ['cold@inbox.example.com']);
    await untilShown(server, 'cold', code);
    return { server, listens, inHand: performance.now() - startedAt, inHandCpu: fineCpuMsOf(server.pid) };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function untilShown(server, inbox, code) {
  const connection = new KeptConnection(server);
  const startedAt = performance.now();
  try {
    while (performance.now() - startedAt < PATIENCE_MS) {
      const { body } = await connection.get(server.path.replaceAll('{inbox}', inbox));
      if (body.includes(code)) return;
      await delay(LOOK_EVERY_MS);
    }
  } finally {
    connection.close();
  }
  throw new Error(`a mail did not appear at ${server.path}`);
}
