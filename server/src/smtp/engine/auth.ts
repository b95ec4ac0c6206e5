import { type SmtpError, smtpErrors } from '../../errors.js';
import type { Credentials } from '../../inbox/spaces/space.js';
import { type Reply, refusal, replies } from '../reply.js';

/** What the client's next line is during AUTH: PLAIN's token, or the user or the password of LOGIN. */
export type AuthStep = 'token' | 'user' | { readonly passwordOf: string };

/** `next` is null once the exchange is over. */
export interface AuthAnswer {
  readonly reply: Reply;
  readonly next: AuthStep | null;
  readonly error: SmtpError | null;
  /** What was accepted. Nothing but the hash of a space may be kept of it (D21, D66). */
  readonly credentials: Credentials | null;
}

const askToken = asked({ code: 334, enhanced: null, text: '' }, 'token');
const askUser = asked(challenge('Username:'), 'user');
const passwordChallenge = challenge('Password:');
const malformed = refused(smtpErrors.badCredentials);
const aborted = refused(smtpErrors.authAborted);
const unknownMechanism = refused(smtpErrors.unknownMechanism);

/** Answers AUTH, given its argument: a mechanism and perhaps an initial response (RFC 4954 section 4). */
export function beginAuth(argument: string): AuthAnswer {
  const [mechanism = '', initial, ...more] = argument.split(/[ \t]+/);
  const plain = mechanism.toUpperCase() === 'PLAIN';
  if (!plain && mechanism.toUpperCase() !== 'LOGIN') return unknownMechanism;
  if (more.length > 0) return malformed;
  if (initial === undefined) return plain ? askToken : askUser;
  return take(plain ? 'token' : 'user', initial);
}

/** Answers the next line of an exchange; a lone `*` cancels it. */
export function continueAuth(step: AuthStep, line: string): AuthAnswer {
  const response = line.trim();
  return response === '*' ? aborted : take(step, response);
}

/** Any non-empty credentials are accepted here (D21); whether they make a space is for the dialogue. */
function take(step: AuthStep, response: string): AuthAnswer {
  const bytes = Buffer.from(response, 'base64');
  // Node skips invalid base64; RFC 4954 section 4 refuses it.
  if (bytes.toString('base64') !== response) return malformed;
  const text = bytes.toString();
  if (step === 'user') return bytes.length === 0 ? malformed : asked(passwordChallenge, { passwordOf: text });
  if (step !== 'token') return accepted({ user: step.passwordOf, password: text });
  const [, user, password, ...more] = text.split('\0');
  return user === undefined || password === undefined || more.length > 0 ? malformed : accepted({ user, password });
}

function challenge(text: string): Reply {
  return { code: 334, enhanced: null, text: Buffer.from(text).toString('base64') };
}

function asked(reply: Reply, next: AuthStep): AuthAnswer {
  return { reply, next, error: null, credentials: null };
}

function accepted(credentials: Credentials): AuthAnswer {
  return { reply: replies.authenticated, next: null, error: null, credentials };
}

export function refused(error: SmtpError): AuthAnswer {
  return { reply: refusal(error), next: null, error, credentials: null };
}
