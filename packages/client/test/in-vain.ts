import { expect } from 'vitest';

/** The first timeout to try, for an idle machine, and the last one, for a very busy machine. */
const SHORTEST_MS = 1_000;
const LONGEST_MS = 32_000;

/**
 * Runs a wait until it times out, and passes the error to `expected`. If `expected` throws, runs the wait again with
 * twice the timeout, because the machine may have been too busy.
 */
export async function inVain(
  wait: (timeout: number) => Promise<unknown>,
  // biome-ignore lint/suspicious/noExplicitAny: tests read fields of different errors
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
