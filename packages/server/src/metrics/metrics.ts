import type { AddressInfo } from 'node:net';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Clock } from '../base/clock.js';
import { withPort } from '../base/listen-address.js';
import type { Log } from '../base/log.js';
import { httpErrors, rowName, type SmtpError, smtpErrors } from '../errors.js';
import { checkHead, checkHost, hostOf, pathOf } from '../http/access/host.js';
import { peersOf } from '../http/access/peers.js';
import { RequestError } from '../http/answer/request-error.js';
import { createApp } from '../http/framework.js';
import { HTTP_LIMITS, type HttpEvents, STREAM_RESULTS } from '../http/http-events.js';
import type { InboxEvents } from '../inbox/inboxes.js';
import { isLocalOnly } from '../limits/client-address.js';
import { manifest } from '../manifest.js';
import type { ListenAddress } from '../settings/kinds.js';
import { listenError } from '../settings/resources.js';
import type { SettingName, Settings } from '../settings/table.js';
import type { SmtpObserver } from '../smtp/observer.js';
import { StoreAwayError, type Usage } from '../store/store.js';

const SMTP_LIMITS: ReadonlyMap<SmtpError, SettingName> = new Map<SmtpError, SettingName>([
  [smtpErrors.tooManyMails, 'smtp-limit'],
  [smtpErrors.tooManyConnections, 'smtp-connections'],
  [smtpErrors.allConnectionsTaken, 'smtp-connections-total'],
  [smtpErrors.tooMuchInFlight, 'max-in-flight'],
  [smtpErrors.tooMuchFromClient, 'max-in-flight'],
  [smtpErrors.messageTooLarge, 'max-message'],
  [smtpErrors.tooManyRecipients, 'max-recipients'],
  [smtpErrors.inboxFull, 'max-emails'],
  [smtpErrors.storeFull, 'store-quota'],
  [smtpErrors.tooManySpaceMails, 'ad-hoc-limit'],
  [smtpErrors.spaceFull, 'ad-hoc-quota'],
  [smtpErrors.dataTooLate, 'smtp-data-time'],
  [smtpErrors.dataTooSlow, 'smtp-data-speed'],
  [smtpErrors.idleTooLong, 'smtp-idle'],
]);

/** Delivery times, from a small message on a quiet machine to longer than anyone waits. */
const DELIVERY_BUCKETS_S = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Up to 31 s, because streams wait at most 30 s (interface section 8). */
const WAIT_BUCKETS_S = [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 31];

/** Errors whose series begin with 0, so that alerts notice the first occurrence (docs/prometheus/alerts.yml). */
const ALERTED = [
  smtpErrors.internal,
  smtpErrors.storeAway,
  smtpErrors.storeFull,
  smtpErrors.diskFull,
  smtpErrors.inboxFull,
];

const KIB = 1024;

/** Up to 64 MiB, the maximum of `max-message`. */
const MESSAGE_BUCKETS_BYTES = [1, 4, 16, 64, 256, 1 * KIB, 4 * KIB, 16 * KIB, 64 * KIB].map((kib) => kib * KIB);

/** Process metrics, shared by all services in the process, because the library cannot stop collecting them. */
let processRegister: Registry | undefined;

/** Labels come from closed sets: clients must not fill a scraper's memory, and an inbox name is a secret. */
function createMetrics(usage: () => Promise<Usage>) {
  const register = new Registry();
  const makers = makersIn(register);
  const limited = makers.counter(
    'mayfly_limited_total',
    'Requests, connections and messages refused because of a limit, by its setting.',
    'limit',
  );
  for (const limit of [...HTTP_LIMITS, ...SMTP_LIMITS.values()]) limited.inc({ limit }, 0);
  const seconds = makers.histogram(
    'mayfly_delivery_seconds',
    'Duration of the stages of a delivery: read (from the reply to DATA to the end of the message), extract (waiting for a turn, and finding code and link), store (until it is on disk), wake (until all waiting clients are notified).',
    DELIVERY_BUCKETS_S,
    'stage',
  );
  for (const stage of ['read', 'extract', 'store', 'wake']) seconds.zero({ stage });
  addOwnFigures(makers, usage);
  if (processRegister === undefined) {
    processRegister = new Registry();
    collectDefaultMetrics({ register: processRegister });
  }
  const registers = [processRegister, register];
  return {
    smtp: smtpFigures(makers, seconds, limited),
    inbox: inboxFigures(makers, seconds),
    http: httpFigures(makers, limited),
    contentType: register.contentType,
    text: () => Registry.merge(registers).metrics(),
  };
}

