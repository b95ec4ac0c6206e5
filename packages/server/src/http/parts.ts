import type { ServiceSettings, SmtpOffer } from 'mayfly-protocol';
import type { AttemptBook } from '../attempts/book.js';
import type { Log } from '../base/log.js';
import type { AdHocQuota } from '../inbox/ad-hoc.js';
import type { AllMail } from '../inbox/all-mail.js';
import type { Inboxes } from '../inbox/inboxes.js';
import type { RunBook } from '../runs/run-book.js';
import type { Access, AccessOptions, Limit } from './access/access.js';
import type { Viewers } from './access/viewers.js';
import type { OpenStreams } from './answer/open-streams.js';
import type { BuiltApi } from './built-api.js';
import type { App, AppOptions, PathOwner, Request } from './framework.js';
import type { Source } from './http-events.js';
import type { PageFile } from './routes/inbox-page.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    limit?: Limit;
    /** The plugin that owns the route, unless the route is ours. */
    plugin?: string;
    /** Whether links on other sites may lead to this route. */
    isOpenedByLinks?: boolean;
    /** Whether our page shows the response in a frame. */
    isFramed?: boolean;
    source?: Source;
  }
}

/** Dependencies of HTTP in addition to the settings. */
export interface HttpParts extends BuiltApi, Omit<AccessOptions, 'settings'>, Pick<AppOptions, 'optionalParts'> {
  readonly inboxes: Inboxes;
  readonly all: AllMail;
  readonly runs: RunBook;
  readonly attempts: AttemptBook;
  readonly adHocQuota: Pick<AdHocQuota, 'hasMail'> | null;
  /** Adds an address to the waitlist; an existing entry stays as it is (D18). */
  joinWaitlist(email: string): Promise<void>;
  /** Readiness checks by part. A rejection means not ready; for a full disk or store, the response says so. */
  readonly probes: Readonly<Record<string, () => Promise<boolean>>>;
  /** Null until SMTP listens. */
  smtp(): Pick<ServiceSettings, 'smtp' | 'smtps'> | null;
  readonly smtpOffers: Pick<SmtpOffer, 'startTls' | 'authWithoutTls'>;
  readonly sendApis: ServiceSettings['sendApis'];
  readonly page: readonly PageFile[] | null;
  readonly plugins: readonly PluginRoutes[];
  readonly log: Log;
}

/** What Mayfly's own routes use. */
export interface Served extends HttpParts, Pick<AccessOptions, 'settings'> {
  readonly access: Access;
  readonly viewers: Viewers;
  readonly streams: OpenStreams;
}

/** Routes of a plugin, which the API document omits. */
export interface PluginRoutes {
  /** The path below which the plugin's routes are; empty for the root. */
  readonly root: string;
  /** Name of an external plugin, for the log. */
  readonly plugin?: string | undefined;
  /** The limit of routes that name no limit. */
  readonly limit?: Limit;
  add(api: App, guard: RouteGuard): void | Promise<void>;
  /** The owner of a path that is the plugin's, with or without a route; null for any other path. */
  ownerOf?(path: string): PathOwner | null;
}

export interface RouteGuard extends Pick<Served, 'access' | 'viewers' | 'streams'> {
  /** Throws 403 for a page of another site that the operator does not allow. */
  checkPage(request: Request): void;
}
