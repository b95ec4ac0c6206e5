import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { rowName, type SmtpError, smtpErrors } from '../errors.js';
import { HTTP_LIMITS, type HttpEvents, STREAM_RESULTS } from '../http/http.js';
import type { InboxEvents } from '../inbox/inboxes.js';
import type { SettingName } from '../settings/table.js';
import type { SmtpObserver } from '../smtp/observer.js';
import { StoreAwayError, type Usage } from '../store/store.js';

const UNMATCHED = 'unmatched';

const SMTP_LIMITS: ReadonlyMap<SmtpError, SettingName> = new Map<SmtpError, SettingName>([
  [smtpErrors.tooManyMails, 'smtp-limit'],
  [smtpErrors.tooManyConnections, 'smtp-connections'],
  [smtpErrors.allConnectionsTaken, 'smtp-connections-total'],
  [smtpErrors.tooMuchInFlight, 'max-in-flight'],
  [smtpErrors.tooMuchFromClient, 'max-in-flight'],
  [smtpErrors.messageTooLarge, 'max-message'],
  [smtpErrors.tooManyRecipients, 'max-recipients'],
  [smtpErrors.inboxFull, 'max-emails'],
  [smtpErrors.storeFull, 'store-budget'],
  [smtpErrors.tooManySpaceMails, 'space-limit'],
  [smtpErrors.spaceFull, 'space-budget'],
  [smtpErrors.dataTooLate, 'smtp-data-time'],
  [smtpErrors.dataTooSlow, 'smtp-data-speed'],
  [smtpErrors.idleTooLong, 'smtp-idle'],
]);

/** Bounded by the number of routes. */
const routeLabels = new Map<string, string>();

/** A readable route: `/api/inbox/:name/:receivedAt(^…$)` becomes `/api/inbox/{name}/{receivedAt}`. */
function routeLabel(route: string): string {
  let label = routeLabels.get(route);
  if (label === undefined) {
    label = route === '*' ? UNMATCHED : route.replace(/:(\w+)(?:\([^/]*\))?/g, '{$1}');
    routeLabels.set(route, label);
  }
  return label;
}

/** From a small mail on a quiet machine to beyond any patience. */
const DELIVERY_BUCKETS_S = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Streams wait at most 30 s (interface section 8). */
const WAIT_BUCKETS_S = [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 31];

/** Alerts of docs/prometheus/alerts.yml on first occurrence: a series must begin with 0 to grow. */
const ALERTED = [
  smtpErrors.internal,
  smtpErrors.storeAway,
  smtpErrors.storeFull,
  smtpErrors.diskFull,
  smtpErrors.inboxFull,
];

const KIB = 1024;

/** Up to 64 MiB, the most of `max-message`. */
const MESSAGE_BUCKETS_BYTES = [1, 4, 16, 64, 256, 1 * KIB, 4 * KIB, 16 * KIB, 64 * KIB].map((kib) => kib * KIB);

export interface MetricsOptions {
  readonly version: string;
  usage(): Promise<Usage>;
}

export interface Metrics {
  readonly smtp: SmtpObserver;
  readonly inbox: InboxEvents;
  readonly http: HttpEvents;
  readonly contentType: string;
  /** The current figures; without the store's while that is away. */
  text(): Promise<string>;
}

/**
 * Counts what a service does. Labels are closed sets, whatever clients send, without inbox names, addresses or codes: a
 * name is its inbox's secret, and client-made series would fill a scraper's memory.
 */
export function createMetrics(options: MetricsOptions): Metrics {
  const register = new Registry();
  const registers = [register];
  const limited = new Counter({
    name: 'mayfly_limited_total',
    help: 'Requests, connections and messages refused because of a limit, by its setting.',
    labelNames: ['limit'],
    registers,
  });
  for (const limit of [...HTTP_LIMITS, ...SMTP_LIMITS.values()]) limited.inc({ limit }, 0);
  const seconds = new Histogram({
    name: 'mayfly_delivery_seconds',
    help: 'Duration of the stages of a delivery: read (from the reply to DATA to its end), extract (waiting for a turn, and finding code and link), store (until it is on disk), wake (until all waiting clients have been told).',
    labelNames: ['stage'],
    buckets: DELIVERY_BUCKETS_S,
    registers,
  });
  for (const stage of ['read', 'extract', 'store', 'wake']) seconds.zero({ stage });
  addOwnFigures(register, options);
  const ofProcess = processFigures();
  return {
    smtp: smtpFigures(registers, seconds, limited),
    inbox: inboxFigures(registers, seconds),
    http: httpFigures(registers, limited),
    contentType: register.contentType,
    text: () => Registry.merge([ofProcess, register]).metrics(),
  };
}

/** Of the process, which several services may share: the library measures as long as it lives. */
let processRegister: Registry | undefined;

function processFigures(): Registry {
  if (processRegister === undefined) {
    processRegister = new Registry();
    collectDefaultMetrics({ register: processRegister });
  }
  return processRegister;
}

