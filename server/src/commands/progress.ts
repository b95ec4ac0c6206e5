/** How often the line is written anew. */
const TICK_MS = 1_000;

/** Takes the line away again: back to its beginning, and cleared to its end (ECMA-48: CR, EL). */
const CLEAR_LINE = '\r\u001b[K';

/**
 * Shows on a terminal what is waited for and for how many seconds, from the first second on and until it comes; nothing where
 * standard error is no terminal. Resolves and rejects as what is waited for does.
 */
export async function whileWaiting<T>(what: string, waiting: Promise<T>): Promise<T> {
  if (process.stderr.isTTY !== true) return waiting;
  const begin = performance.now();
  const timer = setInterval(() => {
    const seconds = Math.round((performance.now() - begin) / TICK_MS);
    process.stderr.write(`${CLEAR_LINE}${what}: ${seconds} s`);
  }, TICK_MS);
  try {
    return await waiting;
  } finally {
    clearInterval(timer);
    process.stderr.write(CLEAR_LINE);
  }
}
