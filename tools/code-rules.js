// Exceptions from what `tools/check-code.js` holds, each with its reason. A row that nothing needs fails as well.

/** Names that several files of packages/server/src have, and why each is right where it stands. */
export const SAME_NAMES = {
  'connection.ts': 'a client of SMTP, and a server of Redis',
  'rows.ts': 'each store has its own rows',
};

/** Files that something outside of the sources begins with, besides what a package exports. */
export const ENTRIES = [
  ...[
    'plugins/catchers/src/catchers.ts',
    'plugins/catchers/src/in-thread.ts',
    'plugins/send-apis/src/send-apis.ts',
    'plugins/send-apis/src/send-tasks.ts',
  ].map((file) => ({
    file,
    reason: 'packages/server/extensions.js loads it',
  })),
  { file: 'packages/cli/src/main.ts', reason: 'the build puts it into the package of the client' },
  {
    file: 'packages/client/src/mayfly-inbox.d.ts',
    reason: 'the compiler reads it for the package that is not built yet',
  },
  {
    file: 'packages/server/src/http/checks.d.ts',
    reason: 'the compiler reads it for the checks that are not built yet',
  },
  { file: 'packages/server/src/main.ts', reason: 'packages/server/bin/mayfly.js runs it, bundled' },
  { file: 'packages/server/src/start-mayfly.ts', reason: 'what the package mayfly-inbox exports, bundled' },
  { file: 'packages/server/src/service-process.ts', reason: 'packages/server/bin/service-process.js runs it, bundled' },
  { file: 'packages/server/src/inbox/threads/worker.ts', reason: 'a thread runs it' },
  { file: 'packages/web/src/main.tsx', reason: 'packages/web/index.html loads it' },
];

/**
 * What tests of one workspace may import of another by its path: what begins with `from` may import what begins with
 * `to`. All else is imported by the name of its package, as users do.
 */
export const TESTS_ACROSS = [
  ...['bench/', 'packages/', 'plugins/'].map((from) => ({
    from,
    to: 'tools/needs.js',
    reason: 'skips a test whose program is missing, and says so',
  })),
  ...[
    'plugins/catchers/test/',
    'packages/cli/test/',
    'packages/client/test/',
    'packages/mcp/test/',
    'plugins/send-apis/test/',
    'packages/web/test/',
  ].map((from) => ({
    from,
    to: 'packages/server/test/service/process.ts',
    reason: 'starts the service as a process of its own',
  })),
  {
    from: 'packages/client/test/',
    to: 'packages/server/test/container/dockerfile.ts',
    reason: 'what the image sets, and where it listens',
  },
  {
    from: 'packages/web/test/',
    to: 'packages/server/test/service/two-spaces.ts',
    reason: 'the mail of two spaces that must stay apart',
  },
  {
    from: 'packages/web/test/',
    to: 'packages/server/test/corpus/load.ts',
    reason: 'the messages that the preview is compared for',
  },
  ...['plugins/send-apis/test/', 'packages/server/test/'].map((from) => ({
    from,
    to: 'packages/client/test/in-vain.ts',
    reason: 'waits in vain however busy the machine is',
  })),
  ...['packages/cli/test/', 'packages/server/test/'].map((from) => ({
    from,
    to: 'packages/client/test/packed.ts',
    reason: 'packs the packages as they are published',
  })),
  ...['packages/server/test/store/', 'packages/server/test/manual-clock.ts'].map((to) => ({
    from: 'plugins/catchers/test/',
    to,
    reason: 'stores that nodes share, and a clock that the test moves',
  })),
  ...['plugins/catchers/test/', 'plugins/send-apis/test/'].map((from) => ({
    from,
    to: 'packages/server/dist/',
    reason: 'the door of the server, compiled as the extension has it, and settings as it is given them',
  })),
  {
    from: 'plugins/catchers/test/loaded-when-asked.test.ts',
    to: 'packages/server/bin/bundle.js',
    reason: 'tells which files of the bundle were loaded',
  },
  {
    from: 'packages/server/test/service/wired.test.ts',
    to: 'plugins/catchers/dist/mailpit/choice.js',
    reason: 'tells one wait from all others',
  },
  {
    from: 'packages/server/test/service/process.ts',
    to: 'packages/client/bin/mayfly.js',
    reason: 'runs either command line',
  },
  {
    from: 'packages/client/test/service.ts',
    to: 'packages/server/',
    reason: 'the service in the process of the test, with a clock that the test moves',
  },
  {
    from: 'packages/client/test/trouble.test.ts',
    to: 'packages/server/test/smtp/start.ts',
    reason: 'sends mail to that service',
  },
];

/**
 * Tests, and what they are run with, that use a timer. None waits for so long and then believes that something has
 * happened.
 */
export const TEST_TIMERS = [
  { file: 'plugins/catchers/test/cypress-stand-in.ts', reason: "Cypress's own wait, which a client of Mailpit calls" },
  {
    file: 'packages/client/test/many-tests.test.ts',
    reason: 'spreads the begin of many tests over time: that is the load',
  },
  { file: 'packages/client/test/random-waits.test.ts', reason: 'sends mails at random moments: that is what is tried' },
  {
    file: 'packages/client/test/runners/together.cjs',
    reason: 'looks again whether another process has come, up to a bound',
  },
  { file: 'packages/client/test/stubborn-fetch.test.ts', reason: 'answers that come byte by byte' },
  { file: 'packages/client/test/service.ts', reason: 'a clock that runs faster than ours' },
  { file: 'packages/mcp/test/tools.test.ts', reason: 'a mail comes three seconds after a call began' },
  { file: 'packages/server/test/container/container.ts', reason: 'a bound for a container that says nothing' },
  { file: 'packages/server/test/ledger/following.ts', reason: 'a client that asks again after a pause' },
  { file: 'packages/server/test/ledger/keeping.ts', reason: 'looks again whether the service is back, up to a bound' },
  { file: 'packages/server/test/ledger/redis-stages.ts', reason: 'how long Redis stands still is what is tried' },
  { file: 'packages/server/test/ledger/sending.ts', reason: 'a sender at a steady pace' },
  { file: 'packages/server/test/metrics/listener.test.ts', reason: 'a client that sends a byte at a time' },
  {
    file: 'packages/server/test/service/memory-limit.test.ts',
    reason: 'clients that read slowly, and looks at the memory',
  },
  { file: 'packages/server/test/service/process.ts', reason: 'a bound for a process that does not get ready' },
  {
    file: 'packages/server/test/service/signal-before-ready.test.ts',
    reason: 'looks again whether the process reads signals',
  },
  {
    file: 'packages/server/test/smtp/connection.test.ts',
    reason: "a timer that ends before the server's: timers keep order",
  },
  { file: 'packages/server/test/smtp/haproxy.ts', reason: 'looks again whether HAProxy listens, up to a bound' },
  {
    file: 'packages/server/test/smtp/start-stop.test.ts',
    reason: "a timer that ends before the server's: timers keep order",
  },
  { file: 'packages/server/test/store/redis/proxy.ts', reason: 'a server that answers late is what is tried' },
  {
    file: 'packages/server/test/store/redis/redis-cluster.ts',
    reason: 'looks again whether a cluster is ready, up to a bound',
  },
  { file: 'packages/server/test/store/redis/redis.test.ts', reason: 'looks again whether a replica has caught up' },
  { file: 'packages/server/test/store/redis/room.test.ts', reason: 'looks again whether a store answers' },
  { file: 'packages/web/test/reading.test.ts', reason: 'a stream that is silent for a while is what is tried' },
];