function addOwnFigures(register: Registry, { version, usage }: MetricsOptions): void {
  const registers = [register];
  /** Null while the store is away, when the other figures matter most. */
  const held = async () => {
    try {
      return await usage();
    } catch (error) {
      if (error instanceof StoreAwayError) return null;
      throw error;
    }
  };
  new Gauge({
    name: 'mayfly_build_info',
    help: 'Always 1, with the versions of Mayfly and Node.',
    labelNames: ['version', 'node'],
    registers,
  }).set({ version, node: process.version }, 1);
  new Gauge({
    name: 'mayfly_store_bytes',
    help: 'Bytes of mail in the store, counted as for --store-budget; on Redis, the memory of its servers.',
    registers,
    async collect() {
      setOrOmit(this, (await held())?.bytes);
    },
  });
  new Gauge({
    name: 'mayfly_store_emails',
    help: 'Emails in the store. A cleared email may count until it would have expired.',
    registers,
    async collect() {
      setOrOmit(this, (await held())?.emails);
    },
  });
  new Gauge({
    name: 'mayfly_store_full',
    help: 'Redis only: 1 while a server has no memory left for mail (maxmemory), otherwise 0.',
    registers,
    async collect() {
      const isFull = (await held())?.isFull;
      setOrOmit(this, isFull === undefined ? undefined : Number(isFull));
    },
  });
}

/** Shows a figure, or no series if unknown: 0 would be wrong. */
function setOrOmit(gauge: Gauge, value: number | undefined): void {
  if (value === undefined) gauge.remove();
  else gauge.set(value);
}

type Limited = Counter<'limit'>;
type Seconds = Histogram<'stage'>;

function smtpFigures(registers: Registry[], seconds: Seconds, limited: Limited): SmtpObserver {
  const connections = new Counter({
    name: 'mayfly_smtp_connections_total',
    help: 'SMTP connections: accepted, or refused with a row of the table of errors.',
    labelNames: ['result'],
    registers,
  });
  const open = new Gauge({
    name: 'mayfly_smtp_connections_open',
    help: 'Open SMTP connections.',
    registers,
  });
  const messages = new Counter({
    name: 'mayfly_smtp_messages_total',
    help: 'Messages by result: stored; refused with a row of the table of errors, at MAIL, RCPT (each recipient counts), DATA or the end; lost if the client left in the middle.',
    labelNames: ['result', 'reason'],
    registers,
  });
  const bytes = new Histogram({
    name: 'mayfly_smtp_message_bytes',
    help: 'Sizes of stored messages.',
    buckets: MESSAGE_BUCKETS_BYTES,
    registers,
  });
  const read = seconds.labels({ stage: 'read' });
  for (const error of [smtpErrors.tooManyConnections, smtpErrors.allConnectionsTaken]) {
    connections.inc({ result: rowName(error) }, 0);
  }
  const countLimit = (error: SmtpError) => {
    const limit = SMTP_LIMITS.get(error);
    if (limit !== undefined) limited.inc({ limit });
  };
  // Looked up once: every mail counts them.
  const accepted = connections.labels({ result: 'accepted' });
  const stored = messages.labels({ result: 'stored', reason: '' });
  accepted.inc(0);
  stored.inc(0);
  for (const error of ALERTED) messages.inc({ result: 'refused', reason: rowName(error) }, 0);
  return {
    connected() {
      accepted.inc();
      open.inc();
    },
    ended: () => open.dec(),
    turnedAway({ error, name }) {
      connections.inc({ result: name });
      countLimit(error);
    },
    received: (ms) => read.observe(ms / 1000),
    stored(message) {
      stored.inc();
      bytes.observe(message.bytes);
    },
    refused({ error, name }, part) {
      if (part === 'command') return;
      messages.inc({ result: 'refused', reason: name });
      countLimit(error);
    },
    lost: () => messages.inc({ result: 'lost', reason: '' }),
  };
}

function inboxFigures(registers: Registry[], seconds: Seconds): InboxEvents {
  const [extract, store, wake] = [
    seconds.labels({ stage: 'extract' }),
    seconds.labels({ stage: 'store' }),
    seconds.labels({ stage: 'wake' }),
  ] as const;
  const extractions = new Counter({
    name: 'mayfly_extractions_total',
    help: 'Parsed messages, by whether they have a one-time code (otp) and a magic link (link).',
    labelNames: ['kind', 'found'],
    registers,
  });
  const counted = (kind: 'otp' | 'link') => {
    const [found, missed] = [extractions.labels({ kind, found: 'true' }), extractions.labels({ kind, found: 'false' })];
    found.inc(0);
    missed.inc(0);
    return (isThere: boolean) => (isThere ? found : missed).inc();
  };
  const [countOtp, countLink] = [counted('otp'), counted('link')];
  return {
    extracted(ms, { hasOtp, hasMagicLink }) {
      extract.observe(ms / 1000);
      countOtp(hasOtp);
      countLink(hasMagicLink);
    },
    stored: (ms) => store.observe(ms / 1000),
    told: (ms) => wake.observe(ms / 1000),
  };
}

function httpFigures(registers: Registry[], limited: Limited): HttpEvents {
  const open = new Gauge({ name: 'mayfly_streams_open', help: 'Open streams.', registers });
  const waits = new Histogram({
    name: 'mayfly_stream_wait_seconds',
    help: 'How long streams waited, by how they ended: with an email, with the timeout, gone (the client left), stopped (the service stopped) or failed.',
    labelNames: ['result'],
    buckets: WAIT_BUCKETS_S,
    registers,
  });
  for (const result of STREAM_RESULTS) waits.zero({ result });
  const requests = new Counter({
    name: 'mayfly_http_requests_total',
    help: 'Answered requests, by route, status and the source that the client names.',
    labelNames: ['route', 'status', 'source'],
    registers,
  });
  return {
    answered(route, status, source) {
      requests.inc({ route: route === null ? UNMATCHED : routeLabel(route), status, source });
    },
    streamOpened: () => open.inc(),
    streamClosed: () => open.dec(),
    streamEnded: (result, ms) => waits.observe({ result }, ms / 1000),
    limited: (limit) => limited.inc({ limit }),
  };
}
