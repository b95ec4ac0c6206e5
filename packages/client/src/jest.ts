import { NO_DECODER, say } from './environment.js';
import { MayflyError } from './errors.js';
import { type MayflyFixtures, reached, testTime } from './fixtures.js';
import { type MayflyOfTest, mayflyOfTest, runReported, type TestEnd } from './run.js';

export type { MayflyFixtures };

/**
 * How long a test may take, in milliseconds, where neither its third argument nor `jest.setTimeout` says it. Jest's own
 * 5 s are less than one wait may take.
 */
const TEST_TIMEOUT_MS = 30_000;

/** Where `jest.setTimeout` leaves what it is given. */
const SET_TIMEOUT = Symbol.for('TEST_TIMEOUT_SYMBOL');

/** The function of a test, which gets an inbox. */
type MayflyTestBody<Row extends readonly unknown[] = []> = (fixtures: MayflyFixtures, ...row: Row) => unknown;

/** Registers a test with a timeout in milliseconds. */
type MayflyTestCall<Row extends readonly unknown[] = []> = (
  name: string,
  body: MayflyTestBody<Row>,
  timeout?: number,
) => void;

/** Jest's `test` whose function gets an inbox. */
export interface MayflyTest extends MayflyTestCall {
  readonly only: MayflyTestCall;
  readonly skip: MayflyTestCall;
  readonly failing: MayflyTestCall;
  readonly concurrent: MayflyTestCall;
  /** One test for each row; its function gets the inbox first, then the values of the row. */
  each<Row>(table: readonly Row[]): MayflyTestCall<Row extends readonly unknown[] ? [...Row] : [Row]>;
  todo(name: string): void;
}

type Register = (name: string, body: (...row: unknown[]) => unknown, timeout: number) => void;

/** Its types are a package of their own. */
interface JestTest extends Register {
  readonly only: Register;
  readonly skip: Register;
  readonly failing: Register;
  readonly concurrent: Register;
  each(table: readonly unknown[]): Register;
  todo(name: string): void;
}

/** As much of Jest as is used here: its types are a package of their own. */
interface Jest {
  readonly [SET_TIMEOUT]?: number;
  readonly test?: JestTest;
  readonly expect?: { getState(): { readonly currentTestName?: string } };
  readonly afterAll?: (hook: () => Promise<void>) => void;
}

const runner = globalThis as Jest;

/** What kinds of tests need to be known of. */
interface Kind {
  /** Whether it is to fail. */
  readonly fails?: boolean;
  /** Whether others run beside it: then Jest does not know which of them is running. */
  readonly isConcurrent?: boolean;
}

/** Tests that have begun and not ended. */
const running = new Set<MayflyOfTest>();

/** Jest's `test` with an inbox for each test. By default, a wait ends before the test's timeout. */
export const test: MayflyTest = withModifiers(jestTest());

export { test as it };

// Jest loads this module anew for each file.
runner.afterAll?.(async () => {
  // Jest has given up on them without a word to their functions.
  await Promise.all([...running].map((one) => end(one, { outcome: 'failed', error: 'It did not end in time.' })));
  await runReported();
});

function withModifiers(base: JestTest): MayflyTest {
  const each: MayflyTest['each'] = (table: readonly unknown[]) => withInbox(base.each(table));
  return Object.assign(withInbox(base), {
    only: withInbox(base.only),
    skip: withInbox(base.skip),
    failing: withInbox(base.failing, { fails: true }),
    concurrent: withInbox(base.concurrent, { isConcurrent: true }),
    each,
    todo: (name: string) => base.todo(name),
  });
}

function jestTest(): JestTest {
  if (typeof TextDecoder === 'undefined') throw new MayflyError(NO_DECODER);
  if (runner.test !== undefined) return runner.test;
  throw new MayflyError('mayfly-client/jest belongs into a test that Jest runs, with its globals (injectGlobals).');
}

/** What registers a test as Jest does, with an inbox before what the row of a table gives. */
function withInbox(register: Register, kind: Kind = {}): MayflyTestCall<never> {
  return (
    name,
    body: (fixtures: MayflyFixtures, ...row: never) => unknown,
    timeout = runner[SET_TIMEOUT] ?? TEST_TIMEOUT_MS,
  ) =>
    // A function without parameters of its own, or Jest waits for a callback.
    register(
      name,
      async (...row) => {
        const title = (kind.isConcurrent ? undefined : runner.expect?.getState().currentTestName) ?? name;
        const time = testTime(() => timeout);
        const of = mayflyOfTest({}, title, time);
        const { mayfly } = of;
        await reached({}, "or let the run start one: globalSetup: 'mayfly-client/jest/setup' in jest.config", time);
        running.add(of);
        await ran(of, kind, async () => body({ mayfly, inbox: mayfly.createInbox() }, ...(row as never)));
      },
      timeout,
    );
}

/** Runs the function of a test and reports how it ended. */
async function ran(of: MayflyOfTest, { fails = false }: Kind, body: () => Promise<unknown>): Promise<void> {
  try {
    await body();
  } catch (error) {
    await end(of, fails ? { outcome: 'passed' } : { outcome: 'failed', error });
    throw error;
  }
  await end(of, fails ? { outcome: 'failed', error: 'It was to fail, and passed.' } : { outcome: 'passed' });
}

async function end(of: MayflyOfTest, how: TestEnd): Promise<void> {
  // One that Jest has given up on may end later all the same.
  if (!running.delete(of)) return;
  const shown = await of.endedWithEmails(how);
  if (shown !== null) say(shown);
}
