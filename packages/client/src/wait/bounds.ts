/** Less than Playwright's 30 s for a test, so that the test fails with the explanation of the wait. */
export const STANDARD_TIMEOUT_MS = 20_000;

/** A service on the same machine or network answers sooner, even while it is busy. */
export const STANDARD_CONNECT_TIMEOUT_MS = 3_000;

/** The longest wait: a day. Timers count milliseconds in 31 bits. */
export const MAX_WAIT_MS = 86_400_000;

/** A timeout up to this is probably meant in seconds: in other tools, `timeout: 30` is half a minute. */
export const MOST_LIKELY_SECONDS = 120;

/** As many as an inbox takes by default. */
export const MAX_COUNT = 1_000;

/** The pause after the first failure in a row, which doubles with each, and the least that a service may ask for. */
export const FIRST_PAUSE_MS = 100;
export const LEAST_PAUSE_MS = 100;

/** A stream that ends sooner without an event does not count as one: a server's lasts 30 s (interface section 8). */
export const SHORTEST_STREAM_MS = 100;

/** How long a wait may look for its explanation after its time, but never longer than the wait took. */
export const EXPLAINED_MS = 4_000;

/** How many emails a message names, the newest ones, and how much of a subject it shows. */
export const MAX_NAMED = 10;
export const MAX_SUBJECT_LENGTH = 60;

/** For how many services this process counts its own requests. The count of a forgotten service begins anew. */
export const MAX_SERVICES = 100;

/** Whole messages: V8 makes no text of more characters, and the largest message of a service takes almost as many. */
export const MAX_MESSAGES_BYTES = 2 ** 29 - 24;

/** Browsers follow at most 20. */
export const MAX_REDIRECTS = 10;
export const MAX_SCANNED_LINKS = 50;

/** How long one answer to a link may take with its page, and how much of the page and how many cookies are read. */
export const ANSWER_TIMEOUT_MS = 10_000;
export const MAX_PAGE_BYTES = 2 ** 16;
export const MAX_COOKIES = 50;
export const MAX_SHOWN_TEXT = 60;
