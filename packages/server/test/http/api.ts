import { afterEach, beforeEach } from 'vitest';
import { AttemptBook } from '../../src/attempts/book.js';
import { type Clock, systemClock } from '../../src/base/clock.js';
import { openLog } from '../../src/base/log.js';
import { type OpenStreams, openStreams } from '../../src/http/answer/open-streams.js';
import { type ApiOptions, buildApi } from '../../src/http/app.js';
import { readBuiltApi } from '../../src/http/built-api.js';
import type { App } from '../../src/http/framework.js';
import { AllMail } from '../../src/inbox/all-mail.js';
import { Inboxes } from '../../src/inbox/inboxes.js';
import { recordsOf } from '../../src/inbox/records.js';
import type { AddressRange } from '../../src/limits/client-address.js';
import { OWN_LIMITS } from '../../src/limits/limits.js';
import { installedPlugins } from '../../src/plugin/installed.js';
import { Plugins } from '../../src/plugin/plugins.js';
import { type RunBook, runBookOf } from '../../src/runs/run-book.js';
import { readStartOptions } from '../../src/settings/start-options.js';
import type { Settings } from '../../src/settings/table.js';
import { openMemoryStore } from '../../src/store/memory.js';
import type { Store } from '../../src/store/store.js';
import { addressingOf } from '../addressing.js';
import { newThreads } from '../inbox/threads/threads.js';
import { ManualClock } from '../manual-clock.js';

export const RETENTION_MS = 30 * 60 * 1000;

export const LIMITS = {
  headerTimeoutMs: 10_000,
  requestTimeoutMs: 15_000,
  maxBodyBytes: 16 * 1024,
  connections: { total: 1000, perClient: 100 },
};

/** The built API document and checks. Vitest's setup builds the packages first, so both match the sources. */
export const builtApi = await readBuiltApi();

/** The parser threads, which run compiled code. A file's tests share them, because starting them takes a moment. */
const threads = newThreads();

/** The real HTTP interface on real inboxes and a memory store, with a manual clock. */
export interface TestApi {
  readonly app: App;
  readonly clock: ManualClock;
  readonly store: Store;
  readonly inboxes: Inboxes;
  readonly attempts: AttemptBook;
  readonly runs: RunBook;
  readonly streams: OpenStreams;
  /** Delivers a message to an inbox of inbox.example.com, with this text in its body. */
  mail(inbox: string, text?: string, headers?: Readonly<Record<string, string>>): Promise<void>;
  close(): Promise<void>;
}

const SETTINGS = {
  ...({ mcp: 'mcp', trusted: 'trust-proxy', corsOrigins: 'cors-origin', workspaces: 'workspace' } as const),
  ...({ fetchRate: 'fetch-limit', readRate: 'read-limit', workspaceRate: 'workspace-limit' } as const),
  ...({ streamRate: 'stream-limit', waitlistRate: 'waitlist-limit' } as const),
  ...({ wrongKeyRate: 'wrong-key-limit', nameRate: 'name-limit' } as const),
};

type GivenSettings = { readonly [Name in keyof typeof SETTINGS]?: Settings[(typeof SETTINGS)[Name]] };

export interface TestApiOptions extends Partial<ApiOptions>, GivenSettings {
  readonly localOnly?: boolean;
  readonly zerodrop?: boolean;
  readonly maxStreams?: number;
  readonly maxStreamsPerClient?: number;
  readonly admitted?: readonly AddressRange[];
}

