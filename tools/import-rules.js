// What may import what. `tools/check-imports.js` holds it; CONTRIBUTING.md says why. A part is a folder of
// packages/server/src, a file of its own (main.ts, start-mayfly.ts and so on), `base` for the files beside them, or a
// whole workspace (catchers, cli, client, mcp, send-apis, web). Which files of a part the others may import stands in
// doors.js.

export { DOORS } from './doors.js';
export { DECLARED_MODULES, IMPURE_NAMES, PURE_PARTS, THREAD_STARTERS } from './outside-rules.js';

/** For each part: the other parts and the packages that its files may import. Node's own modules count as packages. */
export const PARTS = {
  main: { parts: ['commands', 'settings', 'base'], packages: ['mayfly-cli'] },
  'start-mayfly': { parts: ['service-process', 'settings', 'base'], packages: ['node:child_process', 'node:url'] },
  'service-process': { parts: ['service', 'settings', 'base'], packages: [] },
  commands: {
    parts: ['service', 'doctor', 'inbox', 'store', 'mail', 'settings', 'base'],
    packages: [
      'mayfly-cli',
      'mayfly-client',
      'mayfly-client/api',
      'mayfly-client/inbox-name',
      'mayfly-client/run-secret',
      'mayfly-mcp/stdio',
      'node:crypto',
      'node:events',
      'node:fs',
      'node:fs/promises',
      'node:http',
      'node:net',
      'node:os',
      'node:stream',
      'node:tty',
      'node:util',
    ],
  },
  service: {
    parts: [
      'tls',
      'fairness',
      'metrics',
      'smtp',
      'http',
      'extension',
      'attempts',
      'runs',
      'rehearsals',
      'inbox',
      'store',
      'limits',
      'settings',
      'base',
    ],
    packages: ['node:url'],
  },
  doctor: {
    parts: ['tls', 'settings', 'limits', 'base'],
    packages: [
      'node:crypto',
      'node:dns/promises',
      'node:fs/promises',
      'node:net',
      'node:path',
      'node:stream',
      'node:tls',
    ],
  },
  metrics: {
    parts: ['smtp', 'http', 'inbox', 'store', 'settings', 'base'],
    packages: ['node:events', 'node:http', 'node:net', 'prom-client'],
  },
  smtp: {
    parts: ['fairness', 'tls', 'attempts', 'inbox', 'limits', 'base'],
    packages: ['node:events', 'node:net', 'node:stream', 'node:timers/promises', 'node:tls'],
  },
  http: {
    parts: ['fairness', 'attempts', 'runs', 'inbox', 'limits', 'settings', 'base'],
    packages: [
      '@fastify/cors',
      '@fastify/swagger',
      'content-disposition',
      'fastify',
      'mayfly-cli/misspelled',
      'mayfly-client',
      'mayfly-client/api',
      'mayfly-client/inbox-name',
      'mayfly-client/no-mail',
      'mayfly-client/private-name',
      'mayfly-client/run-secret',
      'mayfly-mcp/http',
      'mayfly-mcp/mailboxes',
      'node:crypto',
      'node:dns/promises',
      'node:events',
      'node:fs/promises',
      'node:http',
      'node:module',
      'node:net',
      'node:os',
      'node:path',
      'node:stream',
      'node:stream/web',
      'node:zlib',
    ],
  },
  extension: {
    parts: ['fairness', 'http', 'attempts', 'inbox', 'mail', 'limits', 'settings', 'base'],
    packages: ['node:stream', 'nodemailer/lib/mail-composer'],
  },
  catchers: {
    parts: ['extension'],
    packages: ['mayfly-cli/misspelled', 'mayfly-client/inbox-name', 'node:crypto', 'node:stream', 'ws'],
  },
  'send-apis': {
    parts: ['extension'],
    packages: [
      '@fastify/busboy',
      'mayfly-client',
      'node:crypto',
      'node:fs/promises',
      'node:path',
      'node:stream/promises',
    ],
  },
  rehearsals: {
    parts: ['inbox', 'limits', 'settings', 'base'],
    packages: ['mayfly-cli/rehearsal-script', 'mayfly-client/inbox-name'],
  },
  inbox: {
    parts: ['fairness', 'mail', 'store', 'limits', 'base'],
    packages: [
      'mayfly-client',
      'mayfly-client/inbox-name',
      'mayfly-client/private-name',
      'node:buffer',
      'node:crypto',
      'node:worker_threads',
    ],
  },
  attempts: { parts: ['inbox', 'base'], packages: ['mayfly-client', 'mayfly-client/inbox-name'] },
  runs: { parts: ['base'], packages: ['mayfly-client', 'node:crypto'] },
  mail: { parts: [], packages: ['entities/decode', 'node:buffer', 'node:crypto'] },
  store: {
    parts: ['fairness', 'limits', 'base'],
    packages: ['@redis/client', 'lmdb', 'node:crypto', 'node:os', 'node:path', 'node:util', 'node:zlib'],
  },
  limits: {
    parts: ['fairness', 'base'],
    packages: ['ipaddr.js', 'mayfly-client/made-name', 'node:crypto', 'node:net'],
  },
  settings: {
    parts: ['limits', 'store', 'base'],
    packages: ['mayfly-cli/misspelled', 'mayfly-client/inbox-name', 'node:net', 'node:os'],
  },
  fairness: { parts: ['base'], packages: [] },
  tls: { parts: ['settings', 'base'], packages: ['node:tls', 'selfsigned'] },
  base: { parts: [], packages: ['node:path', 'pino', 'pino-pretty'] },
  client: { parts: [], packages: [] },
  cli: {
    parts: [],
    packages: [
      'mayfly-client',
      'mayfly-client/inbox-name',
      'mayfly-client/made-name',
      'node:fs',
      'node:module',
      'node:path',
      'node:util',
    ],
  },
  mcp: {
    parts: [],
    packages: [
      '@modelcontextprotocol/server',
      '@modelcontextprotocol/server/stdio',
      'mayfly-client',
      'mayfly-client/api',
      'mayfly-client/no-mail',
      'zod',
    ],
  },
  web: {
    parts: [],
    packages: [
      'mayfly-client',
      'mayfly-client/api',
      'mayfly-client/private-name',
      'mayfly-client/listed-wait',
      'mayfly-client/retry',
      'preact',
      'preact/hooks',
    ],
  },
};

