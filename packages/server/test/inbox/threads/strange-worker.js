// A parser thread that misbehaves as a message requests. The real thread would do so only because of a bug.
import { threadId } from 'node:worker_threads';
import { serveTasks } from '../../../dist/inbox/threads/tasks.js';

function hang() {
  new BroadcastChannel('strange').postMessage('hangs');
  for (;;);
}

/** Uses CPU time until the result is certainly overdue. */
function dawdle() {
  for (const startedAt = performance.now(); performance.now() - startedAt < 5; );
}

serveTasks({
  ingest(raw) {
    const text = Buffer.from(raw).toString('latin1', 0, 20);
    if (text.startsWith('exit')) process.exit(1);
    if (text.startsWith('hang')) hang();
    if (text.startsWith('slow')) dawdle();
    if (text.startsWith('all of')) return [Buffer.from(raw), Buffer.from(''), Buffer.from('')];
    if (text.startsWith('no error')) throw 'This is no error.';
    if (text.startsWith('heap')) for (const held = []; ; ) held.push(Array(1_000_000).fill(held));
    if (text.startsWith('throw')) throw new TypeError('This message cannot be read.');
    // Waits until the test changes the message's first byte in shared memory. The second byte reports the wait.
    if (text.startsWith('gate')) Atomics.store(raw, 1, 0);
    if (text.startsWith('gate')) while (Atomics.load(raw, 0) === 'g'.charCodeAt(0));
    const summary = Buffer.from('');
    if (text.startsWith('gate') || text.startsWith('which')) {
      return [Buffer.from(`${threadId}`), Buffer.from(''), summary];
    }
    return [Buffer.from(`index of ${text}`), Buffer.from(`record of ${text}`), summary];
  },
});
