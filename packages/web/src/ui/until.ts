import { useEffect } from 'preact/hooks';

/** Runs an effect with a signal, which is aborted when the inputs change, or by `end`. */
export function useUntil(inputs: readonly unknown[], begin: (signal: AbortSignal, end: () => void) => unknown): void {
  useEffect(() => {
    const controller = new AbortController();
    begin(controller.signal, () => controller.abort());
    return () => controller.abort();
  }, inputs);
}

/** Resolves after a delay. Rejects when the signal is aborted. */
export function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      if (signal.aborted) reject(signal.reason);
      else resolve();
    };
    const timer = setTimeout(end, delayMs);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
}

export function later(delayMs: number, signal: AbortSignal, act: () => void): void {
  pause(delayMs, signal).then(act, () => {});
}

const HIDDEN_MS = 2_000;

/** While the page is visible, runs `look` again and again. `look` resolves to the pause before its next run. */
export async function repeat(signal: AbortSignal, look: () => Promise<number>): Promise<void> {
  while (!signal.aborted) await pause(document.hidden ? HIDDEN_MS : await look(), signal).catch(() => {});
}
