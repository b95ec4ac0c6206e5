/** What `mayfly-inbox/plugin` exports: the door for plugins, of this package and from outside (docs/plugins.md). */

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
  mayHold,
  type PluginWork,
  type Reader,
  type RefusedRecipient,
  StoreAwayError,
  TEXT_CHARS,
} from '../inbox/inboxes.js';
export { outsideSpace } from '../inbox/spaces/space.js';
export { type AddressRange, isLocalOnly, shownRange } from '../limits/client-address.js';
export * as kinds from '../settings/kinds.js';
export { SettingsError } from '../settings/reading.js';
export { one, optional, several } from '../settings/setting.js';
export { whyUnreadable } from '../settings/system-errors.js';
export type { Settings } from '../settings/table.js';
export {
  type Attachment,
  BadLetterError,
  bytesOfBase64,
  composeLetter,
  isAddress,
  isFieldName,
  type Letter,
  oneLine,
  type Person,
} from './compose-letter.js';
export type { AddedRoutes, EmailListener, NewEmail, PluginHost, Service } from './define.js';
export { definePlugin, type Plugin, type PluginDefinition, type PluginSettings, type Sending } from './define.js';
export { type BoundedBody, countMail, SentBodies } from './request-bodies.js';
