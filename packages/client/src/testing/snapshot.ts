import type { MatcherResult } from '../wait/matched-email.js';

/** As much as is used of the `expect` of Playwright, Vitest or Jest. */
export interface SnapshotExpect {
  (text: string): { toMatchSnapshot(): void };
  getState?(): unknown;
  setState?(state: { assertionCalls: number }): void;
}

interface Mismatch {
  readonly message: string;
  /** What Vitest shows the difference of. */
  readonly actual?: unknown;
  readonly expected?: unknown;
}

/** Has a runner compare a text with its snapshot, or write one as it is set up to. */
export function snapshotResult(expect: SnapshotExpect, text: string): MatcherResult {
  const { assertionCalls } = (expect.getState?.() ?? {}) as { assertionCalls?: number };
  try {
    expect(text).toMatchSnapshot();
    return { pass: true, message: () => '' };
  } catch (error) {
    const { message, actual, expected } = error as Mismatch;
    return Object.assign({ pass: false, message: () => message }, { actual, expected });
  } finally {
    // A test that counts its assertions has written one.
    if (assertionCalls !== undefined) expect.setState?.({ assertionCalls });
  }
}
