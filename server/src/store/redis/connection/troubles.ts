/** What an operator is told of an unusable server, and what to do about it. */
import { StoreAwayError, UnusableStoreError } from '../../store.js';
import type { Place } from './address.js';
import { RefusedCommand } from './client.js';

const NOT_LET_IN = /^(?:WRONGPASS|NOAUTH|ERR (?:invalid password|AUTH))/;

const NO_DATABASE = /^ERR DB index is out of range/;

const UNKNOWN_AUTHORITY =
  /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(?:VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT(?:_LOCALLY)?))$/;

/** What an operator must change before the server can be used; null if a retry may help. */
export function refusalOf(error: unknown, trouble: unknown, place: Place): UnusableStoreError | null {
  for (const one of [error, trouble]) if (one instanceof UnusableStoreError) return one;
  for (const one of [error, trouble]) {
    const sentence = one instanceof RefusedCommand ? sentenceOf(one, place) : null;
    if (sentence !== null) return new UnusableStoreError(`--store: ${sentence}`, { cause: one });
  }
  return null;
}

/** A server that was usable and now rejects us is away until its operator changes that. */
export function asAway(error: unknown): unknown {
  const isLockedOut = error instanceof RefusedCommand && (NOT_LET_IN.test(error.message) || lacksRights(error));
  if (!isLockedOut && !(error instanceof UnusableStoreError)) return error;
  return new StoreAwayError(withoutStop(error.message), { cause: error });
}

function sentenceOf(refused: RefusedCommand, place: Place): string | null {
  const at = `Redis at ${place.text}`;
  if (lacksRights(refused)) return rightsSentence(at, refused);
  if (NO_DATABASE.test(refused.message)) {
    return `${at} has no database with that number. Use one that exists, usually 0 to 15, or omit it: redis://HOST:PORT.`;
  }
  if (!NOT_LET_IN.test(refused.message)) return null;
  const form = place.isCluster ? 'redis+cluster://NAME:PASSWORD@HOST:PORT,HOST:PORT' : 'redis://NAME:PASSWORD@HOST';
  return `${at} refused the login: ${withoutStop(refused.message)}. Put the user name and the password in the URL: ${form}.`;
}

/** Whether Redis knows the user but denies the command (Redis, "ACL"). */
export function lacksRights(refused: RefusedCommand): boolean {
  return refused.message.startsWith('NOPERM');
}

export function rightsSentence(server: string, refused: RefusedCommand): string {
  return `${server} does not grant the user the rights that Mayfly needs: ${withoutStop(refused.message)}. Grant them: ACL SETUSER NAME ~mayfly:* &mayfly:* +@all.`;
}

/** Why a URL's server cannot be reached, without a full stop, and what helps if known. */
export function reasonOf(reason: unknown, url: string): string {
  if (!(reason instanceof Error)) return String(reason);
  const { code = '' } = reason as NodeJS.ErrnoException;
  const [scheme = ''] = url.split(':', 1);
  const help = helpWith(code, reason.message, scheme);
  return withoutStop(reason.message || code) + (help === null ? '' : `. ${help}`);
}

function helpWith(code: string, message: string, scheme: string): string | null {
  const isTls = scheme.startsWith('rediss');
  if (UNKNOWN_AUTHORITY.test(code)) {
    return 'Set NODE_EXTRA_CA_CERTS=FILE in the environment, with the certificate of the authority that signed its certificate';
  }
  if (/^Unknown RESP type/.test(message)) return 'That is not a Redis server: check the port in --store';
  if (!isTls && code === 'ECONNRESET') {
    return `If that port uses TLS, write ${scheme.replace('redis', 'rediss')}:// in --store`;
  }
  if (isTls && (/^The store does not answer/.test(message) || /WRONG_VERSION_NUMBER/.test(code))) {
    return `If that port does not use TLS, write ${scheme.replace('rediss', 'redis')}:// in --store`;
  }
  return null;
}

function withoutStop(sentence: string): string {
  return sentence.endsWith('.') ? sentence.slice(0, -1) : sentence;
}