type Makers = ReturnType<typeof makersIn>;
type Limited = Counter<'limit'>;
type Seconds = Histogram<'stage'>;

function makersIn(register: Registry) {
  const registers = [register];
  return {
    counter: <L extends string>(name: string, help: string, ...labelNames: L[]) =>
      new Counter({ name, help, labelNames, registers }),
    histogram: <L extends string>(name: string, help: string, buckets: number[], ...labelNames: L[]) =>
      new Histogram({ name, help, buckets, labelNames, registers }),
    gauge: <L extends string>(name: string, help: string, ...labelNames: L[]) =>
      new Gauge({ name, help, labelNames, registers }),
    /** Calls `value` at each scrape. If `value` resolves to undefined, omits the series, because 0 would be wrong. */
    measured(name: string, help: string, value: () => Promise<number | undefined>) {
      const collect = async () => {
        const now = await value();
        if (now === undefined) gauge.remove();
        else gauge.set(now);
      };
      const gauge: Gauge = new Gauge({ name, help, registers, collect });
    },
  };
}

function addOwnFigures({ gauge, measured }: Makers, usage: () => Promise<Usage>): void {
  gauge('mayfly_build_info', 'Always 1, with the versions of Mayfly and Node.', 'version', 'node').set(
    { version: manifest.version, node: process.version },
    1,
  );
  /** The store's usage; null while the store is unreachable, so that scrapes still get the other figures. */
  const held = () =>
    usage().catch((error) => {
      if (error instanceof StoreAwayError) return null;
      throw error;
    });
  measured(
    'mayfly_store_bytes',
    'Bytes of mail in the store, counted as for --store-quota; on Redis, the memory of its servers.',
    async () => (await held())?.bytes,
  );
  measured(
    'mayfly_store_emails',
    'Emails in the store. A cleared email may count until it would have expired.',
    async () => (await held())?.emails,
  );
  measured(
    'mayfly_store_full',
    'Redis only: 1 while a server has no memory left for mail (maxmemory), otherwise 0.',
    async () => {
      const isFull = (await held())?.isFull;
      return isFull === undefined ? undefined : Number(isFull);
    },
  );
}

