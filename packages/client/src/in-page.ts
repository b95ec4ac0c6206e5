// The client as a page bundles it: without what it does in Node alone.

export type {
  AllEmailsResponse,
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
  ListedEmail,
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
} from 'mayfly-protocol/wire';
export type {
  Attempt,
  AttemptAuth,
  AttemptError,
  AttemptHanded,
  AttemptStages,
  AttemptTls,
  InboxAttempts,
  InboxWait,
  InboxWaitFilter,
  KeptElsewhere,
  SessionAttempts,
  SmtpOffer,
  WayOut,
} from 'mayfly-protocol/wire-attempts';
export type { CheckedFeature, CheckedImages, CheckedUnsubscribe, EmailCheck } from 'mayfly-protocol/wire-check';
export type {
  ReportedTest,
  RunCounts,
  RunHidden,
  RunInbox,
  RunOutcome,
  RunReport,
  RunReportResponse,
  RunResponse,
  RunTest,
  RunWait,
} from 'mayfly-protocol/wire-runs';
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
