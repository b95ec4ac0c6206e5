import { type ErrorValues, type SmtpError, smtpErrors } from '../errors.js';
import { adHocOf, type Credentials } from '../inbox/ad-hoc.js';

/** Yields challenges and is resumed with the client's responses. */
export type AuthExchange = Generator<AuthChallenge, AuthEnd, string>;

interface AuthChallenge {
  readonly challenge: string;
  /** Set if this challenge refuses the token. The client still responds to the challenge (RFC 7628 section 3.2.3). */
  readonly refused?: SmtpError;
}

/** Contains no credentials, which must not be kept (D21, D66). `adHoc` is null if ad-hoc workspaces are off. */
type AuthEnd =
  | { readonly adHoc: string | null }
  | { readonly error: SmtpError; readonly values?: ErrorValues; readonly isTold?: true };

type Given = (Credentials & { isToken?: true }) | { readonly challenge: string; readonly read: Read } | null;
type Read = (response: string) => Given;

interface Mechanism {
  readonly name: string;
  /** The challenge for a client that sent no initial response. */
  challenge(): string;
  /** The form of the expected response, for the error about a malformed one. */
  readonly form: string;
  readonly read: Read;
  /** Whether the response depends on the challenge. Such a mechanism does not send the password (D66). */
  readonly needsChallenge?: true;
}

const SEPARATOR = '\x01';

/** The GS2 header with an optional user (RFC 7628 section 3.1). */
const GS2_HEADER = /^[ny],(?:a=([^,]+))?,$/;

/** The user may be empty, because a client without a user still sends the space before the digest. */
const CRAM_MD5_RESPONSE = /^(.*) [0-9a-f]{32}$/is;

const BEARER = /^Bearer +(\S.*)$/i;

const MECHANISMS: readonly Mechanism[] = [
  {
    name: 'PLAIN',
    challenge: () => '',
    form: 'NUL, user, NUL and password (RFC 4616)',
    read(response) {
      const [, user, password, ...more] = response.split('\0');
      return user === undefined || password === undefined || more.length > 0 ? null : { user, password };
    },
  },
  {
    name: 'LOGIN',
    challenge: () => 'Username:',
    form: 'the user and, after the next 334, the base64 of the password',
    read: (user) => (user === '' ? null : { challenge: 'Password:', read: (password) => ({ user, password }) }),
  },
  {
    name: 'CRAM-MD5',
    challenge: () => `<${crypto.randomUUID()}@mayfly.invalid>`,
    form: 'the user, a blank and 32 hexadecimal digits, after the challenge (RFC 2195)',
    needsChallenge: true,
    read(response) {
      const [, user] = CRAM_MD5_RESPONSE.exec(response) ?? [];
      // Any password is accepted, so the digest is not checked.
      return user === undefined ? null : { user, password: '' };
    },
  },
  {
    name: 'XOAUTH2',
    challenge: () => '',
    form: 'user=USER, 0x01, auth=Bearer TOKEN and twice 0x01',
    read: (response) => tokenIn(response, fieldIn(response, 'user')),
  },
  {
    name: 'OAUTHBEARER',
    challenge: () => '',
    form: 'n,a=USER, and 0x01, auth=Bearer TOKEN and twice 0x01 (RFC 7628)',
    read(response) {
      const [header = ''] = response.split(SEPARATOR, 1);
      const found = GS2_HEADER.exec(header);
      if (found === null || header === response) return null;
      const user = (found[1] ?? '').replace(/=2C/gi, ',').replace(/=3D/gi, '=');
      return tokenIn(response.slice(header.length + 1), user);
    },
  },
];

/** Mechanisms in the order of EHLO. Most clients use the first that they support, or one that hides the password. */
export function offeredMechanisms(needsPassword: boolean): readonly string[] {
  return MECHANISMS.filter(({ needsChallenge }) => !needsPassword || !needsChallenge).map(({ name }) => name);
}

/** The challenge that refuses a token, for XOAUTH2 (Google's form) and OAUTHBEARER (RFC 7628 section 3.2.2). */
const TOKEN_REFUSED = JSON.stringify({ status: 'invalid_token', schemes: 'bearer', scope: 'mail' });

export function* authenticate(argument: string, hasAdHoc: boolean): AuthExchange {
  const [name = '', initial, ...more] = argument.split(/[ \t]+/);
  const mechanism = MECHANISMS.find((one) => one.name === name.toUpperCase());
  if (mechanism === undefined) {
    return { error: smtpErrors.unknownMechanism, values: { mechanisms: offeredMechanisms(hasAdHoc).join(', ') } };
  }
  const { form, needsChallenge } = mechanism;
  if (hasAdHoc && needsChallenge) return { error: smtpErrors.passwordNeeded };
  const malformed = { error: smtpErrors.badCredentials, values: { mechanism: mechanism.name, form } };
  if (more.length > 0 || (initial !== undefined && needsChallenge)) return malformed;
  let { read } = mechanism;
  let challenge = initial === undefined ? mechanism.challenge() : null;
  for (let response = initial ?? ''; ; ) {
    if (challenge !== null) response = (yield { challenge }).trim();
    // A lone `*` cancels the exchange.
    if (challenge !== null && response === '*') return { error: smtpErrors.authAborted };
    const bytes = Buffer.from(response, 'base64');
    // Node skips invalid base64; RFC 4954 section 4 refuses it.
    const given = bytes.toString('base64') === response ? read(bytes.toString()) : null;
    if (given === null) return malformed;
    if (!('challenge' in given)) return yield* signIn(given, hasAdHoc);
    ({ read, challenge } = given);
  }
}

/** Maps credentials to their ad-hoc workspace (D66). */
function* signIn({ isToken, ...credentials }: Credentials & { isToken?: true }, hasAdHoc: boolean): AuthExchange {
  const adHoc = hasAdHoc ? adHocOf(credentials) : null;
  if (!hasAdHoc || adHoc !== null) return { adHoc };
  const error = smtpErrors.badSpace;
  if (!isToken) return { error };
  yield { challenge: TOKEN_REFUSED, refused: error };
  // Whatever the client answers to the challenge, the reply is the error, which explains more than the challenge.
  return { error, isTold: true };
}

function fieldIn(text: string, name: string): string | undefined {
  const field = text.split(SEPARATOR).findLast((one) => one === name || one.startsWith(`${name}=`));
  return field?.slice(name.length + 1);
}

function tokenIn(fields: string, user: string | undefined): Given {
  const [, password] = BEARER.exec(fieldIn(fields, 'auth') ?? '') ?? [];
  return user === undefined || password === undefined ? null : { user, password, isToken: true };
}
