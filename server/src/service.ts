import { fileURLToPath } from 'node:url';
import { watchCertificate } from './certificate-renewal.js';
import { type Clock, shiftedClock, systemClock } from './clock.js';
import { Closing } from './closing.js';
import { type BuiltApi, readBuiltApi } from './http/built-api.js';
import { isLocalOnly } from './http/host.js';
import { type HttpOptions, type RunningHttp, startHttp } from './http/http-listener.js';
import { readPageFiles } from './http/routes/inbox-page.js';
import type { AcceptedDomains } from './inbox/address.js';
import { Inboxes } from './inbox/inboxes.js';
import { startPurging } from './inbox/purging.js';
import { ReadingThreads } from './inbox/threads/reading-threads.js';
import { type Limits, OWN_LIMITS } from './limits/limits.js';
import { sharedLimits } from './limits/shared/shared-limits.js';
import { withPort } from './listen-address.js';
import type { Log } from './log.js';
import { version } from './manifest.js';
import type { Metrics } from './metrics/metrics.js';
import { readCertificate, unusableCertificate } from './settings/certificate-files.js';
import { openConfiguredStore } from './settings/configured-store.js';
import type { ListenAddress } from './settings/kinds.js';
import { SettingsError } from './settings/reading.js';
import { listenError } from './settings/system-errors.js';
import type { Settings } from './settings/table.js';
import { checkIdentity } from './smtp/certificate.js';
import { type RunningSmtp, type SmtpOptions, startSmtp } from './smtp/smtp-listener.js';
import type { Store } from './store/store.js';
import type { TlsIdentity } from './tls-identity.js';

/** What the build makes of the HTTP interface, seen from wherever this file is run. */
const API_FOLDER = fileURLToPath(new URL('../api/', import.meta.url));

/** What the build makes of the inbox page. */
const PAGE_FOLDER = fileURLToPath(new URL('../page/', import.meta.url));

/** How long running messages and answers may take to finish when the service stops. */
const STOP_GRACE_MS = 10_000;

/** More connections than streams, for those who only fetch. */
const SPARE_CONNECTIONS = 5_000;

export interface RunningService {
  /** Where SMTP listens, as `HOST:PORT`. */
  readonly smtp: string;
  /** Base address of the HTTP interface. */
  readonly http: string;
  /** Where the metrics are; null where none were asked for. */
  readonly metrics: string | null;
  /**
   * Begins what the first clients would otherwise wait for. To be called once the operator knows that the service is ready: it takes all
   * of a processor for a moment.
   */
  warmUp(): void;
  /**
   * Takes no new mail, lets running messages finish, closes streams, listeners and store. Rejects when a part cannot be closed, after
   * all others are.
   */
  stop(): Promise<void>;
}

/**
 * The boot story: settings → store → inboxes → SMTP and HTTP. Nothing else knows the whole.
 * Rejects with a sentence when a part cannot start (a `SettingsError` where a setting is at fault); what had started by then is closed
 * again.
 */
