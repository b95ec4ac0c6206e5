export { type CreateInboxOptions, Mayfly, type OpenInboxOptions, type ReadyOptions } from './client.js';
export type { EmailAttachment, EmailData, EmailLinks, ReceivedEmail } from './email.js';
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
} from './errors.js';
export type { EmailFilter } from './filter.js';
export type {
  EmailsOptions,
  ExpectNoEmailOptions,
  Inbox,
  WaitForCodeOptions,
  WaitForEmailsOptions,
  WaitForLinkOptions,
  WaitOptions,
} from './inbox.js';
export type { MayflyOptions } from './settings.js';
export type {
  BoundedField,
  Email,
  EmailCode,
  EmailLink,
  EmailParts,
  EmailPlace,
  EmailSummary,
  Envelope,
  ErrorResponse,
  ExplainedCandidate,
  ExplainedReason,
  Explanation,
  HeaderField,
  Health,
  InboxResponse,
  Mailbox,
  MimePart,
  RateLimit,
  Readiness,
  ReleaseResponse,
  SendApiRequest,
  ServiceSettings,
  SmtpAddress,
  SummaryCut,
  SummaryResponse,
  Verdict,
  WaitlistRequest,
  WaitlistResponse,
} from './wire.js';
export type {
  Attempt,
  AttemptAuth,
  AttemptError,
  AttemptStages,
  AttemptTls,
  InboxAttempts,
  SessionAttempts,
  SmtpOffer,
} from './wire-attempts.js';
