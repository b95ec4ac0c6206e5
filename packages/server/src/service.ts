import { fileURLToPath } from 'node:url';
import { AttemptBook } from './attempts/book.js';
import { type Clock, shiftedClock, systemClock } from './base/clock.js';
import { Closing } from './base/closing.js';
import { withPort } from './base/listen-address.js';
import type { Log } from './base/log.js';
import { readBuiltApi, readPageFiles, startHttp } from './http/http.js';
import { Addressing } from './inbox/addressing.js';
import { AllMail } from './inbox/all/all-mail.js';
import { Inboxes } from './inbox/inboxes.js';
import { startPurging } from './inbox/purging.js';
import { Records } from './inbox/records.js';
import { openSpaces } from './inbox/spaces.js';
import { ParserPool } from './inbox/threads/parser-pool.js';
import { HeldBytes, InFlight } from './limits/client-memory.js';
import { OWN_LIMITS } from './limits/limits.js';
import { sharedLimits } from './limits/shared-limits.js';
import { version } from './manifest.js';
import type { Service } from './plugin/define.js';
import { pluginPaths, sendingVariables } from './plugin/installed.js';
import { Plugins } from './plugin/plugins.js';
import { RunBook } from './runs/run-book.js';
import { openConfiguredStore } from './settings/configured-store.js';
import type { ListenAddress } from './settings/kinds.js';
import { checkPortsAreFree } from './settings/ports.js';
import { listenError } from './settings/system-errors.js';
import { firstDomain, type Settings } from './settings/table.js';
import { type SmtpServer, startSmtp } from './smtp/server.js';
import type { Store } from './store/store.js';
import { type TlsIdentity, warnIfSelfSigned } from './tls/certificate.js';
import { checkCertificate, ownCertificate, readCertificate, watchCertificate } from './tls/certificate-files.js';

const API_FOLDER = fileURLToPath(new URL('../api/', import.meta.url));

const WORKER = new URL('./worker.js', import.meta.url);

const PAGE_FOLDER = fileURLToPath(new URL('../page/', import.meta.url));

/** Time for running messages and answers when the service stops. */
const STOP_GRACE_MS = 10_000;

export interface RunningService {
  /** Where SMTP listens, as `HOST:PORT`. */
  readonly smtp: string;
  /** The same for TLS from the first byte; null without `smtps-port`. */
  readonly smtps: string | null;
  readonly http: string;
  readonly metrics: string | null;
  /** Loads what the first message would wait for. To be called once ready: it takes a whole processor for a moment. */
  prepare(): void;
  /** Lets running messages finish, and closes all. Rejects when a part cannot be closed, after all others are. */
  stop(): Promise<void>;
}

