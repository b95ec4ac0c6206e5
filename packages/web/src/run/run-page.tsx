import {
  type EmailSummary,
  MayflyAuthError,
  type RunHidden,
  type RunInbox,
  type RunResponse,
  type RunTest,
} from 'mayfly-client';
import { useEffect, useState } from 'preact/hooks';
import { mailOf, senderOf, subjectOf } from '../inbox/mail.js';
import { RowFound } from '../inbox/mail-row.js';
import { pagePath, readRun } from '../service.js';
import { Problem } from '../ui/announce.js';
import { Switch } from '../ui/button.js';
import { ApiKeyForm } from '../ui/field.js';
import { plural, timeOfDay } from '../ui/time.js';
import { repeat, useUntil } from '../ui/until.js';
import { Visible } from '../ui/visible.js';
import { placeNow, useQuery, useUrl, useWindowPlace } from '../url.js';

/** The interval between reads of a run, and the time added to it for each page of the run. */
const PERIOD_MS = 2_000;
const PERIOD_OF_PAGE_MS = 500;

const MAX_TESTS = 5_000;

type KnownRun = Pick<RunResponse, 'counts' | 'now' | 'retentionMs' | 'tests'>;

/** The page at `/run/SECRET` shows the tests of a run, and their mail. */
export function RunPage({ secret }: { secret: string }) {
  const { run, error } = useRun(secret);
  useEffect(() => {
    document.title = run === null ? 'Run – Mayfly' : `${run.counts.failed} failed – run – Mayfly`;
  }, [run]);
  const isLocked = run?.tests.some(({ inboxes }) => inboxes.some(({ hidden }) => hidden === 'key-needed'));
  return (
    <main class="run stack">
      <h1>Run of tests</h1>
      {error !== null && <Problem error={error} />}
      {(isLocked || error instanceof MayflyAuthError) && <ApiKeyForm />}
      {run?.tests.length === 0 && (
        <p class="hint">No test of this run has used an inbox yet, or the run has expired.</p>
      )}
      {run !== null && run.tests.length > 0 && <Tests run={run} />}
    </main>
  );
}

function Tests({ run: { counts, tests, retentionMs, now } }: { run: KnownRun }) {
  const [outcome, setOutcome] = useQuery('outcome');
  const chosen = useUrl().fragment;
  useEffect(() => {
    if (placeNow().top === 0) document.getElementById(chosen)?.scrollIntoView({ block: 'center' });
  }, [chosen]);
  useWindowPlace(true);
  const shown = outcome === 'failed' ? tests.filter(({ outcome }) => outcome === 'failed') : tests;
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const without = tests.filter(hasNothing).length;
  const parts = Object.entries(counts).flatMap(([outcome, count]) => (count > 0 ? `${count} ${outcome}` : []));
  return (
    <>
      <p role="status">
        {plural(total, 'test')}: {parts.join(', ')}.{without > 0 && ` No email came to ${without}.`}
        {tests.length < total && ` The first ${tests.length} are shown.`}
      </p>
      <Switch label="Failed only" isOn={outcome === 'failed'} onTurn={(isOn) => setOutcome(isOn ? 'failed' : '')} />
      {shown.length === 0 && <p class="hint">No test has failed{counts.running > 0 && ' yet'}.</p>}
      <table class="run-tests text-15" hidden={shown.length === 0}>
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
              isPast={Date.parse(test.begunAt) + retentionMs < Date.parse(now)}
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

function useRun(secret: string) {
  const [run, setRun] = useState<KnownRun | null>(null);
  const [error, setError] = useState<Error | null>(null);
  useUntil([secret], (signal) =>
    repeat(signal, async () => {
      try {
        const whole = await wholeRun(secret, signal);
        setRun(whole);
        setError(null);
        return PERIOD_MS + PERIOD_OF_PAGE_MS * whole.pages;
      } catch (reason) {
        if (!signal.aborted) setError(reason as Error);
        return PERIOD_MS;
      }
    }),
  );
  return { run, error };
}

async function wholeRun(secret: string, signal: AbortSignal) {
  const tests: RunTest[] = [];
  for (let from = 0, pages = 1; ; pages += 1) {
    const page = await readRun(secret, from, signal);
    tests.push(...page.tests);
    if (page.next === null || tests.length >= MAX_TESTS) return { ...page, tests, pages };
    from = page.next;
  }
}

interface TestRowProps {
  readonly test: RunTest;
  readonly isChosen: boolean;
  /** Whether the first mail of the test has expired. */
  readonly isPast: boolean;
}

const HIDDEN: Readonly<Record<RunHidden, string>> = {
  'key-needed': "Not shown without the API key or the credentials of the inbox's workspace.",
  'not-readable': 'Not shown: the inbox is private, or the client that reported the test could not read it.',
  'too-many-names': 'Not shown: too many inbox names were looked up from your IP address.',
};

function TestRow({ test: { id, title, outcome, error, waits, inboxes }, isChosen, isPast }: TestRowProps) {
  // Omits errors of waits that the test's error includes, usually that of the last wait.
  const others = waits.map(({ text }) => text).filter((text) => !error?.includes(text));
  const none = isPast ? 'No email is left.' : outcome === 'running' ? 'No email yet.' : 'No email came.';
  return (
    <tr id={id} class={isChosen ? 'run-chosen' : ''}>
      <td>
        <span class="tag" data-outcome={outcome}>
          {outcome}
        </span>
      </td>
      <td>
        <Visible text={title} />
        {[...others, error].map(
          (text) => text && <Visible key={text} as="p" class="run-reason soft text-14" text={text} />,
        )}
      </td>
      <td>
        {inboxes.map((inbox) => (
          <Inbox key={inbox.to} inbox={inbox} none={none} />
        ))}
      </td>
    </tr>
  );
}

function Inbox({ inbox: { to, emails, hidden }, none }: { inbox: RunInbox; none: string }) {
  const path = pagePath(to);
  return (
    <>
      <Visible as="a" class="run-inbox" href={path} text={to} />
      {emails === null && <p class="hint">{hidden && HIDDEN[hidden]}</p>}
      {emails?.length === 0 && <p class="warning">{none}</p>}
      <ul>
        {emails?.map((email) => (
          <Email key={email.receivedAt} inbox={to} {...{ email, path }} />
        ))}
      </ul>
    </>
  );
}

function Email({ inbox, email, path }: { inbox: string; email: EmailSummary; path: string }) {
  const mail = mailOf(email);
  return (
    <li>
      <Visible as="a" href={`${path}#${mail.key}`} text={subjectOf(mail)} />{' '}
      <RowFound {...{ mail, inbox }} tabIndex={0} />{' '}
      <span class="hint">
        <Visible text={senderOf(mail)} />, {timeOfDay(mail.receivedAt)}
      </span>
    </li>
  );
}
