/** Why a test is skipped: its missing needs, each with how to meet it, or another reason. */
interface Reasons {
  missing?: string[];
  leftOut?: string;
}

declare module 'vitest' {
  interface TaskMeta extends Reasons {}
}

interface Skipping {
  skip?: true;
  meta?: Reasons;
}

/** Paths of programs. */
export const CHROMIUM: string | null;
export const LIGHT_CHROMIUM: string | null;
export const VALKEY: string | null;

export function needs(...names: readonly string[]): Skipping;
export function skipUnless(isRun: boolean, reason: string): Skipping;