/**
 * The boot story: settings → store → inboxes → SMTP and HTTP. Nothing else knows the whole. Rejects with a sentence
 * when a part cannot start (a `SettingsError` where a setting is at fault); what had started by then is closed again.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: what starts in which order is read from top to bottom.
export async function startService(settings: Settings, log: Log): Promise<RunningService> {
  const closing = new Closing(log);
  try {
    const given = await readCertificate(settings);
    if (given !== null) {
      checkCertificate(given, settings);
      warnIfSelfSigned(given, log);
    }
    const tls = given ?? (await ownCertificate(settings, hostname(settings), log));
    const api = await readBuiltApi(API_FOLDER);
    const page = settings.page ? await readPageFiles(PAGE_FOLDER) : null;
    await checkPortsAreFree(settings);
    const { store, sharedCounts } = await openConfiguredStore(settings, 'create', (sentence) => log.warn(sentence));
    closing.add('the store', () => store.close());
    // Machines that share a store must agree on what has expired.
    const clock = shiftedClock(systemClock, () => store.clockOffsetMs());

    const metrics = settings.metrics && (await openMetrics(settings, store, clock, log));
    if (metrics) closing.add('the metrics', () => metrics.stop());

    const threads = new ParserPool({ count: settings['reading-threads'], clock, worker: WORKER });
    closing.add('the parser threads', () => threads.close());

    const held = new HeldBytes();
    const addressing = addressingOf(settings);
    const attempts = new AttemptBook(clock, addressing);
    const runs = new RunBook(clock, settings.retention);
    const spaces = openSpaces(settings);
    const inboxes = new Inboxes({
      store,
      spaces,
      addressing,
      compat: settings.compat,
      threads,
      clock,
      log,
      held,
      handedOut: (inbox, emails, taker) => attempts.handedOut(inbox, emails, taker),
      released: (inbox, heldAt, receivedAt) => attempts.released(inbox, heldAt, receivedAt),
      events: metrics?.events.inbox,
    });
    const all = new AllMail({ store, clock, changes: inboxes.changes });
    const records = new Records({ store, clock, addressing, inboxes });
    const counting = sharedCounts === null ? OWN_LIMITS : sharedLimits(sharedCounts, clock, log);
    const mailRate = counting.rate('mail', settings['smtp-limit']);
    const spaceRate = spaces && counting.rate('space', settings['space-limit']);
    const run: Service['run'] = (work, toParse) => threads.run('plugin', work, toParse);
    const plugins: Plugins = new Plugins({ settings, inboxes, counting, run, clock, log });
    closing.add('the plugins', () => plugins.close());
    await plugins.setUp();
    const mail = plugins.receiving(inboxes);
    const service = { records, mail, held, attempts, mailRate, spaceRate, clock, run };

    // HTTP is up before SMTP is, and says so until then.
    let listening: SmtpServer | null = null;
    // Both listeners have finished by then: until the last answer is sent, senders are told to try again.
    closing.add('the SMTP listener', async () => listening?.stop(0));
    const http = await startHttp({
      ...httpSettings(settings),
      ...{ inboxes, all, spaces, runs, addressing, attempts, counting, clock, log, page, ...api },
      plugins: plugins.routes(service),
      probes: {
        'the SMTP listener': async () => listening?.isListening ?? false,
        'the store': () => store.ping().then(() => true),
      },
      joinWaitlist: (email) => store.joinWaitlist(email, clock.now()),
      settings: {
        ...publicSettings(settings),
        smtpOffers: { startTls: tls !== null, authWithoutTls: given === null },
        smtp: () => listening && smtpAddresses(listening),
      },
      events: metrics?.events.http,
    }).catch((error) => {
      throw listenError(error, 'http-port', settings);
    });
    closing.add('the HTTP listener', () => {
      const drained = listening?.drain(STOP_GRACE_MS).catch(() => {});
      return http.stop(STOP_GRACE_MS, drained ?? Promise.resolve());
    });

    const purging = startPurging(store, clock, log);
    closing.addBeside('purging', () => purging.stop());

    const smtp = await startSmtp({
      ...{ settings, tls, credentialsNeedTls: given !== null, hostname: hostname(settings) },
      ...{ inbox: mail, mailRate, spaceRate, inFlight: inFlightOf(settings) },
      domainList: addressing.domainList,
      observe: metrics ? [attempts.observe, () => metrics.events.smtp] : [attempts.observe],
      ...clock,
      log,
    }).catch((error) => {
      throw listenError(error, error.port === settings['smtps-port'] ? 'smtps-port' : 'smtp-port', settings);
    });
    closing.addBeside('SMTP', () => smtp.drain(STOP_GRACE_MS));
    listening = smtp;

    if (given !== null) {
      const read = () => readCertificate(settings) as Promise<TlsIdentity>;
      const use = (renewed: TlsIdentity) => {
        checkCertificate(renewed, settings);
        smtp.useCertificate(renewed);
      };
      const renewal = watchCertificate({ used: given, read, use, clock, log });
      closing.add('the renewal of the certificate', () => renewal.stop());
    }

    return {
      smtp: withPort(smtp.host, smtp.port),
      smtps: smtp.tlsPort === null ? null : withPort(smtp.host, smtp.tlsPort),
      http: http.url,
      metrics: metrics?.url ?? null,
      prepare: () => {
        inboxes.ingester.prepare().catch((error) => log.error({ err: error }, 'Failed to preload the parser.'));
      },
      stop: () => closing.all(),
    };
  } catch (error) {
    // The operator must hear what stopped the start; failures while closing are in the log.
    await closing.all().catch(() => {});
    throw error;
  }
}

/** Loads the metrics library only when metrics are on. */
async function openMetrics(settings: Settings, store: Store, clock: Clock, log: Log) {
  const [{ createMetrics }, { startMetrics }] = await Promise.all([
    import('./metrics/metrics.js'),
    import('./metrics/metrics-listener.js'),
  ]);
  const events = createMetrics({ version: version(), usage: () => store.usage() });
  try {
    const address = settings.metrics as ListenAddress;
    return { events, ...(await startMetrics({ ...address, metrics: events, clock, log })) };
  } catch (error) {
    throw listenError(error, 'metrics', settings);
  }
}

function httpSettings(settings: Settings) {
  return {
    host: settings.host,
    port: settings['http-port'],
    limits: {
      headerTimeoutMs: settings['http-header-time'],
      requestTimeoutMs: settings['http-request-time'],
      maxBodyBytes: settings['http-max-body'],
    },
    maxStreams: settings.streams,
    maxStreamsPerClient: settings['streams-per-client'],
    maxConnectionsPerClient: settings['http-connections'],
    fetchRate: settings['fetch-limit'],
    lookRate: settings['look-limit'],
    ...pluginPaths(settings),
    workspaceRate: settings['workspace-limit'],
    streamRate: settings['stream-limit'],
    waitlistRate: settings['waitlist-limit'],
    wrongKeyRate: settings['wrong-key-limit'],
    nameRate: settings['name-limit'],
    mcp: settings.mcp,
    workspaces: settings.workspace,
    corsOrigins: settings['cors-origin'],
    trusted: settings['trust-proxy'],
  };
}

function publicSettings(settings: Settings) {
  const { domain: domains, retention: retentionMs, waitlist } = settings;
  return { domains, retentionMs, waitlist, sendApis: sendingVariables(settings) };
}

function smtpAddresses({ host, port, tlsPort }: SmtpServer) {
  return { smtp: { host, port }, smtps: tlsPort === null ? null : { host, port: tlsPort } };
}

function inFlightOf(settings: Settings): InFlight {
  return new InFlight({
    maxBytes: settings['max-in-flight'],
    maxMessageBytes: settings['max-message'],
    maxMessages: settings['smtp-connections-total'],
  });
}

function addressingOf({ domain: domains, 'inbox-by': by }: Settings): Addressing {
  return new Addressing({ domains, firstDomain: firstDomain(domains), by });
}

function hostname({ domain }: Settings): string {
  return domain.find((one) => one !== '*') ?? 'mayfly.invalid';
}
