import { MAX_NAME_LENGTH } from 'mayfly-protocol/inbox-name';
import { SECRET_LENGTH } from 'mayfly-protocol/made-name';

/** The bounds of the client, but for those of error-bounds.ts: how long, how many and how much. */

/**
 * Less than a test may take by default in Playwright (30 s), so that the test fails with the explanation of the wait.
 */
export const STANDARD_TIMEOUT_MS = 20_000;

/** A service on the same machine or network answers sooner, even while it is busy. */
export const STANDARD_CONNECT_TIMEOUT_MS = 3_000;

/** How long to watch that no further email comes, in milliseconds, where it is not told. */
export const STANDARD_QUIET_MS = 1_000;

/**
 * Longest time that may be waited: a day. Timers count milliseconds in 31 bits, and whatever is longer is a mistake.
 */
export const MAX_WAIT_MS = 86_400_000;

/**
 * A timeout of this many milliseconds or fewer is probably meant in seconds: in other tools, `timeout: 30` is half a
 * minute.
 */
export const MOST_LIKELY_SECONDS = 120;

/** Most emails that may be waited for: as many as an inbox takes by default. */
export const MAX_COUNT = 1_000;

/**
 * What a wait leaves of a test's time, so that the test fails with the explanation of the wait: this part, this much at
 * most, and never more than half of what is left.
 */
export const LEFT_PART = 0.2;
export const MAX_LEFT_MS = 5_000;

/** How long to pause after a failure: twice as long after each that follows another. */
export const FIRST_PAUSE_MS = 100;
export const LONGEST_PAUSE_MS = 2_000;

/** A stream that ends sooner without an event does not count as one: a server's lasts 30 s (interface section 8). */
export const SHORTEST_STREAM_MS = 100;

/** How long before its end, at most half of its time, a wait looks at the inbox for its error message. */
export const LAST_LOOK_MS = 2_000;

/**
 * How much longer than its time a wait may ask what explains it: as long as it took at the most, and in a test this part
 * of what is left. A service that does not answer the last look has less, and one that refuses has none.
 */
export const EXPLAINED_MS = 4_000;
export const EXPLAINED_PART = 0.4;
export const SILENT_MS = 1_000;

/** How long what an error needs may take to load, from when the error is made. */
export const LOADED_MS = 5_000;

/** When a wait first notes what is there that does not match: it may be gone at the end, or the time too short. */
export const FIRST_LOOK_MS = 1_000;

/** After how long of silence a look tells whether a stream has missed an email; then after twice as long, and so on. */
export const HEDGE_MS = 3_000;

/** How many summaries are listed at once: 200 KB at the most. */
export const PAGE_SIZE = 200;

/** How many messages are read at once: each may be large. */
export const READ_AT_ONCE = 4;

/** Where a list has more emails than this, all of them are fetched in one go. */
export const MAX_READ_SINGLY = 20;

/** How many bytes of messages are read to explain why none is wanted. */
export const MAX_EXPLAINED_BYTES = 2 ** 22;

/** How many emails, the newest ones, are read again to learn whether another call would find something in them. */
export const MAX_INSPECTED = 3;

/** How many inboxes of one Mayfly are known to the messages of its waits, and how many are asked, the newest ones. */
export const MAX_OWN = 20;
export const MAX_OWN_ASKED = 5;

/** How many emails a message names, the newest ones. */
export const MAX_NAMED = 10;

/** How much of a subject a message shows. */
export const MAX_SUBJECT_LENGTH = 60;

/** How much of a link a message shows, and how much of a text is searched for a number. */
export const MAX_HINTED_LENGTH = 300;
export const MAX_NUMBERED_LENGTH = 5_000;

/**
 * How long an answer may take to begin, and how long nothing more of it may come. So a slow line is no reason to begin
 * again.
 */
export const SILENCE_TIMEOUT_MS = 15_000;

/**
 * How long a stream may take to its first bytes. Mayfly sends them at once, so later ones are held up by something
 * between.
 */
export const FIRST_BYTES_TIMEOUT_MS = 2_000;

