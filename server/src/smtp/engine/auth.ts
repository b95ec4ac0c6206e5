import { type SmtpError, smtpErrors } from '../../errors.js';
import { type Reply, refusal, replies } from '../reply.js';

/** What the client's next line is during AUTH: PLAIN's token, or a part of LOGIN. */
export type AuthStep = 'token' | 'user' | 'password';

/** `next` is null once the exchange is over. */
export interface AuthAnswer {
  readonly reply: Reply;
  readonly next: AuthStep | null;
  readonly error: SmtpError | null;
}

const accepted: AuthAnswer = { reply: replies.authenticated, next: null, error: null };
const askToken: AuthAnswer = { reply: { code: 334, enhanced: null, text: '' }, next: 'token', error: null };
const askUser: AuthAnswer = { reply: challenge('Username:'), next: 'user', error: null };
const askPassword: AuthAnswer = { reply: challenge('Password:'), next: 'password', error: null };
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

/** Any non-empty credentials are accepted, and none are kept (D21). */
function take(step: AuthStep, response: string): AuthAnswer {
  const bytes = Buffer.from(response, 'base64');
  // Node skips invalid base64; RFC 4954 section 4 refuses it.
  if (bytes.toString('base64') !== response) return malformed;
  if (step === 'password') return accepted;
  if (step === 'user') return bytes.length === 0 ? malformed : askPassword;
  return bytes.toString('latin1').split('\0').length === 3 ? accepted : malformed;
}

function challenge(text: string): Reply {
  return { code: 334, enhanced: null, text: Buffer.from(text).toString('base64') };
}

function refused(error: SmtpError): AuthAnswer {
  return { reply: refusal(error), next: null, error };
}
