/** Replaces src/wait/real-time.ts in tests that fake the client's own timers. */
export const setTimeout: typeof globalThis.setTimeout = ((...timer: Parameters<typeof globalThis.setTimeout>) =>
  globalThis.setTimeout(...timer)) as typeof globalThis.setTimeout;

export function clearTimeout(timer: NodeJS.Timeout | undefined): void {
  globalThis.clearTimeout(timer);
}

export const now = (): number => performance.now();