/**
 * Single files that may import a package, or a file that the build makes, which the rest of their part may not: each
 * with its reason.
 */
export const FILE_PACKAGES = [
  ...['checks', 'rare-checks'].map((checks) => ({
    file: 'packages/server/src/http/built-api.ts',
    name: `../../api/${checks}.cjs`,
    reason: 'the checks of requests, which tools/build-api.js makes of the schemas',
  })),
  ...['packages/server/src/http/built-api.ts', 'packages/server/src/http/routes/inbox-page.ts'].map((file) => ({
    file,
    name: 'node:fs',
    reason: 'reads what the build makes, at the start, when nothing else waits',
  })),
  {
    file: 'packages/server/src/store/lmdb/folder.ts',
    name: 'node:fs',
    reason: 'asks whether the folder is still there',
  },
  {
    file: 'packages/server/src/store/lmdb/data-file.ts',
    name: 'node:fs/promises',
    reason: 'looks at the data file before LMDB opens it, which would crash on a damaged one',
  },
  {
    file: 'packages/client/src/secrets.ts',
    name: 'node:crypto',
    reason: 'SHA-256 without a promise, asked for at run time where there is Node',
  },
  {
    file: 'packages/client/src/node-fetch.ts',
    name: 'node:http',
    reason: 'in Node, instead of a fetch that would not do',
  },
  {
    file: 'packages/client/src/node-fetch.ts',
    name: 'node:https',
    reason: 'in Node, instead of a fetch that would not do',
  },
  {
    file: 'packages/client/src/playwright.ts',
    name: '@playwright/test',
    reason: "the entry for Playwright, which is the user's own",
  },
  { file: 'packages/client/src/vitest.ts', name: 'vitest', reason: "the entry for Vitest, which is the user's own" },
  {
    file: 'packages/client/src/testcontainers.ts',
    name: 'testcontainers',
    reason: "the entry for Testcontainers, which is the user's own",
  },
  {
    file: 'packages/client/src/unreached.ts',
    name: 'node:net',
    reason: 'tells whether a connection can be opened where no answer comes; only Node has it',
  },
  {
    file: 'packages/client/src/playwright-web-server.ts',
    name: 'node:child_process',
    reason:
      "asks who has the port while Playwright reads the configuration, which does not wait for promises; only Playwright's entry loads it",
  },
  {
    file: 'packages/client/src/run-service.ts',
    name: 'mayfly-inbox',
    reason: 'a run of tests starts the service where the user has installed it',
  },
  {
    file: 'packages/server/src/tls/certificate.ts',
    name: 'node:crypto',
    reason: 'looks whether a certificate is signed with its own key',
  },
  {
    file: 'packages/server/src/tls/certificate-files.ts',
    name: 'node:fs/promises',
    reason: 'reads the files that two settings name',
  },
  {
    file: 'packages/server/src/store/lmdb/folder.ts',
    name: 'node:fs/promises',
    reason: 'looks into the folder that LMDB opens',
  },
  {
    file: 'packages/server/src/smtp/engine/smtp-server.ts',
    name: 'node:timers/promises',
    reason: 'a stop has a bound',
  },
  { file: 'packages/server/src/manifest.ts', name: 'node:fs', reason: "reads the package's own package.json" },
  { file: 'packages/server/src/manifest.ts', name: '../package.json', reason: 'version, and the Node that is needed' },
  ...['packages/server/src/service.ts', 'packages/server/src/inbox/threads/tasks.ts'].map((file) => ({
    file,
    name: `${file.endsWith('service.ts') ? '..' : '../../..'}/extensions.js`,
    reason: 'loads the extensions, which are compiled after the server',
  })),
  {
    file: 'packages/client/src/run-service.ts',
    name: 'node:os',
    reason: 'the temporary folder, for the file of a run',
  },
  {
    file: 'packages/server/src/start-mayfly.ts',
    name: '../bin/service-process.js',
    reason: 'the process in which startMayfly has the service',
  },
  {
    file: 'packages/server/src/start-mayfly.ts',
    name: '../bin/mayfly.js',
    reason: 'the command that writes the file of a run',
  },
  { file: 'packages/server/src/service.ts', name: '../api/', reason: 'what the build makes of the routes' },
  { file: 'packages/server/src/service.ts', name: '../page/', reason: 'the inbox page as the build makes it' },
  {
    file: 'packages/cli/src/service.ts',
    name: 'mayfly-inbox/package.json',
    reason: 'finds the service where the user has installed it',
  },
  { file: 'packages/server/src/base/make-folder.ts', name: 'node:fs/promises', reason: 'makes a folder' },
  {
    file: 'packages/server/src/store/lmdb/disk-room.ts',
    name: 'node:fs/promises',
    reason: 'keeps a file beside that of LMDB, for when the disk is full',
  },
  {
    file: 'packages/server/src/store/lmdb/disk-room.ts',
    name: 'node:os',
    reason: 'knows the numbers of the errors of the system',
  },
];

/** Packages that may stand in more than one file, and why. Every other package is an engine that one file wraps. */
export const SEVERAL_FILES = {
  'mayfly-client': 'it owns the wire types and the rule for names',
  'mayfly-inbox': 'the client and its command line find it where the user has installed it',
  'mayfly-cli': 'it owns what both command lines share',
  'mayfly-mcp': 'a command and a route load it, each when it is used',
  '@modelcontextprotocol/server': 'one file for what both ways serve, and one for each way',
  entities: 'it decodes what pages and previews hold',
  zod: 'its schemas stand in one file, and what is made of them names their types',
  preact: 'every part of the page is written in it',
};
