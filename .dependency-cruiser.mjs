// Lists which parts of packages/ and plugins/ may import which. Run by `npm run check`. CONTRIBUTING.md has the parts.

const SERVER = 'packages/server/src';

/** Parts that are a single file next to the folders. All other files there are part of `base`. */
const FILES = ['main', 'service', 'service-process', 'start-mayfly', 'worker'];

/**
 * A part is a folder, one of FILES, or `base`, which has all other files next to the folders. `uses` names the other
 * parts that a part may import, and `door` the part's files that other parts may import.
 */
const PARTS = {
  main: { uses: ['commands', 'plugin', 'settings', 'base'], door: ['main'] },
  'start-mayfly': { uses: ['service-process', 'plugin', 'settings', 'base'], door: ['start-mayfly'] },
  worker: { uses: ['plugin', 'inbox'], door: ['worker'] },
  'service-process': { uses: ['service', 'plugin', 'settings', 'base'], door: ['service-process'] },
  commands: {
    uses: ['service', 'doctor', 'plugin', 'inbox', 'store', 'settings', 'base'],
    door: ['command', 'doctor', 'extract', 'running-service', 'serve', 'store'],
  },
  service: {
    uses: [
      ...['tls', 'metrics', 'smtp', 'http', 'plugin', 'attempts', 'runs', 'inbox'],
      ...['store', 'limits', 'settings', 'base'],
    ],
    door: ['service'],
  },
  executable: { uses: ['store', 'base'], door: [] },
  doctor: { uses: ['tls', 'settings', 'limits', 'base'], door: ['examine', 'finding', 'check-ports'] },
  metrics: {
    uses: ['smtp', 'http', 'inbox', 'store', 'limits', 'settings', 'base'],
    door: ['metrics'],
  },
  smtp: { uses: ['tls', 'inbox', 'limits', 'settings', 'base'], door: ['observer', 'replies', 'server'] },
  http: {
    uses: ['attempts', 'runs', 'inbox', 'limits', 'settings', 'base'],
    door: [
      ...['access/access', 'access/host', 'access/keys', 'access/peers', 'answer/answers', 'answer/open-streams'],
      ...['answer/request-error', 'app', 'built-api', 'framework', 'http-events', 'parts', 'request/bodies'],
      ...['request/fields', 'request/known-paths', 'request/parameters', 'routes/email', 'routes/inbox-page'],
    ],
  },
  plugin: {
    uses: ['doctor', 'http', 'attempts', 'inbox', 'limits', 'settings', 'base'],
    door: ['define', 'installed', 'plugin-module', 'plugins'],
  },
  inbox: {
    uses: ['store', 'limits', 'base'],
    door: [
      ...['ad-hoc', 'addressing', 'all-mail', 'held-back', 'records', 'inboxes', 'purging', 'read/read'],
      ...['threads/parser-pool', 'threads/tasks'],
    ],
  },
  attempts: { uses: ['smtp', 'inbox', 'base'], door: ['book', 'shown-attempts'] },
  runs: { uses: ['base'], door: ['run-book'] },
  store: { uses: ['limits', 'base'], door: ['open-store', 'store'] },
  limits: {
    uses: ['base'],
    door: [
      ...['client-address', 'client-memory', 'event-loop', 'fair-queue', 'limits', 'quota', 'rate-limiter'],
      'semaphore',
    ],
  },
  settings: {
    uses: ['limits', 'store', 'base'],
    door: ['kinds', 'reading', 'resources', 'start-options', 'table'],
  },
  tls: { uses: ['settings', 'base'], door: ['certificate'] },
  base: {
    uses: [],
    door: ['bounded-map', 'clock', 'closing', 'counted-lines', 'listen-address', 'log', 'make-folder'],
  },
};

