declare module 'vitest' {
  interface TaskMeta {
    /** The missing needs of a skipped test, each with how to meet it. */
    missing?: string[];
    /** Another reason why the test is skipped. */
    leftOut?: string;
  }
}

export interface Skipping {
  skip?: true;
  meta?: { missing?: string[]; leftOut?: string };
}

/** The path of a browser, or null. */
export const CHROMIUM: string | null;

export const LIGHT_CHROMIUM: string | null;

export const VALKEY: string | null;

/** Options that skip a test or a group if a need is missing. */
export function needs(...names: readonly string[]): Skipping;

/** Options that skip a test for another reason. */
export function skipUnless(isRun: boolean, reason: string): Skipping;
