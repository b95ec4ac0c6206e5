import type { SmtpError } from 'mayfly-inbox/plugin';
import { httpError } from 'mayfly-plugins-shared/settings';

const where = '`POST /api/inbox/{name}/release`';

export const HTTP_ERRORS = {
  releaseBody: httpError(
    '400 release-body: Send a release without a body. To release only some emails, give their positions in the query, such as ?order=2,1.',
    where,
  ),
  notHolding: httpError(
    '409 not-holding: The inbox holds no mail back: its name has no --hold, or failure simulation is off (--failure-simulation).',
    where,
  ),
  notHeld: httpError('409 not-held: The inbox holds back {held}, so there is no email {position} to release.', where),
  releaseIsFull: httpError('409 release-is-full: The held mail could not be released: {reason}.', where),
} as const;

export const SMTP_ERRORS = {
  badRehearsal: {
    code: 553,
    enhanced: '5.1.3',
    text: 'The text after -- in this inbox name is not a fault: use faults such as 451x2, data550, lost250, delay5s, twice, greylist10s, limit3per10s or hold ("Failure simulation" in the documentation of Mayfly)',
  },
  rehearsalsOff: {
    code: 553,
    enhanced: '5.1.3',
    text: 'This inbox name simulates a failure, but failure simulation is off. Start the service with --failure-simulation',
  },
  tooManyDelays: {
    code: 451,
    enhanced: '4.7.1',
    text: 'At most 100 messages from your IP address can wait for a simulated delay: try again in a moment',
  },
} as const;

/** Enhanced codes and texts of simulated errors by reply code, like those of mail servers (RFC 5321 section 4.2.3). */
const REHEARSED: Readonly<Record<number, readonly [enhanced: string, text: string]>> = {
  421: ['4.3.2', 'Service not available, closing transmission channel'],
  450: ['4.2.1', 'Mailbox temporarily unavailable'],
  451: ['4.3.0', 'Temporary local problem, please try later'],
  452: ['4.3.1', 'Insufficient system storage'],
  454: ['4.7.0', 'Temporary authentication failure'],
  500: ['5.5.2', 'Syntax error, command unrecognized'],
  501: ['5.5.4', 'Syntax error in parameters or arguments'],
  503: ['5.5.1', 'Bad sequence of commands'],
  521: ['5.3.2', 'Host does not accept mail'],
  530: ['5.7.0', 'Authentication required'],
  535: ['5.7.8', 'Authentication credentials invalid'],
  550: ['5.1.1', 'Mailbox unavailable: user unknown'],
  551: ['5.1.6', 'User not local'],
  552: ['5.2.2', 'Mailbox full'],
  553: ['5.1.3', 'Mailbox name not allowed'],
  554: ['5.7.1', 'Transaction failed: message rejected'],
  556: ['5.1.10', 'Domain does not accept mail'],
};

export function simulatedError(code: number): SmtpError {
  const isTransient = code < 500;
  const [enhanced, text] =
    REHEARSED[code] ?? (isTransient ? ['4.0.0', 'Temporary failure'] : ['5.0.0', 'Permanent failure']);
  return { code, enhanced, text: `${text} (rehearsed)`, isRehearsed: true };
}

/** Returns the reply to a message that a simulated greylist or limit defers for this number of seconds. */
export function simulatedDelay(reason: 'greylist' | 'limit', seconds: number): SmtpError {
  const again = `try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'} (rehearsed)`;
  return reason === 'greylist'
    ? { code: 451, enhanced: '4.7.1', text: `Greylisted: ${again}`, isRehearsed: true }
    : { code: 421, enhanced: '4.7.0', text: `Too many messages, slow down: ${again}`, isRehearsed: true };
}
