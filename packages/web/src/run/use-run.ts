import type { RunResponse, RunTest } from 'mayfly-client';
import { useEffect, useState } from 'preact/hooks';
import type { Service } from '../service.js';

/** How often a run is read again, and how much longer that takes for each page of it. */
const PERIOD_MS = 2_000;
const PERIOD_OF_PAGE_MS = 500;

/** Most tests that are shown. */
const MAX_TESTS = 5_000;

/** A run as far as it is known. */
export interface KnownRun extends Pick<RunResponse, 'counts' | 'node' | 'now' | 'retentionMs'> {
  readonly tests: readonly RunTest[];
}

export interface RunAnswer {
  /** Null until it has come. */
  readonly run: KnownRun | null;
  /** Why it could not be read the last time. */
  readonly error: Error | null;
}

/** Reads a run, again and again while the page is seen. */
export function useRun(service: Service, secret: string): RunAnswer {
  const [answer, setAnswer] = useState<RunAnswer>({ run: null, error: null });
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    let timer: ReturnType<typeof setTimeout>;
    const look = async () => {
      let pages = 1;
      try {
        if (!document.hidden) {
          const { run, count } = await wholeRun(service, secret, signal);
          pages = count;
          setAnswer({ run, error: null });
        }
      } catch (error) {
        if (signal.aborted) return;
        setAnswer(({ run }) => ({ run, error: error as Error }));
      }
      timer = setTimeout(look, PERIOD_MS + PERIOD_OF_PAGE_MS * pages);
    };
    look();
    return () => {
      leaving.abort();
      clearTimeout(timer);
    };
  }, [service, secret]);
  return answer;
}

async function wholeRun(
  service: Service,
  secret: string,
  signal: AbortSignal,
): Promise<{ run: KnownRun; count: number }> {
  const tests: RunTest[] = [];
  for (let from = 0, count = 1; ; count += 1) {
    const page = await service.run(secret, from, signal);
    tests.push(...page.tests);
    if (page.next === null || tests.length >= MAX_TESTS) return { run: { ...page, tests }, count };
    from = page.next;
  }
}
