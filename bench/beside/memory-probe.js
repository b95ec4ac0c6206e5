// Preloaded into a server (`node --expose-gc --import`): tells its memory after a collection whenever it is sent a
// message.
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** Closed connections are released over several turns, so there are several collections. */
const COLLECTIONS = 4;
const BETWEEN_MS = 50;

process.on('message', async () => {
  for (let n = 0; n < COLLECTIONS; n++) {
    globalThis.gc();
    await delay(BETWEEN_MS);
  }
  const { heapUsed, external } = process.memoryUsage();
  const [, kb] = /RssAnon:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'));
  process.send({ residentBytes: Number(kb) * 1024, heapBytes: heapUsed + external });
});
// The probe keeps no process from ending.
process.channel.unref();
