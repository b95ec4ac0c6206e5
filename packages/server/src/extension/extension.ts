/**
 * The door for extensions: other APIs, each a workspace that `packages/server/extensions.js` loads if a setting asks
 * for it (D50). Their thread tasks import `mail.ts` instead.
 */

import type { AttemptBook } from '../attempts/book.js';
import type { Clock } from '../base/clock.js';
import type { App, ExtensionRoutes, RouteGuard } from '../http/http.js';
import type { AllInboxes } from '../inbox/all/all-inboxes.js';
import type { ExtensionWork, Inboxes, MailSlot } from '../inbox/inboxes.js';
import type { ToRead } from '../inbox/threads/reading-threads.js';
import type { Limiter } from '../limits/rate-limiter.js';

export type { OpenAttempt } from '../attempts/book.js';
export { BoundedMap } from '../base/bounded-map.js';
export type { Clock } from '../base/clock.js';
export { CountedLines } from '../base/counted-lines.js';
export type { Log } from '../base/log.js';
export { startingWith } from '../base/maybe-promise.js';
export {
  errorText,
  httpErrors,
  notStoredErrors,
  recipientErrors,
  rowName,
  type SmtpError,
  smtpErrors,
} from '../errors.js';
export {
  ANSWER_HEADERS,
  type App,
  addRawRoutes,
  asksForWebSocket,
  basicCredentials,
  faultOf,
  ifThere,
  JSON_TYPE,
  KnownPaths,
  messageIfThere,
  type OpenStream,
  partHeaders,
  type Reply,
  type Request,
  RequestError,
  readerOf,
  readQuery,
  sendJson,
  type ToldError,
  takeConnection,
  textBody,
  type Upgrade,
  waitForTurn,
  whenOver,
  wholeOrStream,
} from '../http/http.js';
export type { AllInboxes, Head, Message, Viewer } from '../inbox/all/all-inboxes.js';
export {
  type Ending,
  type ExtensionWork,
  mayHold,
  type Reader,
  type RefusedRecipient,
  StoreAwayError,
  TEXT_CHARS,
} from '../inbox/inboxes.js';
export { outsideSpace } from '../inbox/spaces/space.js';
export { type AddressRange, isLocalOnly, shownRange } from '../limits/client-address.js';
export type { SendApi } from '../settings/kinds.js';
export { SettingsError } from '../settings/reading.js';
export { whyUnreadable } from '../settings/system-errors.js';
export type { Settings } from '../settings/table.js';
export { type BoundedBody, countMail, SentBodies } from './request-bodies.js';

export interface Extension extends Pick<ExtensionRoutes, 'root' | 'later' | 'tell'> {
  /** Adds routes below `root`. `limit` in a route's `config` names the limit of its requests. */
  addRoutes(api: App, host: ExtensionHost): void | Promise<void>;
}

export interface ExtensionHost extends RouteGuard {
  /** Opens the mail of all inboxes, once; from then on it is kept up to date. */
  openAll(): Promise<AllInboxes>;
  /** Takes mail that does not come over SMTP. */
  readonly mail: MailSlot;
  /** Deletes mail that was taken and should not have been. */
  readonly clear: Inboxes['clear'];
  /** Counts the memory that is held for clients over HTTP. */
  readonly held: Inboxes['held'];
  /** Remembers what becomes of a mail, and of requests that come to none. */
  readonly attempts: Pick<AttemptBook, 'begin' | 'handedOut'>;
  /** Counts a client's mails over SMTP and HTTP. */
  readonly mailRate: Limiter;
  /** The same for a space; null without spaces. */
  readonly spaceRate: Limiter | null;
  readonly clock: Clock;
  /** Runs a task in a reading thread, in turns by client. Rejects if it fails or takes too long. */
  run(work: ExtensionWork, toRead: ToRead): Promise<readonly Uint8Array[]>;
}
