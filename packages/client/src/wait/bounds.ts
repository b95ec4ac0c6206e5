/** The default timeout is less than Playwright's 30 s for a test, so that a test fails with a wait's explanation. */
export const STANDARD_TIMEOUT_MS = 20_000;

/** The default connect timeout. A service on the same machine or network answers sooner, even under load. */
export const STANDARD_CONNECT_TIMEOUT_MS = 3_000;

/** The longest wait: one day. A timer set to more than 24 days (31 bits of milliseconds) would fire immediately. */
export const MAX_WAIT_MS = 86_400_000;

/** A timeout up to this value is probably meant in seconds, as in other tools. */
export const MOST_LIKELY_SECONDS = 120;

/** Maximum number of emails that a call may ask for: the default capacity of an inbox. */
export const MAX_COUNT = 1_000;

/** The pause after the first failure (each further failure doubles it), and the minimum pause after a Retry-After. */
export const FIRST_PAUSE_MS = 100;
export const LEAST_PAUSE_MS = 100;

/** A shorter stream without an event counts as failed, because a server's stream lasts 30 s (interface section 8). */
export const SHORTEST_STREAM_MS = 100;

/** Maximum time to find out why a wait failed. If the wait's timeout is shorter, the maximum is that timeout. */
export const EXPLAINED_MS = 4_000;

/** Maximum number of emails that an error names, newest first, and of characters that it shows of a subject. */
export const MAX_NAMED = 10;
export const MAX_SUBJECT_LENGTH = 60;

/** Maximum number of services for which this process keeps request queues or reports. One more drops all of them. */
export const MAX_SERVICES = 100;

/** Maximum size of a response with whole messages: V8's longest string, because the largest message nearly needs it. */
export const MAX_MESSAGES_BYTES = 2 ** 29 - 24;

/** Maximum number of redirects to follow (browsers follow at most 20), and of links to open in a scan. */
export const MAX_REDIRECTS = 10;
export const MAX_SCANNED_LINKS = 50;

/** Limits when a link is opened: time of one response with its page, bytes of the page, number of cookies. */
export const ANSWER_TIMEOUT_MS = 10_000;
export const MAX_PAGE_BYTES = 2 ** 16;
export const MAX_COOKIES = 50;
export const MAX_SHOWN_TEXT = 60;
