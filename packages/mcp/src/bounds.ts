/** Limits for arguments and results. Lengths are in characters (code points). */

/** Default and maximum duration of a wait. Hosts end calls after 60 s, some after 30 s. */
export const STANDARD_WAIT_SECONDS = 25;
export const MAX_WAIT_SECONDS = 50;

/** Interval of progress reports to an agent that requested them. */
export const PROGRESS_MS = 5_000;

/** Maximum time after a wait to read the email, or the reasons for a timeout. Keeps a call well below 60 s. */
export const DETAILS_MS = 5_000;

/** Maximum length of the body that a wait returns. */
export const PREVIEW_CHARS = 500;

/** Maximum number of emails listed in the result of a wait that timed out. */
export const MAX_ARRIVED = 5;

/** Default and maximum number of emails that `check_inbox` lists. */
export const STANDARD_LISTED = 5;
export const MAX_LISTED = 20;

/** Maximum length of a text or list from `get_email`, about 5,000 tokens. */
export const MAX_PART_CHARS = 20_000;

/** Maximum length of a text in a filter, or of an inbox with its domain. */
export const MAX_FILTER_CHARS = 1_000;
export const MAX_INBOX_CHARS = 320;

/** Maximum length of an inbox's secret, which is the service's limit for keys. */
export const MAX_SECRET_CHARS = 512;

/** Maximum number of remembered secrets of private inboxes. The least recently used is dropped first. */
export const MAX_SECRETS = 200;

/** Maximum length of senders, subjects and other short texts. */
export const MAX_SENDER_CHARS = 320;
export const MAX_SUBJECT_CHARS = 500;
export const MAX_SHORT_CHARS = 200;

/** Maximum length of a header field's value. */
export const MAX_HEADER_CHARS = 1_000;

/** Maximum number of codes that a wait returns. */
export const MAX_CODES = 10;

/** Maximum length of the explanation from the delivery log. */
export const MAX_WHY_CHARS = 1_500;
