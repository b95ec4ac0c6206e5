/** Less than Playwright's 30 s for a test, so that the test fails with the explanation of the wait. */
export const STANDARD_TIMEOUT_MS = 20_000;

/** A service on the same machine or network answers sooner, even under load. */
export const STANDARD_CONNECT_TIMEOUT_MS = 3_000;

/** The longest wait, one day. Timers store milliseconds in 31 bits. */
export const MAX_WAIT_MS = 86_400_000;

/** A timeout up to this value is probably meant in seconds, as in other tools. */
export const MOST_LIKELY_SECONDS = 120;

/** The default capacity of an inbox. */
export const MAX_COUNT = 1_000;

/** The pause after the first failure, doubled after each further one, and the minimum that a service may request. */
export const FIRST_PAUSE_MS = 100;
export const LEAST_PAUSE_MS = 100;

/** A shorter stream without an event counts as failed, because a server's stream lasts 30 s (interface section 8). */
export const SHORTEST_STREAM_MS = 100;

/** How long a failed wait may look for its explanation, but never longer than the wait itself took. */
export const EXPLAINED_MS = 4_000;

/** Maximum number of emails named in a message, newest first, and of characters shown of a subject. */
export const MAX_NAMED = 10;
export const MAX_SUBJECT_LENGTH = 60;

/** Maximum number of services whose requests this process counts. Beyond it, all counts begin at zero again. */
export const MAX_SERVICES = 100;

/** Limit for whole messages: V8's maximum string length. The largest message of a service is almost as long. */
export const MAX_MESSAGES_BYTES = 2 ** 29 - 24;

/** Browsers follow at most 20 redirects. */
export const MAX_REDIRECTS = 10;
export const MAX_SCANNED_LINKS = 50;

/** Time limit for one response to a link with its page, and limits for its bytes and cookies. */
export const ANSWER_TIMEOUT_MS = 10_000;
export const MAX_PAGE_BYTES = 2 ** 16;
export const MAX_COOKIES = 50;
export const MAX_SHOWN_TEXT = 60;
