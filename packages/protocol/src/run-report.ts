import {
  countsOf,
  durationOf,
  errorLines,
  filesOf,
  latenessOf,
  OUTCOMES,
  type ShownFile,
  type ShownOutcome,
  type ShownTest,
} from './run-tests.js';
import type { EmailSummary } from './wire.js';
import type { RunHidden, RunInbox, RunTest, RunWait } from './wire-runs.js';

/** The report of a run as a tree, which the web UI turns into elements, and the exporter into a file. */
export type Part = string | Element | Fold | RunEmail;

export interface Element {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string | boolean | undefined>>;
  readonly parts: readonly Part[];
}

/** A `details` element. Its content is built once it is needed. */
export interface Fold {
  /** Identifies the fold among the others of the report. */
  readonly key: string;
  readonly attributes: Element['attributes'];
  readonly isOpen: boolean;
  /** The `id` of the test's first attempt, if the fold is a test. */
  readonly test?: string;
  readonly summary: readonly Part[];
  content(): readonly Part[];
}

export interface RunEmail {
  readonly email: EmailSummary;
  readonly to: string;
  /** The test's attempt that used the inbox. */
  readonly attempt: RunTest;
  /** How long after the end of the failed test the email arrived; empty if it arrived in time. */
  readonly late: string;
}

export interface ReportView {
  readonly retentionMs: number;
  /** The server's time, in milliseconds since the epoch. */
  readonly now: number;
  /** The `id` of an attempt to show. */
  readonly chosen?: string;
  /** Whether the tests are the matches of a filter. */
  readonly isFiltered?: boolean;
  /** The path of an inbox, to link it. */
  pathOf?(inbox: string): string;
}

/** Further failed tests are folded. Otherwise, a run that fails as a whole would be slow to read and to draw. */
const MAX_OPEN = 50;

export function element(tag: string, attributes: Element['attributes'], ...parts: readonly Part[]): Element {
  return { tag, attributes, parts };
}

/** A bar with the share of each outcome, and a button for each that shows only its tests. */
export function outcomesOf(tests: readonly ShownTest[], chosen = ''): Part[] {
  const counts = countsOf(tests, chosen);
  const button = (value: string, count: number, text: string) =>
    element(
      ...['label', { class: 'run-count bar gap-4', 'data-outcome': value || 'all' }],
      element('input', { type: 'radio', class: 'unseen', name: 'outcome', value, checked: value === chosen }),
      element('b', {}, count.toLocaleString('en')),
      ` ${text}`,
    );
  const share = ([outcome, count]: readonly [string, number]) =>
    element('span', { 'data-outcome': outcome, style: `flex-grow: ${count}` });
  return [
    element('div', { class: 'run-bar', 'aria-hidden': 'true' }, ...counts.map(share)),
    element(
      ...['fieldset', { class: 'run-counts flow gap-8 text-14 digits' }],
      element('legend', { class: 'unseen' }, 'Shown tests'),
      button('', tests.length, tests.length === 1 ? 'test' : 'tests'),
      ...counts.map(([outcome, count]) => button(outcome, count, outcome)),
    ),
  ];
}

/** The tests by file. Failed tests come first, and are open. */
export function reportOf(tests: readonly ShownTest[], view: ReportView): Fold[] {
  const open = new Set(tests.filter(({ outcome }) => outcome === 'failed').slice(0, MAX_OPEN));
  return filesOf(tests).map((file) => fileFold(file, open, view));
}

const isQuiet = ({ outcome }: ShownTest) => outcome === 'passed' || outcome === 'skipped';

function fileFold({ name, tests }: ShownFile, open: ReadonlySet<ShownTest>, view: ReportView): Fold {
  const has = (some: readonly ShownTest[]) => some.some((test) => isChosen(test, view));
  const loud = tests.filter((test) => !isQuiet(test));
  const quiet = tests.slice(loud.length);
  const folds = (some: readonly ShownTest[]) => some.map((test) => testFold(test, open.has(test), view));
  const isFoldedRest = loud.length > 0 && quiet.length > 0 && !view.isFiltered;
  const rest = (): Fold => ({
    key: `rest ${name}`,
    attributes: { class: 'run-rest' },
    isOpen: has(quiet),
    summary: [element('span', { class: 'soft text-14' }, countsText(quiet))],
    content: () => folds(quiet),
  });
  return {
    key: `file ${name}`,
    attributes: { class: 'run-file boxed', 'data-outcome': tests[0]?.outcome },
    isOpen: loud.length > 0 || view.isFiltered === true || has(tests),
    summary: [
      element('h2', { class: 'run-file-name mono text-14' }, name || 'Tests'),
      element('span', { class: 'soft text-13 digits' }, countsText(tests)),
      time(tests.flatMap(({ attempts }) => attempts)),
    ],
    content: () => (isFoldedRest ? [...folds(loud), rest()] : folds(tests)),
  };
}

function isChosen({ attempts }: ShownTest, { chosen }: ReportView): boolean {
  return attempts.some(({ id }) => id === chosen);
}

function countsText(tests: readonly ShownTest[]): string {
  return countsOf(tests)
    .map(([outcome, count]) => `${count.toLocaleString('en')} ${outcome}`)
    .join(', ');
}

