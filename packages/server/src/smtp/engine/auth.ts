import { type SmtpError, smtpErrors } from '../../errors.js';
import type { Credentials } from '../../inbox/spaces/space.js';
import { type Reply, type ReplyValues, refusal, replies } from '../reply.js';

/** What the client's next line is during AUTH. */
export type AuthStep =
  | { readonly response: Mechanism }
  | { readonly passwordOf: string }
  /** A client that was refused a token answers the challenge that says so (RFC 7628 section 3.2.3). */
  | { readonly refusedWith: SmtpError };

/** `next` is null once the exchange is over. */
export interface AuthAnswer {
  readonly reply: Reply;
  readonly next: AuthStep | null;
  readonly error: { readonly row: SmtpError; readonly values?: ReplyValues } | null;
  /** What was accepted. Nothing but the hash of a space may be kept of it (D21, D66). */
  readonly credentials: Credentials | null;
  /** Whether the password is a bearer token. */
  readonly isToken: boolean;
}

interface Mechanism {
  readonly name: string;
  /** The text of the 334 for a client that sent no initial response. */
  challenge(): string;
  /** What a client sends, for the refusal of anything else. */
  readonly form: string;
  /** Reads the response; null if it is malformed. */
  read(response: string): AuthAnswer | null;
}

const SEPARATOR = '\x01';

/** RFC 7628 section 3.1: the header of GS2, with an optional user. */
const GS2_HEADER = /^[ny],(?:a=([^,]+))?,$/;

/** The user may be empty: a CRAM-MD5 client without one still sends the blank. */
const CRAM_MD5_RESPONSE = /^(.*) [0-9a-f]{32}$/is;

const BEARER = /^Bearer +(\S.*)$/i;

const MECHANISMS: readonly Mechanism[] = [
  {
    name: 'PLAIN',
    challenge: () => '',
    form: 'NUL, user, NUL and password (RFC 4616)',
    read(response) {
      const [, user, password, ...more] = response.split('\0');
      return user === undefined || password === undefined || more.length > 0 ? null : accepted({ user, password });
    },
  },
  {
    name: 'LOGIN',
    challenge: () => 'Username:',
    form: 'the user, and after the next 334 the password',
    read: (user) => (user === '' ? null : asked('Password:', { passwordOf: user })),
  },
  {
    name: 'CRAM-MD5',
    challenge: () => `<${crypto.randomUUID()}@mayfly.invalid>`,
    form: 'no initial response, and then the user, a blank and 32 hexadecimal digits (RFC 2195)',
    read(response) {
      const [, user] = CRAM_MD5_RESPONSE.exec(response) ?? [];
      // Any password is right, and the digest of an unknown one proves nothing.
      return user === undefined ? null : accepted({ user, password: '' });
    },
  },
  {
    name: 'XOAUTH2',
    challenge: () => '',
    form: 'user=USER, 0x01, auth=Bearer TOKEN and twice 0x01',
    read: (response) => readToken(fieldsOf(response), (fields) => fields.get('user')),
  },
  {
    name: 'OAUTHBEARER',
    challenge: () => '',
    form: 'n,a=USER, and 0x01, auth=Bearer TOKEN and twice 0x01 (RFC 7628)',
    read(response) {
      const end = response.indexOf(SEPARATOR);
      const header = GS2_HEADER.exec(response.slice(0, Math.max(0, end)));
      if (header === null) return null;
      const user = (header[1] ?? '').replace(/=2C/gi, ',').replace(/=3D/gi, '=');
      return readToken(fieldsOf(response.slice(end + 1)), () => user);
    },
  },
];

/** Mechanisms that do not send the password: two passwords cannot be two spaces. */
const WITHOUT_PASSWORD: ReadonlySet<string> = new Set(['CRAM-MD5']);

/** As EHLO lists them. Clients that choose take the first that they know, or one that hides the password. */
export function offeredMechanisms(needsPassword: boolean): readonly string[] {
  return MECHANISMS.map(({ name }) => name).filter((name) => !needsPassword || !WITHOUT_PASSWORD.has(name));
}