/** The files of packages/mail/src that the service imports, as `mayfly-mail/internal/…`. */
const MAIL_DOOR = [
  ...['contents', 'extract/explain', 'extract/listing', 'message-reading', 'mime/line-ends', 'mime/parse'],
  ...['mime/part-list', 'mime/portions', 'preview-document', 'read-mail', 'text'],
];

/** The engines: packages that Mayfly could replace, each with the only files that may import it. */
const ENGINES = {
  '@fastify/(cors|swagger)|fastify': `${SERVER}/http/framework.ts`,
  'ioredis|cluster-key-slot': 'packages/store-redis/src/',
  lmdb: `${SERVER}/store/lmdb/`,
  'prom-client': `${SERVER}/metrics/metrics.ts`,
  'pino|pino-pretty': `${SERVER}/base/log.ts`,
  selfsigned: `${SERVER}/tls/certificate.ts`,
  'ipaddr.js': `${SERVER}/limits/client-address.ts`,
  nodemailer: 'plugins/shared/src/compose-letter.ts',
  'content-disposition': `${SERVER}/http/routes/email.ts`,
  entities: '(packages/mail|plugins/mail-check)/src/',
  '@modelcontextprotocol/server|zod': 'packages/mcp/src/',
  '@fastify/busboy': 'plugins/shared/src/sending/form.ts',
  ws: 'plugins/mailpit/src/event-socket.ts',
  '@fastify/websocket': 'plugins/mailpit/src/events-route.ts',
  preact: 'packages/web/src/',
  '@playwright/test': 'packages/client/src/fixtures/playwright.ts',
  testcontainers: 'packages/client/src/fixtures/testcontainers.ts',
};

/** Files of the client that only Node loads. All other files of the client also run in a browser. */
const NODE_ONLY = 'node-fetch|playwright-web-server|run-service';

/** Node's own modules that neither read a clock nor reach outside the process. */
const PURE_MODULES = '^(buffer|crypto|path|util|zlib)$';

/** Files of the stores that may access the disk. */
const STORE_FILES = `^${SERVER}/store/lmdb/(data-file|disk-room|open-lmdb)\\.ts$`;

function escaped(text) {
  return text.replaceAll('.', '\\.');
}

/** Returns an expression for the paths of a part's files. */
function pathOf(part) {
  if (part === 'base') return `^${SERVER}/(base/|(?!(${FILES.join('|')})\\.ts)[\\w-]+\\.ts)`;
  return `^${SERVER}/${part}${FILES.includes(part) ? '\\.ts$' : '/'}`;
}

/** Returns an expression for the paths of the files that a part lets other parts import. */
function doorOf(part) {
  const { door } = PARTS[part];
  if (part === 'base') return `^${SERVER}/(base/(${door.join('|')})|[\\w-]+)\\.ts$`;
  return FILES.includes(part) ? pathOf(part) : `^${SERVER}/${part}/(${door.join('|')})\\.ts$`;
}

function forbid(name, comment, from, to) {
  return { name, comment, severity: 'error', from, to };
}

const directions = Object.entries(PARTS).map(([part, { uses }]) =>
  forbid(
    `${part}-uses`,
    `${part} may import ${uses.join(', ') || 'no other part'}.`,
    { path: pathOf(part) },
    { path: `^${SERVER}/`, pathNot: [part, ...uses].map(pathOf) },
  ),
);

const doors = Object.keys(PARTS).map((part) =>
  forbid(
    `${part}-door`,
    `Other parts may import only the files of ${part} that PARTS lists as its door.`,
    { path: `^${SERVER}/`, pathNot: pathOf(part) },
    { path: pathOf(part), pathNot: doorOf(part) },
  ),
);

const engines = Object.entries(ENGINES).map(([names, place]) =>
  forbid(
    `engine-${names.replace(/[^\w]+/g, '-')}`,
    `Only ${place} imports ${names}.`,
    { pathNot: `^${escaped(place)}` },
    { path: `(^|/)node_modules/(${escaped(names)})/`, dependencyTypesNot: ['type-only'] },
  ),
);

