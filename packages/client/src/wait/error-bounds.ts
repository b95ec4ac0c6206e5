/** The bounds of the errors of answers. They load with the first of these, and so stand apart from all others. */

/** How long to wait where a 429 does not say it, and at the least and at the most where it does. */
export const STANDARD_RETRY_MS = 1_000;
export const LEAST_RETRY_MS = 100;
export const MOST_RETRY_MS = 3_600_000;

/** How much of an answer that is not Mayfly's own goes into an error. */
export const MAX_QUOTE_LENGTH = 500;

/** How much of the text of an error is read, and for how long after its status. */
export const MAX_ERROR_BYTES = 2 ** 16;
export const ERROR_TEXT_TIMEOUT_MS = 1_000;

/** How long trying to open a connection may take that tells why nothing answers. */
export const PROBE_MS = 1_000;
