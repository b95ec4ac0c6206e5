/** In place of src/wait/real-time.ts, for tests that move the time of the client itself: that of the platform as it is now. */
export const setTimeout: typeof globalThis.setTimeout = ((...timer: Parameters<typeof globalThis.setTimeout>) =>
  globalThis.setTimeout(...timer)) as typeof globalThis.setTimeout;

export function clearTimeout(timer: NodeJS.Timeout | undefined): void {
  globalThis.clearTimeout(timer);
}

export const now = (): number => performance.now();
