import type { RunTest } from 'mayfly-client';
import { useState } from 'preact/hooks';
import { readRun } from '../service.js';
import { repeat, useUntil } from '../ui/until.js';

/** The interval between reads of a run, and the time added to it for each page of the run. */
const PERIOD_MS = 2_000;
const PERIOD_OF_PAGE_MS = 500;

const MAX_TESTS = 5_000;

export interface KnownRun {
  readonly tests: readonly RunTest[];
  readonly retentionMs: number;
  /** `partial` until all tests are read, and `gone` once the service no longer has the run that the page shows. */
  readonly state: 'partial' | 'whole' | 'gone';
}

/** Reads a run again and again. The same tests stay the same objects until one of them changes. */
export function useRun(secret: string) {
  const [run, setRun] = useState<KnownRun | null>(null);
  const [error, setError] = useState<Error | null>(null);
  useUntil([secret], (signal) => {
    let known = '';
    const show = (next: KnownRun) => {
      const written = JSON.stringify(next);
      if (written !== known && !signal.aborted) setRun(next);
      known = written;
    };
    const showFirst = (first: KnownRun) => known === '' && show(first);
    repeat(signal, async () => {
      try {
        const { pages, ...whole } = await wholeRun(secret, signal, showFirst);
        // A run that the service forgets stays on the page.
        if (whole.tests.length > 0 || known === '') show(whole);
        else {
          // Another node may still have the run, and answer the next read.
          known = 'gone';
          setRun((last) => last && { ...last, state: last.tests.length > 0 ? 'gone' : 'whole' });
        }
        setError(null);
        return PERIOD_MS + PERIOD_OF_PAGE_MS * pages;
      } catch (reason) {
        if (!signal.aborted) setError(reason as Error);
        return PERIOD_MS;
      }
    });
  });
  return { run, error };
}

async function wholeRun(secret: string, signal: AbortSignal, onFirst: (first: KnownRun) => void) {
  const tests: RunTest[] = [];
  for (let from = 0, pages = 1; ; pages += 1) {
    const { tests: read, retentionMs, next } = await readRun(secret, from, signal);
    tests.push(...read);
    if (next === null || tests.length >= MAX_TESTS) return { tests, retentionMs, state: 'whole' as const, pages };
    if (pages === 1) onFirst({ tests: [...tests], retentionMs, state: 'partial' });
    from = next;
  }
}
