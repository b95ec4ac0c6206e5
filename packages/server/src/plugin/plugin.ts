/** The exports of `mayfly-inbox/plugin`, which our plugins and external ones import (docs/plugins.md). */

export type { OpenAttempt } from '../attempts/book.js';
export { BoundedMap } from '../base/bounded-map.js';
export type { Clock } from '../base/clock.js';
export { type CountedLines, countedLines } from '../base/counted-lines.js';
export type { Log } from '../base/log.js';
export {
  errorText,
  httpErrors,
  notStoredErrors,
  recipientErrors,
  rowName,
  type SmtpError,
  smtpErrors,
} from '../errors.js';
export { pathOf } from '../http/access/host.js';
export { basicCredentials } from '../http/access/keys.js';
export {
  messageIfThere,
  readerOf,
  sendJson,
  streamOf,
  textBody,
  waitForTurn,
  whenOver,
} from '../http/answer/answers.js';
export type { OpenStream } from '../http/answer/open-streams.js';
export {
  ANSWER_HEADERS,
  JSON_TYPE,
  RETRY_SOON,
  RequestError,
  retryAfter,
  stoppingError,
  type ToldError,
} from '../http/answer/request-error.js';
export { type App, faultOf, type Reply, type Request } from '../http/framework.js';
export { addRawRoutes } from '../http/request/bodies.js';
export { reading, readQuery } from '../http/request/fields.js';
export { INBOX_FIELDS } from '../http/request/parameters.js';
export { addInspectionRoute, ifThere, partHeaders } from '../http/routes/email.js';
export { adHocIn, bareInbox } from '../inbox/ad-hoc.js';
export type { Addressee } from '../inbox/addressing.js';
export type { Viewer } from '../inbox/all-mail.js';
export { isUnlisted } from '../inbox/held-back.js';
export {
  type Delivered,
  type Ending,
  type HeldMail,
  type IncomingMail,
  type MailSlot,
  type Message as WholeMessage,
  type OpenedPart,
  type PluginWork,
  type Reader,
  type RefusedRecipient,
  type Released,
  StoreAwayError,
  type StoredEmail,
  TEXT_CHARS,
} from '../inbox/inboxes.js';
export type { EmailRecord, Records } from '../inbox/records.js';
export { type AddressRange, isLocalOnly, shownRange } from '../limits/client-address.js';
export { LEAST_BYTES_PER_SECOND } from '../limits/client-memory.js';
export type { WindowCounter } from '../limits/rate-limiter.js';
export { FairSemaphore, type Release, releaseWhenOver } from '../limits/semaphore.js';
export * as kinds from '../settings/kinds.js';
export { SettingsError } from '../settings/reading.js';
export { whyUnreadable } from '../settings/resources.js';
export type { Settings } from '../settings/table.js';
export { firstDomain, one, optional, several } from '../settings/table.js';
export type { AddedRoutes, EmailListener, NewEmail, PluginHost, Service } from './define.js';
export { definePlugin, type Plugin, type PluginDefinition, type PluginSettings, type Sending } from './define.js';
