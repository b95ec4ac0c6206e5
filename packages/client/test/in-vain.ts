import { expect } from 'vitest';

/** Duration of a wait that times out, on a quiet machine and on the busiest one. */
const SHORTEST_MS = 1_000;
const LONGEST_MS = 32_000;

/**
 * Waits until it times out, and again for twice as long if the machine was too busy for the expected error: `expected`
 * throws in that case.
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