/** The challenge of XOAUTH2 and OAUTHBEARER that refuses a token: Google's, and RFC 7628 section 3.2.2. */
const TOKEN_REFUSED = JSON.stringify({ status: 'invalid_token', schemes: 'bearer', scope: 'mail' });

const aborted = refused(smtpErrors.authAborted);

/** Answers AUTH, given its argument: a mechanism and perhaps an initial response (RFC 4954 section 4). */
export function beginAuth(argument: string, needsPassword: boolean): AuthAnswer {
  const [name = '', initial, ...more] = argument.split(/[ \t]+/);
  const mechanism = MECHANISMS.find((one) => one.name === name.toUpperCase());
  if (mechanism === undefined) {
    return refused(smtpErrors.unknownMechanism, { mechanisms: offeredMechanisms(needsPassword).join(', ') });
  }
  if (needsPassword && WITHOUT_PASSWORD.has(mechanism.name)) return refused(smtpErrors.passwordNeeded);
  if (initial === undefined) return asked(mechanism.challenge(), { response: mechanism });
  // Without its challenge, CRAM-MD5 has nothing to answer.
  if (more.length > 0 || mechanism.name === 'CRAM-MD5') return malformed(mechanism);
  return take({ response: mechanism }, initial);
}

/** Answers the next line of an exchange; a lone `*` cancels it. */
export function continueAuth(step: AuthStep, line: string): AuthAnswer {
  // Whatever is said now, the refusal explains more.
  if ('refusedWith' in step) return { ...refused(step.refusedWith), error: null };
  const response = line.trim();
  return response === '*' ? aborted : take(step, response);
}

/** Any credentials are accepted here (D21); whether they make a space is for the dialogue. */
function take(step: Exclude<AuthStep, { readonly refusedWith: unknown }>, response: string): AuthAnswer {
  const mechanism = 'response' in step ? step.response : login;
  const bytes = Buffer.from(response, 'base64');
  // Node skips invalid base64; RFC 4954 section 4 refuses it.
  if (bytes.toString('base64') !== response) return malformed(mechanism);
  const text = bytes.toString();
  if ('passwordOf' in step) return accepted({ user: step.passwordOf, password: text });
  return mechanism.read(text) ?? malformed(mechanism);
}

const login = MECHANISMS.find(({ name }) => name === 'LOGIN') as Mechanism;

function fieldsOf(text: string): ReadonlyMap<string, string> {
  const fields = text.split(SEPARATOR).map((field): [string, string] => {
    const [name = '', ...value] = field.split('=');
    return [name, value.join('=')];
  });
  return new Map(fields);
}

function readToken(
  fields: ReadonlyMap<string, string>,
  userIn: (fields: ReadonlyMap<string, string>) => string | undefined,
): AuthAnswer | null {
  const user = userIn(fields);
  const [, token] = BEARER.exec(fields.get('auth') ?? '') ?? [];
  return user === undefined || token === undefined ? null : accepted({ user, password: token }, true);
}

function asked(challenge: string, next: AuthStep): AuthAnswer {
  const reply = { code: 334, enhanced: null, text: Buffer.from(challenge).toString('base64') };
  return { reply, next, error: null, credentials: null, isToken: false };
}

function accepted(credentials: Credentials, isToken = false): AuthAnswer {
  return { reply: replies.authenticated, next: null, error: null, credentials, isToken };
}

function malformed({ name, form }: Mechanism): AuthAnswer {
  return refused(smtpErrors.badCredentials, { mechanism: name, form });
}

function refused(row: SmtpError, values?: ReplyValues): AuthAnswer {
  const error = values === undefined ? { row } : { row, values };
  return { reply: refusal(row, values), next: null, error, credentials: null, isToken: false };
}

/** Refuses credentials that are well-formed. */
export function refusedCredentials(row: SmtpError, isToken: boolean): AuthAnswer {
  return isToken ? { ...asked(TOKEN_REFUSED, { refusedWith: row }), error: { row } } : refused(row);
}
