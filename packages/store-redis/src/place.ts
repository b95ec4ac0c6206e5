import { type RedisOptions, ReplyError } from 'ioredis';
import { UnusableStoreError } from '../../server/dist/store/seam.js';

const NOT_LET_IN = /^(?:WRONGPASS|NOAUTH|ERR (?:invalid password|AUTH))/;

const NO_DATABASE = /^ERR DB index is out of range/;

const UNKNOWN_AUTHORITY =
  /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(?:VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT(?:_LOCALLY)?))$/;

/** Whether an error is a reply of Redis, as opposed to a failed connection. */
export function isRefused(error: unknown): error is Error {
  return error instanceof ReplyError;
}

/** An error that only the operator can fix; null if a retry may help. */
export function refusalOf(error: unknown, trouble: unknown, place: Place): UnusableStoreError | null {
  for (const one of [error, trouble]) if (one instanceof UnusableStoreError) return one;
  // After a refused login, commands fail with NOAUTH. Prefers the login's error (`trouble`), which explains more.
  for (const one of isRefused(error) && /^NOAUTH/.test(error.message) ? [trouble, error] : [error, trouble]) {
    const sentence = isRefused(one) ? sentenceOf(one, place) : null;
    if (sentence !== null) return new UnusableStoreError(`--store: ${sentence}`, { cause: one });
  }
  return null;
}

function sentenceOf(refused: Error, place: Place): string | null {
  const at = `Redis at ${place.text}`;
  if (lacksRights(refused)) return rightsSentence(at, refused);
  if (NO_DATABASE.test(refused.message)) {
    return `${at} has no database with that number. Use one that exists, usually 0 to 15, or omit the number: redis://HOST:PORT.`;
  }
  if (/cluster support disabled/.test(refused.message)) {
    return `${at} is not a cluster node. For a standalone server, use redis://HOST:PORT.`;
  }
  if (!NOT_LET_IN.test(refused.message)) return null;
  const form = place.isCluster ? 'redis+cluster://NAME:PASSWORD@HOST:PORT,HOST:PORT' : 'redis://NAME:PASSWORD@HOST';
  return `${at} refused the login: ${withoutStop(refused.message)}. Put the user name and the password in the URL: ${form}.`;
}

export function lacksRights(refused: Error): boolean {
  return refused.message.startsWith('NOPERM');
}

export function rightsSentence(server: string, refused: Error): string {
  return `${server} does not grant the user the rights that Mayfly needs: ${withoutStop(refused.message)}. Grant them: ACL SETUSER NAME ~mayfly:* &mayfly:* +@all.`;
}

/** Why the server is unreachable and, if known, how to fix it, without a full stop. */
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
    return 'Set NODE_EXTRA_CA_CERTS=FILE in the environment, where FILE is the certificate of the authority that signed the server certificate';
  }
  if (/^Protocol error/.test(message)) return 'The server at this port is not Redis: check the port in --store';
  if (!isTls && code === 'ECONNRESET') {
    return `If the server uses TLS, write ${scheme.replace('redis', 'rediss')}:// in --store`;
  }
  if (isTls && (/^The store does not answer|before secure TLS/.test(message) || /WRONG_VERSION_NUMBER/.test(code))) {
    return `If the server does not use TLS, write ${scheme.replace('rediss', 'redis')}:// in --store`;
  }
  return null;
}

export function withoutStop(sentence: string): string {
  return sentence.endsWith('.') ? sentence.slice(0, -1) : sentence;
}

export interface Place {
  /** For messages: the host and port, without credentials. */
  readonly text: string;
  /** `HOST:PORT` of some nodes of the cluster, or of the one server. */
  readonly nodes: readonly string[];
  readonly isCluster: boolean;
  /** User, password, database and TLS. */
  readonly options: RedisOptions;
}

const DEFAULT_PORT = 6379;

const CLUSTER = /^(rediss?)\+cluster:\/\/(?:([^@/]*)@)?([^@/]+)\/?$/;

/** Parses a store's URL. The error for an invalid URL never contains the password. */
export function placeOf(url: string): Place {
  return /^rediss?\+/.test(url) ? placeOfCluster(url) : placeOfServer(url);
}

function placeOfServer(url: string): Place {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed === null || parsed.hostname === '' || !/^\/?\d*$/.test(parsed.pathname)) {
    throw new UnusableStoreError(
      '--store: not a Redis server URL. Use redis://HOST:PORT or redis://HOST:PORT/DATABASE, with a database number. ' +
        'Percent-encode /, @, : and % in the user name and password.',
    );
  }
  const nodes = [hostAndPort(parsed.host)];
  return { text: parsed.host, nodes, isCluster: false, options: optionsOf(parsed) };
}

function placeOfCluster(url: string): Place {
  const [, scheme = '', user, hosts = ''] = CLUSTER.exec(url) ?? [];
  const urlOf = (node: string) => `${scheme}://${user === undefined ? '' : `${user}@`}${node}`;
  const nodes = hosts.split(',').map(hostAndPort);
  if (scheme === '' || !nodes.every((node) => URL.canParse(urlOf(node)) && addressOf(node).host !== '')) {
    throw new UnusableStoreError(
      '--store: not a Redis cluster URL. Use redis+cluster://HOST:PORT,HOST:PORT with some nodes of the cluster, without a database number. ' +
        'Percent-encode /, @, : and % in the user name and password.',
    );
  }
  return { text: nodes.join(','), nodes, isCluster: true, options: optionsOf(new URL(urlOf(nodes[0] as string))) };
}

function hostAndPort(host: string): string {
  return /:\d+$/.test(host) ? host : `${host}:${DEFAULT_PORT}`;
}

function optionsOf({ protocol, username, password, pathname }: URL): RedisOptions {
  const database = pathname.slice(1);
  return {
    ...(username === '' ? {} : { username: decodeURIComponent(username) }),
    ...(password === '' ? {} : { password: decodeURIComponent(password) }),
    ...(database === '' ? {} : { db: Number(database) }),
    ...(protocol.startsWith('rediss') ? { tls: {} } : {}),
  };
}

/** A node's host and port, without the brackets of an IPv6 address. */
export function addressOf(node: string): { host: string; port: number } {
  const colon = node.lastIndexOf(':');
  return { host: node.slice(0, colon).replace(/^\[(.*)\]$/, '$1'), port: Number(node.slice(colon + 1)) };
}
