// The files that may use a clock, a timer, chance or the outside. `tools/check-imports.js` enforces it.

/** Parts that only turn values into values, or keep what they are given: time, chance and the outside are arguments. */
export const PURE_PARTS = ['mail', 'store'];

/**
 * Names of the outside that a file of a pure part uses all the same, and timers and clocks that a file of any other
 * part of the service uses itself: each with its reason. All else has its time from a `Clock`, which tests move by
 * hand.
 */
export const IMPURE_NAMES = [
  {
    file: 'packages/server/src/base/clock.ts',
    name: 'Date.now',
    reason: 'it is the clock',
  },
  {
    file: 'packages/server/src/base/clock.ts',
    name: 'performance',
    reason: 'it is the clock',
  },
  {
    file: 'packages/server/src/base/clock.ts',
    name: 'setTimeout',
    reason: 'it is the clock',
  },
  {
    file: 'packages/server/src/commands/healthy.ts',
    name: 'AbortSignal.timeout',
    reason: 'a bound for a service that does not answer',
  },
  {
    file: 'packages/server/src/doctor/check-certificate.ts',
    name: 'Date.now',
    reason: 'the moment of a command that runs once; tests give theirs',
  },
  {
    file: 'packages/server/src/doctor/check-surroundings.ts',
    name: 'Date.now',
    reason: "it is this machine's clock that is looked at; tests give theirs",
  },
  {
    file: 'packages/server/src/doctor/check-ports.ts',
    name: 'setTimeout',
    reason: 'a bound for a port that does not answer',
  },
  {
    file: 'packages/server/src/tls/certificate.ts',
    name: 'Date.now',
    reason: 'from when a new certificate is good; tests give theirs',
  },
  {
    file: 'packages/server/src/metrics/metrics-listener.ts',
    name: 'setTimeout',
    reason: 'a bound for a request that never comes whole',
  },
  {
    file: 'packages/server/src/http/connection/broken-requests.ts',
    name: 'setTimeout',
    reason: 'a bound for a client that does not close',
  },
  {
    file: 'packages/server/src/http/connection/http-server.ts',
    name: 'setInterval',
    reason: 'looks for connections that idle, as long as the server stops',
  },
  {
    file: 'packages/server/src/http/http.ts',
    name: 'setTimeout',
    reason: 'a bound for requests when the service stops',
  },
  {
    file: 'packages/server/src/http/routes/health.ts',
    name: 'setTimeout',
    reason: 'a bound for a store that does not answer',
  },
  {
    file: 'packages/server/src/inbox/threads/serve-tasks.ts',
    name: 'performance',
    reason: 'a thread has no clock of the service; it tells how long it took',
  },
  {
    file: 'packages/server/src/smtp/engine/awaited-headers.ts',
    name: 'setTimeout',
    reason: 'a bound for a header that does not come',
  },
  {
    file: 'packages/server/src/smtp/engine/connection.ts',
    name: 'setTimeout',
    reason: 'a bound for TLS that does not begin',
  },
  {
    file: 'packages/server/src/smtp/engine/channel.ts',
    name: 'setTimeout',
    reason: 'a bound for a client that does not close',
  },
  {
    file: 'packages/server/src/smtp/engine/data-time.ts',
    name: 'setTimeout',
    reason: 'a bound for a message that does not come',
  },
  {
    file: 'packages/server/src/smtp/engine/smtp-server.ts',
    name: 'setTimeout',
    reason: 'a bound for a client that does not read why it is refused',
  },
  {
    file: 'packages/server/src/smtp/message.ts',
    name: 'performance',
    reason: 'how long a store takes, for metrics alone',
  },
  {
    file: 'packages/server/src/smtp/session.ts',
    name: 'performance',
    reason: 'the moment of a mail, for its rate',
  },
  {
    file: 'packages/server/src/store/lmdb/transactions.ts',
    name: 'setImmediate',
    reason: 'a long read lets the event loop turn between its pieces; it measures no time',
  },
  {
    file: 'packages/server/src/store/lmdb/news.ts',
    name: 'setInterval',
    reason: 'LMDB tells nobody that another process has written, so that is looked for; it measures no time',
  },
  ...[
    'packages/server/src/store/lmdb/writer.ts',
    'packages/server/src/store/redis/connection/replicated-writes.ts',
  ].map((file) => ({
    file,
    name: 'queueMicrotask',
    reason: 'writes of the same moment go together; it measures no time',
  })),
  {
    file: 'packages/server/src/store/redis/connection/timers.ts',
    name: 'setTimeout',
    reason: 'a server that does not answer holds up no one, and a cluster is asked again who has its slots',
  },
  {
    file: 'packages/server/src/store/redis/connection/server.ts',
    name: 'Date.now',
    reason: "compares this machine's clock with the server's, by which all nodes go",
  },
  {
    file: 'packages/server/src/store/redis/mail/shard.ts',
    name: 'performance',
    reason:
      'a connection is made at a moment at which nobody gives the time: it goes on from the one that was given last',
  },
];

/**
 * Files that may start a thread, each with its reason. Which file the thread runs is named where the thread is started.
 */
export const THREAD_STARTERS = [
  { file: 'packages/server/src/inbox/threads/reading-thread.ts', reason: 'reads mail outside of the event loop' },
];

/** Modules that a file declares, or adds to, with `declare module`: each with its reason. */
export const DECLARED_MODULES = [
  ...['http/app.ts', 'http/framework.ts', 'http/answer/compressing.ts', 'http/answer/large-answers.ts'].map((file) => ({
    file: `packages/server/src/${file}`,
    name: 'fastify',
    reason: "what a route or a request carries of ours stands in the framework's types",
  })),
  {
    file: 'packages/server/src/http/checks.d.ts',
    name: '*checks.cjs',
    reason: 'the build makes it of the compiled routes',
  },
  {
    file: 'packages/client/src/mayfly-inbox.d.ts',
    name: 'mayfly-inbox',
    reason: 'the client is compiled where the service is not built yet',
  },
  {
    file: 'packages/client/src/matchers-vitest.ts',
    name: 'vitest',
    reason: "an email's matchers stand in the types of Vitest's expect",
  },
];
