// What may import what. `tools/check-imports.js` holds it; CONTRIBUTING.md says why. A part is a folder of server/src, a file
// of its own (main.ts, start-mayfly.ts, service.ts), `base` for the files beside them, or a whole workspace (cli, client, mcp, web).

/** For each part: the other parts and the packages that its files may import. Node's own modules count as packages. */
export const PARTS = {
  main: { parts: ['commands', 'settings', 'base'], packages: ['mayfly-cli'] },
  'start-mayfly': { parts: ['service', 'settings', 'base'], packages: [] },
  commands: {
    parts: ['service', 'doctor', 'inbox', 'store', 'mail', 'settings', 'base'],
    packages: [
      'mayfly-cli',
      'mayfly-client/inbox-name',
      'mayfly-mcp/stdio',
      'node:events',
      'node:fs',
      'node:fs/promises',
      'node:http',
      'node:net',
      'node:os',
      'node:stream',
      'node:util',
    ],
  },
  service: {
    parts: ['metrics', 'smtp', 'http', 'drop-in', 'inbox', 'store', 'limits', 'settings', 'base'],
    packages: ['node:url'],
  },
  doctor: {
    parts: ['settings', 'limits', 'base'],
    packages: ['node:crypto', 'node:dns/promises', 'node:fs/promises', 'node:net', 'node:path'],
  },
  metrics: {
    parts: ['smtp', 'http', 'inbox', 'store', 'settings', 'base'],
    packages: ['node:http', 'node:net', 'prom-client'],
  },
  smtp: {
    parts: ['inbox', 'limits', 'base'],
    packages: ['node:net', 'node:stream', 'node:timers/promises', 'node:tls', 'node:worker_threads', 'selfsigned'],
  },
  http: {
    parts: ['inbox', 'limits', 'settings', 'base'],
    packages: [
      '@fastify/cors',
      '@fastify/swagger',
      'content-disposition',
      'fastify',
      'mayfly-client',
      'mayfly-client/api',
      'mayfly-client/inbox-name',
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
  'drop-in': {
    parts: ['http', 'inbox', 'limits', 'settings', 'base'],
    packages: ['mayfly-client/inbox-name', 'nodemailer/lib/mail-composer'],
  },
  inbox: {
    parts: ['mail', 'store', 'limits', 'base'],
    packages: ['mayfly-client', 'mayfly-client/inbox-name', 'node:buffer', 'node:crypto', 'node:worker_threads'],
  },
  mail: { parts: [], packages: ['node:buffer', 'node:crypto'] },
  store: {
    parts: ['base'],
    packages: ['@redis/client', 'lmdb', 'node:crypto', 'node:path', 'node:util', 'node:zlib'],
  },
  limits: { parts: ['base'], packages: ['ipaddr.js', 'node:crypto', 'node:net'] },
  settings: { parts: ['limits', 'store', 'base'], packages: ['node:os'] },
  base: { parts: [], packages: ['pino', 'pino-pretty'] },
  client: { parts: [], packages: [] },
  cli: { parts: [], packages: ['mayfly-client', 'node:fs', 'node:module', 'node:path', 'node:util'] },
  mcp: {
    parts: [],
    packages: [
      '@modelcontextprotocol/server',
      '@modelcontextprotocol/server/stdio',
      'mayfly-client',
      'mayfly-client/api',
      'zod',
    ],
  },
  web: { parts: [], packages: ['mayfly-client', 'mayfly-client/api', 'mayfly-client/retry', 'preact', 'preact/hooks'] },
};

/** Single files that may import a package, or a file that the build makes, which the rest of their part may not: each with its reason. */
export const FILE_PACKAGES = [
  {
    file: 'server/src/http/built-api.ts',
    name: './checks.cjs',
    reason: 'the checks of requests, which tools/build-api.js makes of the schemas',
  },
  { file: 'server/src/store/lmdb/folder.ts', name: 'node:fs', reason: 'asks whether the folder is still there' },
  {
    file: 'server/src/store/lmdb/data-file.ts',
    name: 'node:fs/promises',
    reason: 'looks at the data file before LMDB opens it, which would crash on a damaged one',
  },
  {
    file: 'client/src/playwright.ts',
    name: '@playwright/test',
    reason: "the entry for Playwright, which is the user's own",
  },
  { file: 'client/src/vitest.ts', name: 'vitest', reason: "the entry for Vitest, which is the user's own" },
  {
    file: 'client/src/run-service.ts',
    name: 'mayfly-inbox',
    reason: 'a run of tests starts the service where the user has installed it',
  },
  {
    file: 'server/src/settings/certificate-files.ts',
    name: 'node:fs/promises',
    reason: 'reads the files that two settings name',
  },
  {
    file: 'server/src/store/lmdb/folder.ts',
    name: 'node:fs/promises',
    reason: 'looks into the folder that LMDB opens',
  },
  { file: 'server/src/manifest.ts', name: 'node:fs', reason: "reads the package's own package.json" },
  { file: 'server/src/store/lmdb/make-folder.ts', name: 'node:fs/promises', reason: 'makes that folder' },
];

/** Packages that may stand in more than one file, and why. Every other package is an engine that one file wraps. */
export const SEVERAL_FILES = {
  'mayfly-client': 'it owns the wire types and the rule for names',
  'mayfly-cli': 'it owns what both command lines share',
  'mayfly-mcp': 'a command and a route load it, each when it is used',
  '@modelcontextprotocol/server': 'one file for what both ways serve, and one for each way',
  zod: 'its schemas stand in one file, and what is made of them names their types',
  preact: 'every part of the page is written in it',
};

/** Parts that only turn values into values, or keep what they are given: time, chance and the outside are arguments. */
export const PURE_PARTS = ['mail', 'store'];

/** Names of the outside that a file of a pure part uses all the same, each with its reason. */
export const IMPURE_NAMES = [
  {
    file: 'server/src/store/lmdb/turn.ts',
    name: 'setImmediate',
    reason: 'a long read lets the event loop turn between its pieces; it measures no time',
  },
  {
    file: 'server/src/store/lmdb/news.ts',
    name: 'setInterval',
    reason: 'LMDB tells nobody that another process has written, so that is looked for; it measures no time',
  },
  {
    file: 'server/src/store/redis/connection.ts',
    name: 'setTimeout',
    reason: 'a server that does not answer must not hold up whoever asked',
  },
  {
    file: 'server/src/store/redis/delays.ts',
    name: 'setTimeout',
    reason: 'the cluster is asked again who has the slots of a master that does not answer',
  },
  {
    file: 'server/src/store/redis/server.ts',
    name: 'Date.now',
    reason: "compares this machine's clock with the server's, by which all nodes go",
  },
];
