import { expect } from 'vitest';

/** How long a wait in vain lasts where a machine is quiet, and where it is as busy as can be. */
const SHORTEST_MS = 1_000;
const LONGEST_MS = 32_000;

/**
 * Waits in vain, and again twice as long where the machine was too busy for what the error has to say: `expected` throws as long as it
 * does not.
 */
export async function inVain(
  wait: (timeout: number) => Promise<unknown>,
  // biome-ignore lint/suspicious/noExplicitAny: an error with whatever the test looks at
  expected: (error: any, timeout: number) => unknown,
): Promise<void> {
  for (let timeout = SHORTEST_MS; ; timeout *= 2) {
    const error = await wait(timeout).then(
      (value) => new Error(`This came: ${value}`),
      (reason) => reason,
    );
    try {
      await expected(error, timeout);
      return;
    } catch (wrong) {
      if (timeout >= LONGEST_MS) throw wrong;
    }
  }
}

/** The same, until the error says this. */
export function saysInVain(wait: (timeout: number) => Promise<unknown>, said: string | RegExp): Promise<void> {
  return inVain(wait, ({ message }) =>
    typeof said === 'string' ? expect(message).toContain(said) : expect(message).toMatch(said),
  );
}