/** The other workspaces that each workspace may import. PARTS has the parts of the server. */
const WORKSPACES = {
  // The client imports `start-mayfly`, because a test run starts the service if the user has installed it.
  'packages/protocol': [],
  'packages/client': ['packages/protocol', 'packages/server/bin/start-mayfly\\.js$'],
  'packages/cli': ['packages/client', 'packages/protocol'],
  'packages/mcp': ['packages/client', 'packages/protocol'],
  'packages/mail': [],
  'packages/web': ['packages/client', 'packages/protocol'],
  'packages/server': [
    ...['packages/client', 'packages/cli', 'packages/mcp', 'packages/protocol'],
    'packages/store-redis',
    `packages/mail/dist/(${MAIL_DOOR.join('|')})\\.`,
  ],
  'packages/store-redis': ['packages/server/dist/store/seam\\.'],
  'plugins/[\\w-]+': [
    ...[
      'packages/protocol',
      'packages/mail',
      'packages/server/bundle/plugin\\.',
      'packages/server/dist/plugin/plugin\\.',
    ],
    'plugins/shared/dist',
  ],
};

const workspaces = Object.entries(WORKSPACES).map(([workspace, others]) =>
  forbid(
    `workspace-${workspace.replace(/[^\w]+/g, '-')}`,
    'A workspace imports only the workspaces that WORKSPACES lists for it.',
    { path: `^(${workspace})/src/` },
    { path: '^(packages|plugins)/', pathNot: ['^$1/', ...others.map((other) => `^${other}`)] },
  ),
);

const outside = [
  forbid(
    'client-in-browser',
    'The client also runs in browsers, so only files that no browser loads may import modules of Node.',
    { path: '^packages/(client|mcp|web)/src/', pathNot: `^packages/client/src/\\w+/(${NODE_ONLY})\\.ts$` },
    { dependencyTypes: ['core'] },
  ),
  forbid(
    'pure-parts',
    'mail and store have no side effects: time, random values and I/O are arguments.',
    { path: `^(packages/(mail|store-redis)/src|${SERVER}/store)/`, pathNot: STORE_FILES },
    { dependencyTypes: ['core'], pathNot: [PURE_MODULES, '^os$'] },
  ),
  forbid(
    'store-redis-when-named',
    'Imports of the store on Redis must be dynamic, so that only a service that uses Redis loads it.',
    { path: '^packages/' },
    { path: '^packages/store-redis/dist/', dynamic: false },
  ),
  forbid(
    'store-redis-place',
    'Only open-store.ts imports the store on Redis.',
    { path: '^(packages|plugins)/', pathNot: `^${SERVER}/store/open-store\\.ts$` },
    { path: '^packages/store-redis/dist/' },
  ),
  forbid(
    'threads',
    'Threads start in one file.',
    { path: '^(packages|plugins)/', pathNot: `^${SERVER}/inbox/threads/(parser-pool|tasks)\\.ts$` },
    { path: '^worker_threads$' },
  ),
];

export default {
  forbidden: [
    forbid('no-cycles', 'No file imports itself, not even through other files.', {}, { circular: true }),
    forbid(
      'resolvable',
      'Every import leads to a file or a package.',
      // Excludes the web UI, whose imports Vite resolves and checks.
      { pathNot: '^packages/web/' },
      { couldNotResolve: true },
    ),
    ...directions,
    ...doors,
    ...engines,
    ...workspaces,
    ...outside,
  ],
  options: {
    // Parses with swc, because TypeScript 7 has no API for parsers.
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: ['node_modules', '/dist/', '/bundle/'] },
    // Excludes JSX, which the parser cannot read. biome.jsonc has the rules for the web UI.
    exclude: { path: '/test/|/dist/.*\\.d\\.ts$|\\.tsx$' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.d.ts'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'default'],
    },
  },
};
