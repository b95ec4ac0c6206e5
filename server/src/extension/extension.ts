/**
 * The door for extensions: other APIs beside ours, each a workspace that `server/extensions.js` loads if a setting asks
 * for it (D50). Their tasks in the reading threads import `mail.ts` instead.
 */

import type { AttemptBook } from '../attempts/book.js';
import type { Clock } from '../base/clock.js';
import type { App, ExtensionRoutes, RouteGuard } from '../http/http.js';
import type { AllInboxes } from '../inbox/all/all-inboxes.js';
import type { ExtensionWork, Inboxes } from '../inbox/inboxes.js';
import type { ToRead } from '../inbox/threads/reading-threads.js';
import type { Limiter } from '../limits/rate-limiter.js';

export type { OpenAttempt } from '../attempts/book.js';
export type { Clock } from '../base/clock.js';
export type { Log } from '../base/log.js';
export { startingWith } from '../base/maybe-promise.js';
export { httpErrors } from '../errors.js';
export {
  type App,
  addRawRoutes,
  basicCredentials,
  ifThere,
  JSON_TYPE,
  messageIfThere,
  type OpenStream,
  partHeaders,
  type Reply,
  type Request,
  RequestError,
  readerOf,
  readQuery,
  sendJson,
  textBody,
  type Upgrade,
  upgradeOf,
  waitForTurn,
  whenOver,
  wholeOrStream,
} from '../http/http.js';
export type { AllInboxes, Head, Message, Viewer } from '../inbox/all/all-inboxes.js';
export { type Appended, type ExtensionWork, type Reader, StoreAwayError, TEXT_CHARS } from '../inbox/inboxes.js';
export { type AddressRange, isLocalOnly, shownRange } from '../limits/client-address.js';
export type { SendApi } from '../settings/kinds.js';
export { SettingsError } from '../settings/reading.js';
export type { Settings } from '../settings/table.js';
export { type BoundedBody, countMail, SentBodies } from './request-bodies.js';

/** Another API on the mail of all inboxes. */
export interface Extension extends Pick<ExtensionRoutes, 'root' | 'webSocketPath'> {
  /** Adds routes below `root`. `limit` in a route's `config` says what its requests count against. */
  addRoutes(api: App, host: ExtensionHost): void | Promise<void>;
}

/** What the service gives an extension. */
export interface ExtensionHost extends RouteGuard {
  /** Opens the mail of all inboxes, once: from then on, it is kept up to date. */
  openAll(): Promise<AllInboxes>;
  /** The way in for mail that does not come over SMTP. */
  readonly mail: Pick<Inboxes, 'deliver' | 'held' | 'recipientOf'>;
  /** Where what becomes of a mail is remembered. */
  readonly attempts: Pick<AttemptBook, 'begin'>;
  /** Counts the mails that a client sends, over SMTP or over HTTP. */
  readonly mailRate: Limiter;
  readonly clock: Clock;
  /** Does a task in a reading thread, in turns by client. Rejects when it fails or takes too long. */
  run(work: ExtensionWork, toRead: ToRead): Promise<readonly Uint8Array[]>;
}
