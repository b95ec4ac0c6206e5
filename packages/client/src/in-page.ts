// The client for bundling into a page, without the parts that need Node.

export type * from 'mayfly-protocol/wire';
export type * from 'mayfly-protocol/wire-all';
export type * from 'mayfly-protocol/wire-attempts';
export type * from 'mayfly-protocol/wire-check';
export type * from 'mayfly-protocol/wire-runs';
export { type CreateInboxOptions, Mayfly, type OpenInboxOptions, type ReadyOptions } from './wait/client.js';
export type { EmailAttachment, EmailData, EmailLinks, ReceivedEmail } from './wait/email.js';
export {
  MayflyAuthError,
  MayflyError,
  MayflyGoneError,
  MayflyNetworkError,
  MayflyOptionError,
  MayflyRateLimitError,
  MayflyResponseError,
  MayflyTimeoutError,
  MayflyUnexpectedEmailError,
} from './wait/errors.js';
export type { EmailFilter } from './wait/filter.js';
export type {
  EmailsOptions,
  ExpectNoEmailOptions,
  Inbox,
  WaitForCodeOptions,
  WaitForEmailsOptions,
  WaitForLinkOptions,
  WaitOptions,
} from './wait/inbox.js';
export type { MayflyOptions } from './wait/settings.js';
