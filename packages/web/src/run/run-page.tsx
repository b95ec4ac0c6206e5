import { MayflyAuthError, type RunResponse, type RunTest } from 'mayfly-client';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { useApiKey } from '../api-key.js';
import { wordsFor } from '../problem-words.js';
import { Service } from '../service.js';
import { ApiKeyForm } from '../ui/field.js';
import { Mark } from '../ui/icon.js';
import { repeat, useUntil } from '../ui/until.js';
import { TestRow } from './test-row.js';

/** How often a run is read again, and how much longer that takes for each page of it. */
const PERIOD_MS = 2_000;
const PERIOD_OF_PAGE_MS = 500;

/** Most tests that are shown. */
const MAX_TESTS = 5_000;

/** A run as far as it is known. */
interface KnownRun extends Pick<RunResponse, 'counts' | 'node' | 'now' | 'retentionMs'> {
  readonly tests: readonly RunTest[];
}

/** `/run/SECRET`: the tests of a run, and all mail that came to them. */
export function RunPage({ secret }: { secret: string }) {
  const [apiKey, setApiKey] = useApiKey();
  const service = useMemo(() => new Service(apiKey), [apiKey]);
  const { run, error } = useRun(service, secret);
  useEffect(() => {
    document.title = run === null ? 'Run – Mayfly' : `${run.counts.failed} failed – run – Mayfly`;
  }, [run]);
  const needsKey = error instanceof MayflyAuthError || run?.tests.some(isLocked);
  return (
    <main class="run">
      <header class="home-head">
        <a href="/" aria-label="Mayfly, start page">
          <Mark />
        </a>
        <h1>Run of tests</h1>
      </header>
      {error !== null && (
        <p class="problem" role="alert">
          {wordsFor(error)}
        </p>
      )}
      {needsKey && <ApiKeyForm apiKey={apiKey} onApiKey={setApiKey} />}
      {run !== null && (run.tests.length === 0 ? <Nothing /> : <Tests run={run} />)}
    </main>
  );
}

function isLocked({ inboxes }: RunTest): boolean {
  return inboxes.some(({ hidden }) => hidden === 'key-needed');
}

function Nothing() {
  return <p class="hint">No test of this run has used an inbox yet, or the run is forgotten with its mail.</p>;
}

function Tests({ run }: { run: KnownRun }) {
  const [isFailedOnly, setFailedOnly] = useState(false);
  const { counts, tests, retentionMs } = run;
  const chosen = location.hash.slice(1);
  useEffect(() => document.getElementById(chosen)?.scrollIntoView({ block: 'center' }), [chosen]);
  const shown = isFailedOnly ? tests.filter(({ outcome }) => outcome === 'failed') : tests;
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const without = tests.filter(hasNothing).length;
  const parts = Object.entries(counts).flatMap(([outcome, count]) => (count > 0 ? `${count} ${outcome}` : []));
  return (
    <>
      <p role="status">
        {total === 1 ? '1 test' : `${total} tests`}: {parts.join(', ')}.{without > 0 && ` No email came to ${without}.`}
        {tests.length < total && ` The first ${tests.length} are shown.`}
      </p>
      <label class="switch">
        <input
          type="checkbox"
          checked={isFailedOnly}
          onChange={({ currentTarget }) => setFailedOnly(currentTarget.checked)}
        />
        Failed only
      </label>
      {shown.length === 0 && <p class="hint">No test has failed{counts.running > 0 && ' yet'}.</p>}
      <table class="run-tests" hidden={shown.length === 0}>
        <thead>
          <tr>
            <th scope="col">Outcome</th>
            <th scope="col">Test</th>
            <th scope="col">Mail</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((test) => (
            <TestRow
              key={test.id}
              test={test}
              isChosen={test.id === chosen}
              isPast={Date.parse(test.begunAt) + retentionMs < Date.parse(run.now)}
            />
          ))}
        </tbody>
      </table>
    </>
  );
}

function hasNothing({ inboxes, outcome }: RunTest): boolean {
  return outcome !== 'running' && inboxes.length > 0 && inboxes.every(({ emails }) => emails?.length === 0);
}

/** Reads a run, again and again while the page is seen: null until it has come, and why it could not be read last. */
function useRun(service: Service, secret: string): { readonly run: KnownRun | null; readonly error: Error | null } {
  const [run, setRun] = useState<KnownRun | null>(null);
  const [error, setError] = useState<Error | null>(null);
  useUntil([service, secret], (signal) =>
    repeat(signal, async () => {
      if (document.hidden) return PERIOD_MS + PERIOD_OF_PAGE_MS;
      try {
        const { pages, ...whole } = await wholeRun(service, secret, signal);
        setRun(whole);
        setError(null);
        return PERIOD_MS + PERIOD_OF_PAGE_MS * pages;
      } catch (reason) {
        if (!signal.aborted) setError(reason as Error);
        return PERIOD_MS + PERIOD_OF_PAGE_MS;
      }
    }),
  );
  return { run, error };
}

async function wholeRun(service: Service, secret: string, signal: AbortSignal): Promise<KnownRun & { pages: number }> {
  const tests: RunTest[] = [];
  for (let from = 0, pages = 1; ; pages += 1) {
    const page = await service.run(secret, from, signal);
    tests.push(...page.tests);
    if (page.next === null || tests.length >= MAX_TESTS) return { ...page, tests, pages };
    from = page.next;
  }
}
