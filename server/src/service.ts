import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { SmtpAddress } from 'mayfly-client';
import { systemClock } from './clock.js';
import { startHttp } from './http/http-listener.js';
import { readPageFiles } from './http/routes/inbox-page.js';
import type { AcceptedDomains } from './inbox/address.js';
import { Inboxes } from './inbox/inboxes.js';
import { startPurging } from './inbox/purging.js';
import type { Log } from './log.js';
import type { Settings } from './settings/table.js';
import { startSmtp } from './smtp/smtp-listener.js';
import { openStore } from './store/open-store.js';

/** What the build makes of the inbox page. */
const PAGE_FOLDER = fileURLToPath(new URL('./page/', import.meta.url));

/** How long running messages and answers may take to finish when the service stops. */
const STOP_GRACE_MS = 10_000;

/** More connections than streams, for those who only fetch. */
const SPARE_CONNECTIONS = 5_000;

export interface RunningService {
  /** Where SMTP listens, as `HOST:PORT`. */
  readonly smtp: string;
  /** Base address of the HTTP interface. */
  readonly http: string;
  /** Takes no new mail, lets running messages finish, closes streams, listeners and store. */
  stop(): Promise<void>;
}

/**
 * The boot story: settings → store → inboxes → SMTP and HTTP. Nothing else knows the whole.
 * Rejects with a sentence when a part cannot start; what had started by then is closed again.
 */
export async function startService(settings: Settings, log: Log): Promise<RunningService> {
  const clock = systemClock;
  const trusted = settings['trust-proxy'];
  const closing: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const close of closing.splice(0).reverse()) await close();
  };
  try {
    const tls = await readTls(settings);
    const page = settings.page ? await readPageFiles(PAGE_FOLDER) : null;
    const store = await openStore(settings.store, {
      retentionMs: settings.retention,
      maxEmails: settings['max-emails'],
      budgetBytes: settings['store-budget'],
    });
    closing.push(() => store.close());

    const inboxes = new Inboxes({
      store,
      domains: acceptedDomains(settings.domain),
      compat: settings.compat,
      clock,
      log,
    });
    closing.push(() => inboxes.close());

    const purging = startPurging(store, clock, log);
    closing.push(() => purging.stop());

    const listening: { smtp: SmtpAddress | null } = { smtp: null };
    const http = await startHttp({
      host: settings.host,
      port: settings['http-port'],
      limits: {
        headerTimeoutMs: settings['http-header-time'],
        requestTimeoutMs: settings['http-request-time'],
        maxBodyBytes: settings['http-max-body'],
        maxConnections: settings.streams + SPARE_CONNECTIONS,
      },
      maxStreams: settings.streams,
      maxStreamsPerClient: settings['streams-per-client'],
      fetchRate: settings['fetch-limit'],
      workspaceRate: settings['workspace-limit'],
      streamRate: settings['stream-limit'],
      waitlistRate: settings['waitlist-limit'],
      wrongKeyRate: settings['wrong-key-limit'],
      workspaces: settings.workspace,
      corsOrigins: settings['cors-origin'],
      trusted,
      inboxes,
      probes: {
        'the SMTP listener': async () => smtp.isListening(),
        'the store': () => store.ping().then(() => true),
      },
      settings: {
        domains: settings.domain,
        retentionMs: settings.retention,
        smtp: () => listening.smtp,
      },
      page,
      clock,
      log,
    });
    closing.push(() => http.stop(STOP_GRACE_MS));

    const smtp = await startSmtp({
      host: settings.host,
      port: settings['smtp-port'],
      maxMessageBytes: settings['max-message'],
      maxRecipients: settings['max-recipients'],
      maxInFlightBytes: settings['max-in-flight'],
      maxConnections: settings['smtp-connections-total'],
      maxConnectionsPerClient: settings['smtp-connections'],
      idleTimeoutMs: settings['smtp-idle'],
      dataTimeoutMs: settings['smtp-data-time'],
      mailRate: settings['smtp-limit'],
      hostname: settings.domain.find((domain) => domain !== '*') ?? 'mayfly.invalid',
      trusted,
      tls,
      inbox: inboxes,
      now: clock.now,
      log,
    });
    closing.push(() => smtp.stop(STOP_GRACE_MS));
    listening.smtp = { host: settings.host, port: smtp.port };

    return { smtp: `${smtp.host.includes(':') ? `[${smtp.host}]` : smtp.host}:${smtp.port}`, http: http.url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function acceptedDomains(domains: readonly string[]): AcceptedDomains {
  return domains.includes('*') ? null : new Set(domains);
}

async function readTls(settings: Settings): Promise<{ cert: string; key: string } | null> {
  const [cert, key] = [settings['tls-cert'], settings['tls-key']];
  if (cert === null || key === null) return null;
  return { cert: await readFile(cert, 'utf8'), key: await readFile(key, 'utf8') };
}