export async function startService(settings: Settings, log: Log): Promise<RunningService> {
  const closing = new Closing(log);
  try {
    checkDropIn(settings, log);
    const tls = await readCertificate(settings);
    if (tls !== null) checkTls(tls, settings);
    const api = await readBuiltApi(API_FOLDER);
    const page = settings.page ? await readPageFiles(PAGE_FOLDER) : null;
    const store = await openConfiguredStore(settings, 'create', (sentence) => log.warn(sentence));
    closing.add('the store', () => store.close());
    // Machines that share a store have to agree on what has expired.
    const clock = shiftedClock(systemClock, () => store.clockOffsetMs());

    const metrics = settings.metrics && (await openMetrics(settings, { store, log }));
    if (metrics) closing.add('the metrics', () => metrics.stop());

    const threads = new ReadingThreads({ count: settings['reading-threads'], clock });
    closing.add('the reading threads', () => threads.close());

    const catcher = settings['drop-in'] === null ? null : await import('./drop-in/drop-in.js');
    const mailbox = catcher === null ? null : new catcher.Mailbox({ store, clock });
    const inboxes = new Inboxes({
      store,
      domains: acceptedDomains(settings.domain),
      compat: settings.compat,
      threads,
      clock,
      log,
      mailbox,
      events: metrics?.events.inbox,
    });
    const [maxMessageBytes, maxRecipients] = [settings['max-message'], settings['max-recipients']];
    const counting = store.counts === null ? OWN_LIMITS : sharedLimits(store.counts, clock, log);
    const mailRate = counting.rate('mail', settings['smtp-limit']);
    const dropIn =
      catcher &&
      mailbox &&
      settings['drop-in'] &&
      catcher.dropIn({
        catcher: settings['drop-in'],
        inboxes,
        mailbox,
        clock,
        maxMessageBytes,
        maxRecipients,
        mailRate,
      });

    const purging = startPurging(store, clock, log);
    closing.add('purging', () => purging.stop());

    // HTTP is up before SMTP is, and says so until then.
    const started: Started = { smtp: null };
    const parts = { store, inboxes, counting, clock, log, events: metrics?.events };
    const http = await openHttp(settings, { ...parts, ...api, page, started, dropIn });
    closing.add('the HTTP listener', () => http.stop(STOP_GRACE_MS));

    const smtp = await openSmtp(settings, { ...parts, tls, mailRate });
    closing.addBeside('the SMTP listener', () => smtp.stop(STOP_GRACE_MS));
    started.smtp = smtp;

    if (tls !== null) {
      const read = () => readCertificate(settings) as Promise<TlsIdentity>;
      const use = (renewed: TlsIdentity) => {
        checkTls(renewed, settings);
        smtp.useCertificate(renewed);
      };
      const renewal = watchCertificate({ used: tls, read, use, clock, log });
      closing.add('the renewal of the certificate', () => renewal.stop());
    }

    return {
      smtp: withPort(smtp.host, smtp.port),
      http: http.url,
      metrics: metrics?.url ?? null,
      warmUp: () => {
        smtp.warmUp();
        inboxes.warmUp().catch((error) => log.error({ err: error }, 'Reading could not be prepared.'));
        // Whoever asks first hears why it fails.
        mailbox?.warmUp().catch(() => {});
      },
      stop: () => closing.all(),
    };
  } catch (error) {
    // What stopped the start is what the operator must hear; what fails while closing is in the log.
    await closing.all().catch(() => {});
    throw error;
  }
}

/** What is up by now. */
interface Started {
  smtp: RunningSmtp | null;
}

/** What both listeners are given. */
interface Parts {
  readonly store: Store;
  readonly inboxes: Inboxes;
  /** Who counts what clients do. */
  readonly counting: Limits;
  readonly clock: Clock;
  readonly log: Log;
  /** What counts, where metrics were asked for. */
  readonly events: Metrics | undefined;
}

/** Begins to count, and serves the figures. The library is loaded for those alone who ask for them. */
async function openMetrics(settings: Settings, { store, log }: Pick<Parts, 'store' | 'log'>) {
  const [{ createMetrics }, { startMetrics }] = await Promise.all([
    import('./metrics/metrics.js'),
    import('./metrics/metrics-listener.js'),
  ]);
  const events = createMetrics({ version: version(), usage: () => store.usage() });
  try {
    const address = settings.metrics as ListenAddress;
    return { events, ...(await startMetrics({ ...address, metrics: events, log })) };
  } catch (error) {
    throw listenError(error, 'metrics', settings);
  }
}

