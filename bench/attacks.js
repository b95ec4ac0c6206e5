// What one client may try against the others: each attack is made by one address, as fast as it can, within its limits.
import { ATTEMPT_ATTACKS } from './attacks/attempts.js';
import { CONNECTION_ATTACKS } from './attacks/connections.js';
import { KEY_ATTACKS } from './attacks/keys.js';
import { LIMIT_ATTACKS } from './attacks/limits.js';
import { MAIL_ATTACKS } from './attacks/mail.js';
import { QUERY_ATTACKS } from './attacks/queries.js';
import { SENDING_ATTACKS } from './attacks/sending.js';
import { SMTP_ATTACKS } from './attacks/smtp.js';
import { SPACE_ATTACKS } from './attacks/spaces.js';
import { STREAM_ATTACKS } from './attacks/streams.js';

/** What a client is answered that is at a limit. */
export const REFUSALS = new Set(['421', '429', '451', '452', '503']);

/**
 * An attack. `lanes` is how many steps run at once, `step(context)` one of them, which resolves to what the attacker
 * got: a status or a word; `context` has `service`, `address`, `agent`, `isShort` (whether phases are short), `number`
 * (of the step, from 0) and `signal` (aborted when the phase ends). `maxSteps` bounds it. `seeks` is an answer without
 * which the attack shows nothing: it goes on until it gets one. `prepare(context)` runs before. `flags` are settings of
 * the service. `breach(facts)` returns a sentence if the service let too much through, whatever the times are; `facts`
 * has `tally` (a count for each result), `elapsedMs`, `storeBytes` and `memoryMb` (the most that the service had).
 */
export const ATTACKS = [
  ...KEY_ATTACKS,
  ...QUERY_ATTACKS,
  ...STREAM_ATTACKS,
  ...MAIL_ATTACKS,
  ...SMTP_ATTACKS,
  ...SENDING_ATTACKS,
  ...ATTEMPT_ATTACKS,
  ...CONNECTION_ATTACKS,
  ...SPACE_ATTACKS,
  ...LIMIT_ATTACKS,
];
