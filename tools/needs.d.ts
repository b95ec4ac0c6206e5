declare module 'vitest' {
  interface TaskMeta {
    /** What a skipped test needs, and how to get it. */
    missing?: string[];
    /** Why a test is left out although nothing is missing. */
    leftOut?: string;
  }
}

/** Options of a test that may be skipped. */
export interface Skipping {
  skip?: true;
  meta?: { missing?: string[]; leftOut?: string };
}

/** The file of Chromium; null where there is none. */
export const CHROMIUM: string | null;

/** The one without windows and extensions, which shows the same pages in less than half the processor time. */
export const LIGHT_CHROMIUM: string | null;

/** The program of a Valkey server; null where there is none. */
export const VALKEY: string | null;

/** Options of a test, or of a group of tests, that needs all of these. Skips it where one is missing. */
export function needs(...names: readonly string[]): Skipping;

/** Options of a test that this machine, or this command, leaves out for another reason. */
export function skipUnless(isRun: boolean, reason: string): Skipping;
