const TICK_MS = 1_000;
/** Control sequences of ECMA-48: CR, EL. */
const CLEAR_LINE = '\r\u001b[K';
const STANDARD_COLUMNS = 80;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** On a terminal, shows what the command waits for and the elapsed seconds, until the wait or the process ends. */
export async function whileWaiting<T>(what: string, waiting: Promise<T>): Promise<T> {
  if (process.stderr.isTTY !== true) return waiting;
  const begin = performance.now();
  const timer = setInterval(() => {
    const seconds = Math.round((performance.now() - begin) / TICK_MS);
    process.stderr.write(`${CLEAR_LINE}${withinLine(what, `: ${seconds} s`)}`);
  }, TICK_MS);
  for (const signal of SIGNALS) process.once(signal, endCleanly);
  try {
    return await waiting;
  } finally {
    clearInterval(timer);
    for (const signal of SIGNALS) process.off(signal, endCleanly);
    process.stderr.write(CLEAR_LINE);
  }
}

/** Truncates `text` so that `text` and `end` fit on one line, because a terminal can erase only one line. */
function withinLine(text: string, end: string): string {
  const room = (process.stderr.columns || STANDARD_COLUMNS) - 1 - end.length;
  return (text.length > room ? `${text.slice(0, Math.max(room - 1, 0))}…` : text) + end;
}

/** Erases the line and ends the process by the signal, so that a shell sees the signal as the cause. */
function endCleanly(signal: NodeJS.Signals): void {
  process.stderr.write(CLEAR_LINE);
  process.kill(process.pid, signal);
}
