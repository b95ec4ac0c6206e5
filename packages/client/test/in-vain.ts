import { expect } from 'vitest';

/** Shortest and longest timeout to try, on an idle and on a very busy machine. */
const SHORTEST_MS = 1_000;
const LONGEST_MS = 32_000;

/**
 * Runs a wait until it times out. Doubles the timeout if the machine was too busy for the expected error, which
 * `expected` reports by throwing.
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

/** Runs a wait until it times out with an error that contains this text. */
export function saysInVain(wait: (timeout: number) => Promise<unknown>, said: string | RegExp): Promise<void> {
  return inVain(wait, ({ message }) =>
    typeof said === 'string' ? expect(message).toContain(said) : expect(message).toMatch(said),
  );
}