/**
 * How many requests to one service are on their way at once, and how many streams are being opened. Others wait for
 * their turn: where thousands of tests run in one process, their connections would come in one burst, and lose time to
 * each other.
 */
export const ASKED_AT_ONCE = 64;
export const OPENED_AT_ONCE = 64;

/**
 * For how many services this process counts its own requests. The count of a forgotten service begins anew.
 */
export const MAX_SERVICES = 100;

/**
 * How much longer than told a pause may be, so that clients that were told the same do not all come back at once.
 */
export const RETRY_SPREAD = 0.25;

/** How long to pause at the least before a service is asked again that says when. */
export const LEAST_PAUSE_MS = 100;

/** How much of a run is reported in one request: the service takes 16 KiB by default, and 100 tests. */
export const MAX_REPORT_BYTES = 14_000;
export const MAX_REPORTED_AT_ONCE = 100;

/** How many tests wait to be reported; the oldest of more go unreported. */
export const MAX_UNREPORTED = 1_000;

/** How long a report may take, how often one is tried, and how long it pauses before. */
export const REPORT_TIMEOUT_MS = 5_000;
export const MAX_REPORT_TRIES = 4;
export const MOST_REPORT_PAUSE_MS = 5_000;

/** How long the end of a file or a worker waits for its reports, and a failed test for the one that its link shows. */
export const LAST_REPORTS_MS = 2_000;

/** How long a failed test asks what came to its inboxes, of the part of its time that waits leave. */
export const LISTED_MS = 1_000;
export const FAILED_REPORT_MS = 500;

/** How much of a test is reported. */
export const MAX_REPORTED_INBOXES = 10;
export const MAX_REPORTED_WAITS = 5;
export const MAX_TITLE_LENGTH = 300;

/**
 * Most bytes of an answer, as they are after decompression. Whole messages: V8 makes no text of more characters, and
 * the largest message that a service may accept takes almost as many. One event of a stream: a wait finds a larger
 * message by the list. Anything else: 4,000 summaries.
 */
export const MAX_MESSAGES_BYTES = 2 ** 29 - 24;
export const MAX_EVENT_BYTES = 2 ** 25;
export const MAX_LIST_BYTES = 2 ** 22;

/** How long one answer may take from its first byte to its last, however steadily it comes. */
export const MAX_ANSWER_MS = 300_000;

/** So much of a message is looked through for its header. */
export const MAX_HEADER_LENGTH = 2 ** 15;

/**
 * What stands before it in the name of an inbox. Leaves room for two words of six letters, the secret and the hyphens
 * before each.
 */
export const MAX_PREFIX_LENGTH = MAX_NAME_LENGTH - 2 * 7 - (SECRET_LENGTH + 1);

/** The bounds of link scans and of followLink: most links of an email, and how many are requested at once. */
export const MAX_SCANNED_LINKS = 50;
export const LINKS_AT_ONCE = 4;

/** Most redirects that are followed from one link: browsers stop at 20. */
export const MAX_REDIRECTS = 10;

/** How long one answer may take, its page included, and how much of its page is read. */
export const ANSWER_TIMEOUT_MS = 10_000;
export const MAX_PAGE_BYTES = 2 ** 16;

/** How long a whole scan may take where it is not told. */
export const STANDARD_SCAN_MS = 60_000;

/** Most cookies of one answer that are reported. */
export const MAX_COOKIES = 50;

/** How long the scripts of a page run in a browser's scan, and most answers to it that are reported. */
export const SCRIPTS_MS = 5_000;
export const MAX_ANSWERS = 50;

/** How often the text of a page that goes elsewhere is read again. */
export const MAX_READS = 5;

/** How much of a page's text a problem shows. */
export const MAX_SHOWN_TEXT = 60;

/** How large a header is read for what keeps an email from one-click unsubscription. */
export const MAX_READ_HEADER_LENGTH = 2 ** 18;

/** How much text and HTML a snapshot holds: twice and more of what Gmail shows. */
export const MAX_SNAPSHOT_LENGTH = 2 ** 18;

/** How much of an email's text or of an address the message of a matcher shows. */
export const MAX_SHOWN_LENGTH = 200;
