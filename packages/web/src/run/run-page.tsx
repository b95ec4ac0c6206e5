import { MayflyAuthError } from 'mayfly-client';
import { outcomeIn, outcomesOf, reportOf } from 'mayfly-protocol/run-report';
import { countsOf, isMatch, type ShownTest, testsOf } from 'mayfly-protocol/run-tests';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { UndoBar } from '../inbox/deletion.js';
import { OpenedMail } from '../inbox/mails.js';
import { Notice } from '../inbox/notices.js';
import { pagePath } from '../service.js';
import { useKnown, useSettings } from '../settings.js';
import { remember } from '../storage.js';
import { Problem } from '../ui/announce.js';
import { ApiKeyForm, SearchCount, SearchField } from '../ui/field.js';
import { plural, useNow } from '../ui/time.js';
import { Toolbar } from '../ui/toolbar.js';
import { later, useUntil } from '../ui/until.js';
import { Line } from '../ui/visible.js';
import { MAX_LENGTH, placeNow, useQuery, useScrollPlace } from '../url.js';
import { drawn } from './drawn.js';
import { useMailOfRun } from './use-mail-of-run.js';
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
        <p class="run-state grow cut soft text-14 digits" role="status">
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
        <Notice title="No test yet">
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

/** The report shows times to this precision, because drawing thousands of tests takes long. */
const TICK_MS = 10_000;

const TYPING_MS = 200;

/** The report and, next to it or instead of it, the chosen email. */
function Report({ run: { retentionMs, state }, tests }: { run: KnownRun; tests: readonly ShownTest[] }) {
  const now = useNow() + useKnown().clockOffsetMs;
  const tick = Math.floor(now / TICK_MS) * TICK_MS;
  const filters = useFilters(tests);
  const mail = useMailOfRun(tests, now);
  const scroller = useRef<HTMLDivElement>(null);
  const { found, words, outcome, isFiltered } = filters;
  const { test, key, opened, hidden, deletion, choose } = mail;
  useScrollPlace(scroller, state !== 'partial');
  useChosen(test, key, tests);
  const drawing = { words, retentionMs, now: tick, shown: `${test}/${key}`, hidden, choose };
  const report = useMemo(
    () => drawn(reportOf(found, { retentionMs, now: tick, chosen: test, isFiltered, pathOf: pagePath }), drawing),
    [found, tick, test, key, hidden],
  );
  return (
    <main class="panes run-panes stack" data-shows={opened === 'nothing' ? 'list' : 'mail'}>
      <section class="pane-list column" aria-label="Report">
        <Filters {...{ filters, tests }} />
        <div class="run-report" ref={scroller}>
          <div class="run-page stack">
            {state === 'gone' && (
              <p class="gone boxed text-15" role="alert">
                <strong>This run has expired.</strong> The service has deleted its report, or has restarted. The page
                shows what it read before.
              </p>
            )}
            <div onChange={({ target }) => filters.setOutcome((target as HTMLInputElement).value)}>
              {drawn(outcomesOf(filters.ofFile, outcome), drawing)}
            </div>
            {found.length === 0 && <p class="wait">No test matches.</p>}
            <div key={`${isFiltered}`} class="stack gap-12">
              {report}
            </div>
          </div>
        </div>
      </section>
      <OpenedMail inbox="" listName="Run" news={<TestLink id={test} tests={tests} />} {...{ words, now }} {...mail} />
      <UndoBar deletion={deletion} />
    </main>
  );
}

/** The filters, which are in the URL, and the tests that they find. */
function useFilters(tests: readonly ShownTest[]) {
  const [q, setQ] = useQuery('q');
  const [file, setFile] = useQuery('file');
  const [written, setOutcome] = useQuery('outcome');
  const outcome = outcomeIn(written);
  const [searched, search] = useState(q);
  useUntil([q], (signal) => later(TYPING_MS, signal, () => search(q)));
  const words = useMemo(() => searched.toLowerCase().split(/\s+/).filter(Boolean), [searched]);
  const ofFile = useMemo(
    () => tests.filter((test) => (file === '' || test.file.slice(0, MAX_LENGTH) === file) && isMatch(test, words)),
    [tests, file, words],
  );
  const found = useMemo(() => ofFile.filter((test) => outcome === '' || test.outcome === outcome), [ofFile, outcome]);
  const isFiltered = searched !== '' || file !== '' || outcome !== '';
  return { q, setQ, file, setFile, outcome, setOutcome, words, ofFile, found, isFiltered };
}

interface FiltersProps {
  readonly filters: ReturnType<typeof useFilters>;
  readonly tests: readonly ShownTest[];
}

function Filters({ filters: { q, setQ, file, setFile, found, isFiltered }, tests }: FiltersProps) {
  const files = [...new Set(tests.map((test) => test.file))].filter(Boolean).sort();
  return (
    <div class="search bar gap-12">
      <SearchField
        label="Search by title, error, inbox, sender, subject or code"
        placeholder="Search tests"
        words={q}
        onWords={setQ}
      />
      {files.length > 1 && (
        <select
          class="button run-files"
          aria-label="File"
          value={file}
          onChange={({ currentTarget }) => setFile(currentTarget.value)}
        >
          <option value="">All files</option>
          {files.map((name) => (
            <option key={name} value={name.slice(0, MAX_LENGTH)}>
              {name}
            </option>
          ))}
        </select>
      )}
      <SearchCount isRead={isFiltered}>
        <span class="unseen">Tests: </span>
        {found.length === tests.length ? tests.length : `${found.length} of ${tests.length}`}
      </SearchCount>
    </div>
  );
}

/** Leads from an email back to its test. */
function TestLink({ id, tests }: { id: string; tests: readonly ShownTest[] }) {
  const test = tests.find(({ attempts }) => attempts.some((attempt) => attempt.id === id));
  if (test === undefined) return null;
  return (
    <a class="run-test-link bar gap-4 text-14" href={`#${id}`}>
      <span class="tag" data-outcome={test.outcome}>
        {test.outcome}
      </span>
      <Line class="" text={test.name} />
    </a>
  );
}

/** Scrolls to the chosen test, unless Back or a reload restores another place, and keeps the row of an email in view. */
function useChosen(test: string, key: string | null, tests: readonly ShownTest[]): void {
  const isFirst = useRef(true);
  const isThere = tests.some(({ attempts }) => attempts.some(({ id }) => id === test));
  useEffect(() => {
    if (!isThere) return;
    const isOpening = isFirst.current;
    isFirst.current = false;
    if (isOpening && placeNow().top > 0) return;
    const attempt = document.getElementById(test);
    if (isOpening) attempt?.closest('.run-test')?.scrollIntoView();
    else attempt?.closest('.run-test')?.querySelector('summary')?.scrollIntoView({ block: 'nearest' });
  }, [test, isThere]);
  useEffect(() => {
    document.querySelector('.run-report [aria-current=true]')?.scrollIntoView({ block: 'nearest' });
  }, [key]);
}