export async function startApi(options: TestApiOptions = {}): Promise<TestApi> {
  const { zerodrop = false, maxStreams = 100, maxStreamsPerClient = 10, plugins, admitted = [], ...others } = options;
  const clock = new ManualClock();
  const log = openLog('silent', 'json');
  const store = openMemoryStore({ retentionMs: RETENTION_MS, maxEmails: 1000, budgetBytes: 2 ** 30 });
  const addressing = options.addressing ?? addressingOf();
  const attempts = new AttemptBook(clock, addressing);
  const runs = runBookOf(clock, RETENTION_MS);
  const inboxes = new Inboxes({
    ...{ store, addressing, zerodrop, threads, clock: clock as Clock, log },
    handedOut: (inbox, emails, taker) => attempts.handedOut(inbox, emails, taker),
  });
  const records = recordsOf({ store, clock, addressing, inboxes });
  const all = new AllMail({ store, clock, changes: inboxes.changes });
  const streams = openStreams({ total: maxStreams, perClient: maxStreamsPerClient });
  const app = await buildApi({
    limits: LIMITS,
    settings: settingsOf(options),
    adHocQuota: null,
    optionalParts: installedPlugins().flatMap(({ plugin }) => plugin.optionalParts ?? []),
    probes: {},
    sendApis: {},
    smtp: () => ({ smtp: { host: '127.0.0.1', port: 2525 }, smtps: null }),
    smtpOffers: { startTls: false, authWithoutTls: true },
    page: null,
    ...builtApi,
    ...{ inboxes, all, runs, addressing, attempts, streams, clock, log },
    joinWaitlist: (email) => store.joinWaitlist(email, clock.now()),
    plugins: [
      { root: '', add: (_api, { viewers }) => viewers.admit(admitted) },
      ...(plugins ?? (await added({ records }, inboxes))),
    ],
    ...others,
  });
  return {
    app,
    clock,
    store,
    inboxes,
    attempts,
    runs,
    streams,
    async mail(inbox, text = 'Hello', headers = {}) {
      const lines = Object.entries({ From: 'app@app.test', Subject: 'Hello', ...headers }).map(
        ([k, v]) => `${k}: ${v}\r\n`,
      );
      const appended = await inboxes.deliver({
        client: '127.0.0.1',
        raw: Buffer.from(`${lines.join('')}\r\n${text}\r\n`),
        envelopeFrom: 'bounce@app.test',
        recipients: [{ inbox, to: `${inbox}@inbox.example.com` }],
        receivedAt: clock.now(),
      });
      if (!appended.stored) throw new Error(`not stored: ${appended.reason}`);
    },
    async close() {
      streams.endAll();
      await app.close();
      await store.close();
    },
  };
}

/** Returns the default settings without limits, plus the options of a test. */
function settingsOf(options: TestApiOptions): Settings {
  const named = (name: keyof GivenSettings, setting: string) =>
    setting.endsWith('-limit') || options[name] !== undefined ? [[setting, options[name] ?? null]] : [];
  const given = Object.entries(SETTINGS).flatMap(([name, setting]) => named(name as keyof GivenSettings, setting));
  const host = options.localOnly ? '127.0.0.1' : '0.0.0.0';
  const adHoc = { 'ad-hoc-workspaces': (options.adHocQuota ?? null) !== null };
  const fixed = { host, domain: ['inbox.example.com'], retention: RETENTION_MS, waitlist: true, ...adHoc };
  return { ...readStartOptions({}), ...fixed, ...Object.fromEntries(given) };
}

/** The API of the current test, in files that call `startApiForEachTest`. */
export let api: TestApi;

export function startApiForEachTest(options: TestApiOptions = {}): void {
  beforeEach(async () => {
    api = await startApi(options);
  });
  afterEach(() => api.close());
}

export async function restart(options: TestApiOptions): Promise<void> {
  await api.close();
  api = await startApi(options);
}

/** Returns the routes that plugins add to the API by default, except the routes of send APIs. */
async function added(service: object, inboxes: Inboxes) {
  const parts = { inboxes, counting: OWN_LIMITS, clock: systemClock, log: openLog('silent', 'json') };
  const opened = new Plugins({
    settings: readStartOptions({ sendApis: 'off', smsApis: 'off' }),
    run: threads.run.bind(threads, 'plugin'),
    ...parts,
  });
  await opened.setUp();
  opened.receiving(inboxes);
  return opened.routes(service as Parameters<Plugins['routes']>[0]);
}
