import { AttemptBook } from './attempts/book.js';
import { shiftedClock, systemClock } from './base/clock.js';
import { type Closing, closedOnFailure } from './base/closing.js';
import type { Log } from './base/log.js';
import { startHttp } from './http/app.js';
import { readBuiltApi } from './http/built-api.js';
import { readPageFiles } from './http/routes/inbox-page.js';
import { adHocQuotaOf } from './inbox/ad-hoc.js';
import { Addressing } from './inbox/addressing.js';
import { AllMail } from './inbox/all-mail.js';
import { Inboxes, StoreFullDiskError, StoreFullError } from './inbox/inboxes.js';
import { startPurging } from './inbox/purging.js';
import { recordsOf } from './inbox/records.js';
import { ParserPool } from './inbox/threads/parser-pool.js';
import { OWN_LIMITS, sharedLimits } from './limits/limits.js';
import { ownFiles, WORKER } from './own-package.js';
import type { Service } from './plugin/define.js';
import { Plugins } from './plugin/plugins.js';
import { runBookOf } from './runs/run-book.js';
import { checkPortsAreFree, openConfiguredStore } from './settings/resources.js';
import { firstDomain, type Settings } from './settings/table.js';
import { type SmtpServer, startSmtp } from './smtp/server.js';
import { certificateOf, watchCertificate } from './tls/certificate.js';

/** How long a stop lets incoming messages and HTTP responses finish. */
const STOP_GRACE_MS = 10_000;

export type RunningService = Awaited<ReturnType<typeof startParts>>;

/** Starts the service. If a part cannot start, closes the others and rejects with an error for the operator. */
export function startService(settings: Settings, log: Log): Promise<RunningService> {
  return closedOnFailure(log, (closing) => startParts(settings, log, closing));
}

async function startParts(settings: Settings, log: Log, closing: Closing) {
  const { tls, given } = await certificateOf(settings, log);
  const page = settings.page ? readPageFiles(ownFiles('page')) : null;
  await checkPortsAreFree(settings);
  const { store, sharedCounts } = await openConfiguredStore(settings, 'create', (sentence) => log.warn(sentence));
  closing.add('the store', () => store.close());
  // Machines that share a store must agree on what has expired.
  const clock = shiftedClock(systemClock, () => store.clockOffsetMs());
  const counting = sharedCounts === null ? OWN_LIMITS : sharedLimits(sharedCounts, clock, log);

  // The metrics' library is loaded only if metrics are on.
  const metrics = settings.metrics && (await import('./metrics/metrics.js'));
  const figures = await metrics?.startMetrics(settings, () => store.usage(), clock, log);
  if (figures) closing.add('the metrics', () => figures.stop());

  const threads = new ParserPool({ count: settings['parser-threads'], clock, worker: WORKER });
  closing.add('the parser threads', () => threads.close());
  const { domain: domains, retention, zerodrop } = settings;
  const addressing = new Addressing({ domains, firstDomain: firstDomain(domains), by: settings['inbox-by'] });
  const attempts = new AttemptBook(clock, addressing);
  const adHocQuota = settings['ad-hoc-workspaces'] ? adHocQuotaOf(settings['ad-hoc-quota'], retention) : null;
  const inboxes = new Inboxes({
    ...{ store, adHocQuota, addressing, zerodrop, threads, clock, log, events: figures?.events.inbox },
    handedOut: (inbox, emails, taker) => attempts.handedOut(inbox, emails, taker),
    released: (inbox, heldAt, receivedAt) => attempts.released(inbox, heldAt, receivedAt),
  });
  const records = recordsOf({ store, clock, addressing, inboxes });

  const mailRate = counting.rate('mail', settings['smtp-limit']);
  const adHocRate = adHocQuota && counting.rate('space', settings['ad-hoc-limit']);
  const run: Service['run'] = (work, toParse) => threads.run('plugin', work, toParse);
  const plugins: Plugins = new Plugins({ settings, inboxes, counting, run, clock, log });
  closing.add('the plugins', () => plugins.close());
  await plugins.setUp();
  const inbox = plugins.receiving(inboxes);

  // HTTP starts before SMTP, and reports that the service is not ready until SMTP listens.
  let smtp: SmtpServer | null = null;
  // Parts close in reverse order, so this runs once both listeners have drained. Until then, senders get a 421.
  closing.add('the SMTP listener', async () => smtp?.stop(0));
  const http = await startHttp(settings, {
    ...{ inboxes, adHocQuota, addressing, attempts, counting, clock, log, page, ...(await readBuiltApi()) },
    all: new AllMail({ store, clock, changes: inboxes.changes }),
    runs: runBookOf(clock, retention),
    ...plugins.forHttp({ records, mail: inbox, held: inboxes.held, attempts, mailRate, adHocRate, clock, run }),
    probes: {
      'the SMTP listener': async () => smtp?.isListening ?? false,
      'the store': () => store.ping().then(() => true),
    },
    joinWaitlist: (email) => store.joinWaitlist(email, clock.now()),
    smtpOffers: { startTls: tls !== null, authWithoutTls: given === null },
    smtp: () => smtp?.addresses ?? null,
    events: figures?.events.http,
  });
  closing.add('the HTTP listener', () => http.stop(STOP_GRACE_MS, smtp?.drain(STOP_GRACE_MS)));
  closing.addBeside('purging', startPurging(store, clock, log));

  const listening = await startSmtp({
    ...{ settings, tls, credentialsNeedTls: given !== null, domainList: addressing.domainList },
    ...{ inbox, mailRate, adHocRate, ...clock, log },
    observe: figures ? [attempts.observe, () => figures.events.smtp] : [attempts.observe],
  });
  smtp = listening;
  closing.addBeside('SMTP', () => listening.drain(STOP_GRACE_MS));
  if (given !== null) {
    closing.add('the renewal of the certificate', watchCertificate(settings, given, listening, clock, log));
  }
  return {
    ...listening.addresses,
    http: http.url,
    metrics: figures?.url ?? null,
    hasStore: () => store.ping().then(() => true, isFull),
    /** Preloads the parser for the first message. Call it once ready, because it briefly takes a whole processor. */
    prepare: () => void inboxes.ingester.prepare().catch((err) => log.error({ err }, 'Failed to preload the parser.')),
    /** Lets incoming messages finish and closes all parts. If one fails to close, rejects after closing the others. */
    stop: () => closing.all(),
  };
}

/** A full store counts as available, because it still serves reads. */
function isFull(error: unknown): boolean {
  return error instanceof StoreFullDiskError || error instanceof StoreFullError;
}