/** The duration of tests, from the first inbox that they used to their end. */
function time(attempts: readonly RunTest[]): Part {
  const ms = durationOf(attempts);
  return element('span', { class: 'run-time push soft text-13 digits' }, ms === 0 ? '' : durationText(ms));
}

/** `3.4 s` */
function durationText(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

function testFold(test: ShownTest, isOpen: boolean, view: ReportView): Fold {
  const { name, outcome, attempts } = test;
  const [first] = attempts as [RunTest];
  const count = attempts.flatMap(({ inboxes }) => inboxes.flatMap(({ emails }) => emails ?? [])).length;
  const facts = [
    attempts.length > 1 ? `${attempts.length} attempts` : '',
    count > 0 ? `${count} ${count === 1 ? 'email' : 'emails'}` : '',
  ];
  return {
    key: `test ${first.id}`,
    test: first.id,
    attributes: { class: 'run-test', 'data-outcome': outcome },
    isOpen: isOpen || isChosen(test, view),
    summary: [
      element('span', { class: 'tag' }, outcome),
      element('h3', { class: 'run-name text-15' }, name),
      element('span', { class: 'soft text-13 digits' }, facts.filter(Boolean).join(', ')),
      outcome === 'running' ? '' : time(attempts),
    ],
    content: () => attempts.map((attempt, at) => attemptOf(attempt, attempts.length > 1 ? at + 1 : 0, view)),
  };
}

function attemptOf(attempt: RunTest, number: number, view: ReportView): Element {
  const { id, outcome, error, waits, inboxes } = attempt;
  return element(
    ...['section', { class: 'run-attempt stack gap-12', id, 'data-chosen': `${id === view.chosen}` }],
    ...(number === 0 ? [] : [element('h4', { class: 'text-14' }, `Attempt ${number}: ${outcome}`)]),
    ...waits.flatMap((wait) => waitOf(wait, error)),
    ...(error === null || error === '' ? [] : [errorOf(error)]),
    ...inboxes.map((inbox) => inboxOf(inbox, attempt, view)),
    ...(inboxes.length > 0 ? [] : [element('p', { class: 'hint' }, 'This test used no inbox.')]),
  );
}

/** What a wait asked for, what arrived, and why that did not match. The error of the last wait contains its text. */
function waitOf({ to, text, asked, arrived }: RunWait, error: string | null): Part[] {
  const isInError = error?.includes(text) === true;
  if (asked === undefined) return isInError ? [] : [element('p', { class: 'run-wait text-14' }, text)];
  const fact = (name: string, ...parts: readonly Part[]) => [element('dt', {}, name), element('dd', {}, ...parts)];
  const emails = (arrived ?? []).map(({ subject, why }) =>
    element('li', {}, subject || 'No subject', ' – ', element('span', { class: 'problem' }, why)),
  );
  return [
    element(
      ...['dl', { class: 'run-wait facts text-14' }],
      ...fact('Asked for', asked),
      ...fact('In', element('span', { class: 'mono' }, to)),
      ...fact('Arrived', emails.length === 0 ? 'nothing' : element('ul', { class: 'stack gap-4' }, ...emails)),
      ...(isInError ? [] : fact('Why not', text)),
    ),
  ];
}

function errorOf(error: string): Element {
  const lines = errorLines(error).map(({ text, of }) =>
    element('span', { class: 'run-line', 'data-of': of }, `${text}\n`),
  );
  return element('pre', { class: 'run-error mono' }, ...lines);
}

const HIDDEN: Readonly<Record<RunHidden, string>> = {
  'key-needed': "Mail not shown: it needs the key or credentials of the inbox's workspace.",
  'not-readable': 'Mail not shown: the inbox is private, or the reporting client could not read it.',
  'too-many-names': 'Mail not shown: too many inbox names were looked up.',
};

function inboxOf(
  { to, emails, hidden }: RunInbox,
  attempt: RunTest,
  { now, retentionMs, pathOf }: ReportView,
): Element {
  const href = pathOf?.(to);
  const list = (emails ?? []).map((email): Part => {
    const ms = latenessOf(email.receivedAt, attempt);
    return { email, to, attempt, late: ms === 0 ? '' : `${durationText(ms)} after the test had failed` };
  });
  const isPast = Date.parse(attempt.begunAt) + retentionMs < now;
  const none = isPast ? 'No email is left.' : attempt.outcome === 'running' ? 'No email yet.' : 'No email arrived.';
  const parts = [
    ...(emails === null ? [element('p', { class: 'hint' }, HIDDEN[hidden ?? 'not-readable'])] : []),
    ...(emails?.length === 0 ? [element('p', { class: 'warning' }, none)] : []),
    ...(list.length > 0 ? [element('ul', { class: 'run-emails boxed' }, ...list)] : []),
  ];
  return element(
    ...['section', { class: 'run-inbox stack gap-4' }],
    element(href === undefined ? 'span' : 'a', { class: 'mono text-13', href }, to),
    ...parts,
  );
}

/** The outcome in a URL or a form; empty for all outcomes. */
export function outcomeIn(written: string): ShownOutcome | '' {
  return OUTCOMES.find((outcome) => outcome === written) ?? '';
}
