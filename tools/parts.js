// The parts of packages/server/src: a part is a folder, a file of its own, or `base` with the files beside them. `uses`
// names the other parts that it may import, `door` its files that other parts may import. `.dependency-cruiser.mjs`
// enforces both.

/** Parts that are a single file beside the folders. All other files there belong to `base`. */
export const FILES = ['main', 'service', 'service-process', 'start-mayfly', 'worker'];

export const PARTS = {
  main: { uses: ['commands', 'plugin', 'settings', 'base'], door: ['main'] },
  'start-mayfly': { uses: ['service-process', 'plugin', 'settings', 'base'], door: ['start-mayfly'] },
  worker: { uses: ['plugin', 'inbox'], door: ['worker'] },
  'service-process': { uses: ['service', 'plugin', 'settings', 'base'], door: ['service-process'] },
  commands: {
    uses: ['service', 'doctor', 'plugin', 'inbox', 'store', 'settings', 'base'],
    door: ['command', 'doctor', 'export', 'extract', 'healthy', 'mcp', 'serve', 'waitlist'],
  },
  service: {
    uses: [
      ...['tls', 'metrics', 'smtp', 'http', 'plugin', 'attempts', 'runs', 'inbox'],
      ...['store', 'limits', 'settings', 'base'],
    ],
    door: ['service'],
  },
  doctor: { uses: ['tls', 'settings', 'limits', 'base'], door: ['examine', 'finding', 'check-ports'] },
  metrics: { uses: ['smtp', 'http', 'inbox', 'store', 'settings', 'base'], door: ['metrics-listener', 'metrics'] },
  smtp: { uses: ['tls', 'inbox', 'limits', 'settings', 'base'], door: ['observer', 'replies', 'server'] },
  http: { uses: ['attempts', 'runs', 'inbox', 'limits', 'settings', 'base'], door: ['http'] },
  plugin: {
    uses: ['doctor', 'http', 'attempts', 'inbox', 'limits', 'settings', 'base'],
    door: ['define', 'installed', 'plugin-module', 'plugins'],
  },
  inbox: {
    uses: ['store', 'limits', 'base'],
    door: [
      ...['addressing', 'all/all-mail', 'held-back', 'records', 'inboxes', 'purging', 'read/read', 'spaces'],
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
      ...['refusals', 'semaphore', 'shared-limits', 'tried-names'],
    ],
  },
  settings: {
    uses: ['limits', 'store', 'base'],
    door: ['configured-store', 'kinds', 'ports', 'reading', 'setting', 'start-options', 'system-errors', 'table'],
  },
  tls: { uses: ['settings', 'base'], door: ['certificate-files', 'certificate'] },
  base: {
    uses: [],
    door: ['bounded-map', 'clock', 'closing', 'counted-lines', 'listen-address', 'log', 'make-folder', 'named-error'],
  },
};

/** The files of packages/mail/src that the service imports, as `mayfly-mail/internal/…`. */
export const MAIL_DOOR = [
  ...['contents', 'extract/explain', 'extract/listing', 'message-reading', 'mime/line-ends', 'mime/parse'],
  ...['mime/part-list', 'mime/portions', 'preview-document', 'read-mail', 'text'],
];
