import { useEffect } from 'preact/hooks';

/** An effect that lasts until its signal is aborted: what listens, asks or waits takes the signal. `end` does it early. */
export function useUntil(inputs: readonly unknown[], begin: (signal: AbortSignal, end: () => void) => unknown): void {
  useEffect(() => {
    const controller = new AbortController();
    begin(controller.signal, () => controller.abort());
    return () => controller.abort();
  }, inputs);
}

/** Resolves after a time; rejects when the signal is aborted. */
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

/** Does something once a time has passed. */
export function later(delayMs: number, signal: AbortSignal, act: () => void): void {
  pause(delayMs, signal).then(act, () => {});
}

/** Does something again and again: each time resolves to how long it is until the next. */
export async function repeat(signal: AbortSignal, look: () => Promise<number>): Promise<void> {
  while (!signal.aborted) await pause(await look(), signal).catch(() => {});
}
