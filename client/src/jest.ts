import { Mayfly } from './client.js';
import { MayflyError } from './errors.js';
import { type MayflyFixtures, reached, waitTimeoutMs } from './fixtures.js';

export type { MayflyFixtures };

/**
 * How long a test may take, in milliseconds, where its third argument does not say it. Jest's own 5 s are less than one
 * wait may take.
 */
const TEST_TIMEOUT_MS = 30_000;

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

/** As much of Jest as is used here: its types are a package of their own. */
interface JestTest extends Register {
  readonly only: Register;
  readonly skip: Register;
  readonly failing: Register;
  readonly concurrent: Register;
  each(table: readonly unknown[]): Register;
  todo(name: string): void;
}

/** Jest's `test` with an inbox for each test. By default, a wait ends before the test's timeout. */
export const test: MayflyTest = withModifiers(jestTest());

export { test as it };

function withModifiers(base: JestTest): MayflyTest {
  const each: MayflyTest['each'] = (table: readonly unknown[]) => withInbox(base.each(table));
  return Object.assign(withInbox(base), {
    only: withInbox(base.only),
    skip: withInbox(base.skip),
    failing: withInbox(base.failing),
    concurrent: withInbox(base.concurrent),
    each,
    todo: (name: string) => base.todo(name),
  });
}

function jestTest(): JestTest {
  const { test } = globalThis as { test?: JestTest };
  if (test !== undefined) return test;
  throw new MayflyError('mayfly-client/jest belongs into a test that Jest runs, with its globals (injectGlobals).');
}

/** What registers a test as Jest does, with an inbox before what the row of a table gives. */
function withInbox(register: Register): MayflyTestCall<never> {
  return (name, body: (fixtures: MayflyFixtures, ...row: never) => unknown, timeout = TEST_TIMEOUT_MS) =>
    // A function without parameters of its own, or Jest waits for a callback.
    register(name, async (...row) => body(await fixtures(timeout), ...(row as never)), timeout);
}

async function fixtures(testTimeoutMs: number): Promise<MayflyFixtures> {
  const mayfly = new Mayfly({ timeout: waitTimeoutMs(testTimeoutMs) });
  await reached(mayfly, "or let the run start one: globalSetup: 'mayfly-client/jest/setup' in jest.config");
  return { mayfly, inbox: mayfly.createInbox() };
}
