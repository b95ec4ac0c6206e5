/** Bounds of arguments and results. Texts are counted in characters (code points). */

/** Default and maximum of a wait. Hosts cut calls after 60 s, and some after 30. */
export const STANDARD_WAIT_SECONDS = 25;
export const MAX_WAIT_SECONDS = 50;

/** How often an agent that asked for it hears that a wait goes on. */
export const PROGRESS_MS = 5_000;

/**
 * Time after a wait to read the contents of the email, or the reasons for a timeout, so that no call takes nearly 60 s.
 */
export const DETAILS_MS = 5_000;

/** How much of the body a wait shows. */
export const PREVIEW_CHARS = 500;

/** Emails that a timeout lists. */
export const MAX_ARRIVED = 5;

/** Default and maximum number of emails that `check_inbox` lists. */
export const STANDARD_LISTED = 5;
export const MAX_LISTED = 20;

/** How much of a text or a list `get_email` shows: some 5,000 tokens. */
export const MAX_PART_CHARS = 20_000;

/** How long a text in a filter, or an inbox with its domain, may be. */
export const MAX_FILTER_CHARS = 1_000;
export const MAX_INBOX_CHARS = 320;

/** As the service bounds keys. */
export const MAX_SECRET_CHARS = 512;

/** Secrets of private inboxes that are remembered; the one used longest ago is forgotten first. */
export const MAX_SECRETS = 200;

/** Maximum length of senders, subjects and other short texts. */
export const MAX_SENDER_CHARS = 320;
export const MAX_SUBJECT_CHARS = 500;
export const MAX_SHORT_CHARS = 200;

/** How long the value of a field of the header may be. */
export const MAX_HEADER_CHARS = 1_000;

/** How many codes a wait shows. */
export const MAX_CODES = 10;

/** Maximum length of the explanation from the delivery log. */
export const MAX_WHY_CHARS = 1_500;