function smtpFigures({ counter, gauge, histogram }: Makers, seconds: Seconds, limited: Limited): SmtpObserver {
  const connections = counter(
    'mayfly_smtp_connections_total',
    'SMTP connections by result: accepted, or the name of the error that refused them.',
    'result',
  );
  const open = gauge('mayfly_smtp_connections_open', 'Open SMTP connections.');
  const messages = counter(
    'mayfly_smtp_messages_total',
    'Messages by result: stored, lost (the client left in the middle), or refused, with the name of the error as the reason. A message may be refused at MAIL, RCPT (each recipient counts), DATA or the end of the message.',
    'result',
    'reason',
  );
  const bytes = histogram('mayfly_smtp_message_bytes', 'Sizes of stored messages.', MESSAGE_BUCKETS_BYTES);
  const read = seconds.labels({ stage: 'read' });
  for (const error of [smtpErrors.tooManyConnections, smtpErrors.allConnectionsTaken]) {
    connections.inc({ result: rowName(error) }, 0);
  }
  const countLimit = (error: SmtpError) => {
    const limit = SMTP_LIMITS.get(error);
    if (limit !== undefined) limited.inc({ limit });
  };
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

function inboxFigures({ counter }: Makers, seconds: Seconds): InboxEvents {
  const observing = (stage: string) => {
    const figure = seconds.labels({ stage });
    return (ms: number) => figure.observe(ms / 1000);
  };
  const extractions = counter(
    'mayfly_extractions_total',
    'Parsed messages, by whether they have a one-time code (otp) and a magic link (link).',
    'kind',
    'found',
  );
  const counted = (kind: 'otp' | 'link', isThere: boolean, count = 1) =>
    extractions.inc({ kind, found: String(isThere) }, count);
  for (const kind of ['otp', 'link'] as const) for (const isThere of [true, false]) counted(kind, isThere, 0);
  const extract = observing('extract');
  return {
    extracted(ms, { hasOtp, hasMagicLink }) {
      extract(ms);
      counted('otp', hasOtp);
      counted('link', hasMagicLink);
    },
    stored: observing('store'),
    told: observing('wake'),
  };
}

function httpFigures({ counter, gauge, histogram }: Makers, limited: Limited): HttpEvents {
  const open = gauge('mayfly_streams_open', 'Open streams.');
  const waits = histogram(
    'mayfly_stream_wait_seconds',
    'How long streams waited, by how they ended: with an email, with the timeout, gone (the client left), stopped (the service stopped) or failed.',
    WAIT_BUCKETS_S,
    'result',
  );
  for (const result of STREAM_RESULTS) waits.zero({ result });
  const requests = counter(
    'mayfly_http_requests_total',
    'Answered requests, by route, status and the source that the client names.',
    'route',
    'status',
    'source',
  );
  return {
    answered(route, status, source) {
      // Makes a route readable: `/api/inbox/:name/:receivedAt(^…$)` becomes `/api/inbox/{name}/{receivedAt}`.
      const shown = (route ?? '*').replace(/:(\w+)(?:\([^/]*\))?/g, '{$1}').replace(/^\*$/, 'unmatched');
      requests.inc({ route: shown, status, source });
    },
    streamOpened: () => open.inc(),
    streamClosed: () => open.dec(),
    streamEnded: (result, ms) => waits.observe({ result }, ms / 1000),
    limited: (limit) => limited.inc({ limit }),
  };
}

const PATH = '/metrics';

/** Maximum number of concurrent connections. Others are closed without a reply. */
const MAX_CONNECTIONS = 32;

const TIMEOUT_MS = 5_000;

const MAX_BODY_BYTES = 1024;

/** Serves event counts at `/metrics` without a login. Rejects with an error for the operator if it cannot listen. */
export async function startMetrics(settings: Settings, usage: () => Promise<Usage>, clock: Clock, log: Log) {
  const { host, port } = settings.metrics as ListenAddress;
  const events = createMetrics(usage);
  const localOnly = isLocalOnly(host);
  const app = await createApp(
    {
      limits: {
        headerTimeoutMs: TIMEOUT_MS,
        requestTimeoutMs: TIMEOUT_MS,
        maxBodyBytes: MAX_BODY_BYTES,
        connections: { total: MAX_CONNECTIONS, perClient: MAX_CONNECTIONS },
      },
      peers: peersOf([]),
      clock,
      log,
      corsOrigins: [],
      answerLost: null,
      checks() {
        throw new Error('no metrics route has a schema');
      },
    },
    async ({ raw }) => {
      checkHead(raw);
      // A stranger's web page, whose host name resolves to this machine, must not read the metrics (D17).
      if (localOnly) checkHost(hostOf(raw));
      if (pathOf(raw.url ?? '') !== PATH) throw new RequestError(httpErrors.notMetrics);
    },
  );
  let collecting: Promise<string> | null = null;
  // Scrapes are rare, and an idle connection would take one of few places.
  app.addHook('onSend', async (_request, reply) => void reply.header('connection', 'close'));
  app.get(PATH, async (_request, reply) => {
    reply.type(events.contentType);
    // Collects once for simultaneous scrapes.
    collecting ??= events.text().finally(() => {
      collecting = null;
    });
    return collecting;
  });
  await app.listen({ host, port }).catch((error) => {
    throw listenError(error, 'metrics', settings);
  });
  const { port: bound } = app.server.address() as AddressInfo;
  const url = `http://${withPort(host, bound)}${PATH}`;
  log.info(`Metrics are at ${url}`);
  return {
    events,
    url,
    async stop() {
      app.server.closeAllConnections();
      await app.close();
    },
  };
}