async function openHttp(
  settings: Settings,
  {
    store,
    started,
    events,
    ...parts
  }: Parts & BuiltApi & Pick<HttpOptions, 'page' | 'dropIn'> & { readonly started: Started },
): Promise<RunningHttp> {
  try {
    return await startHttp({
      host: settings.host,
      port: settings['http-port'],
      limits: {
        headerTimeoutMs: settings['http-header-time'],
        requestTimeoutMs: settings['http-request-time'],
        maxBodyBytes: settings['http-max-body'],
        maxConnections: settings.streams + SPARE_CONNECTIONS,
        maxConnectionsPerClient: settings['streams-per-client'] + settings['http-connections'],
      },
      maxStreams: settings.streams,
      maxStreamsPerClient: settings['streams-per-client'],
      fetchRate: settings['fetch-limit'],
      lookRate: settings['look-limit'],
      dropInRate: settings['drop-in-limit'],
      workspaceRate: settings['workspace-limit'],
      streamRate: settings['stream-limit'],
      waitlistRate: settings['waitlist-limit'],
      wrongKeyRate: settings['wrong-key-limit'],
      mcp: settings.mcp,
      workspaces: settings.workspace,
      corsOrigins: settings['cors-origin'],
      trusted: settings['trust-proxy'],
      probes: {
        'the SMTP listener': async () => started.smtp?.isListening() ?? false,
        'the store': () => store.ping().then(() => true),
      },
      settings: {
        domains: settings.domain,
        retentionMs: settings.retention,
        waitlist: settings.waitlist,
        smtp: () => started.smtp && { host: settings.host, port: started.smtp.port },
      },
      events: events?.http,
      ...parts,
    });
  } catch (error) {
    throw listenError(error, 'http-port', settings);
  }
}

async function openSmtp(
  settings: Settings,
  { inboxes, clock, log, events, tls, mailRate }: Parts & Pick<SmtpOptions, 'tls' | 'mailRate'>,
): Promise<RunningSmtp> {
  try {
    return await startSmtp({
      host: settings.host,
      port: settings['smtp-port'],
      maxMessageBytes: settings['max-message'],
      maxRecipients: settings['max-recipients'],
      maxInFlightBytes: settings['max-in-flight'],
      maxConnections: settings['smtp-connections-total'],
      maxConnectionsPerClient: settings['smtp-connections'],
      idleTimeoutMs: settings['smtp-idle'],
      dataTimeoutMs: settings['smtp-data-time'],
      leastSpeed: settings['smtp-data-speed'],
      mailRate,
      hostname: settings.domain.find((domain) => domain !== '*') ?? 'mayfly.invalid',
      trusted: settings['trust-proxy'],
      proxies: { first: settings['smtp-proxy'], lazily: settings['smtp-proxy-lazy'] },
      tls,
      inbox: inboxes,
      now: clock.now,
      log,
      events: events?.smtp,
    });
  } catch (error) {
    throw listenError(error, 'smtp-port', settings);
  }
}

/** Another mail catcher's interface lists every inbox, whose name is its secret: the operator hears who may ask for that (D42). */
function checkDropIn({ 'drop-in': catcher, host, workspace }: Settings, log: Log): void {
  if (catcher === null) return;
  const isLocal = isLocalOnly(host);
  if (!isLocal && workspace.length === 0) {
    throw new SettingsError(
      `--drop-in ${catcher} lists the mail of all inboxes, and --host ${host} is open to other machines: give a key with --workspace NAME=KEY, which its clients then send, or listen on 127.0.0.1.`,
    );
  }
  const who = [
    ...(isLocal ? ['everybody on this machine'] : []),
    ...(workspace.length > 0 ? ["whoever has a workspace's key"] : []),
  ];
  const what = workspace.length > 0 ? 'all inboxes but those of other workspaces' : 'all inboxes';
  log.warn(`--drop-in ${catcher}: ${who.join(' and ')} can list the mail of ${what}.`);
}

function acceptedDomains(domains: readonly string[]): AcceptedDomains {
  return domains.includes('*') ? null : new Set(domains);
}

/** Throws a sentence for the operator when the certificate that the settings name cannot be used. */
function checkTls(identity: TlsIdentity, settings: Settings): void {
  try {
    checkIdentity(identity);
  } catch (cause) {
    throw unusableCertificate(settings, cause);
  }
}
