import { MayflyAuthError } from 'mayfly-client';
import { countsOf, type ShownTest, testsOf } from 'mayfly-protocol/run-tests';
import { useEffect, useMemo } from 'preact/hooks';
import { Notice } from '../inbox/notices.js';
import { useSettings } from '../settings.js';
import { remember } from '../storage.js';
import { Problem } from '../ui/announce.js';
import { ApiKeyForm } from '../ui/field.js';
import { plural } from '../ui/time.js';
import { Toolbar } from '../ui/toolbar.js';
import { Report } from './report.js';
import { type KnownRun, useRun } from './use-run.js';

/** The page at `/run/SECRET` shows the tests of a run, and their mail. */
export function RunPage({ secret }: { secret: string }) {
  const { run, error } = useRun(secret);
  const { settings } = useSettings();
  useEffect(() => remember('runs', secret), [secret]);
  const tests = useMemo(() => testsOf(run?.tests ?? []), [run?.tests]);
  const counts = Object.fromEntries(countsOf(tests));
  const failed = counts.failed ?? 0;
  useEffect(() => {
    document.title = tests.length === 0 ? 'Run – Mayfly' : `${failed} failed – run – Mayfly`;
  }, [tests]);
  const isLocked = run?.tests.some(({ inboxes }) => inboxes.some(({ hidden }) => hidden === 'key-needed')) === true;
  const isReady = run !== null && settings !== null && tests.length > 0;
  return (
    <div class="inbox">
      <Toolbar title="Test run">
        <p class="run-state cut soft text-14 digits" role="status">
          {run !== null && statusOf(tests, run)}
        </p>
      </Toolbar>
      {(error !== null || isLocked) && (
        <div class="run-notice stack">
          {error !== null && <Problem error={error} isPassing={run !== null} />}
          {(isLocked || error instanceof MayflyAuthError) && <ApiKeyForm />}
        </div>
      )}
      {isReady && <Report {...{ run, tests }} />}
      {!isReady && error === null && (run === null || tests.length > 0) && <main class="wait">Opening the run…</main>}
      {run !== null && tests.length === 0 && (
        <Notice title="No test yet" isWaiting>
          <p>
            No test of this run has used an inbox or failed yet. If the run is over, its report has expired, or the link
            is not the one that the run has printed.
          </p>
        </Notice>
      )}
    </div>
  );
}

function statusOf(tests: readonly ShownTest[], { state }: KnownRun): string {
  const counts = Object.fromEntries(countsOf(tests));
  if (state === 'gone') return 'Expired';
  if (state === 'partial') return 'Reading the tests…';
  if (tests.length === 0) return '';
  const running = counts.running === undefined ? '' : `, ${counts.running} still running`;
  return `${counts.failed ?? 0} of ${plural(tests.length, 'test')} failed${running}`;
}
