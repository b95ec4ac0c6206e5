import { createHash } from 'node:crypto';
import { base32, isPrivateName } from 'mayfly-protocol/private-name';
import { httpErrors } from '../../errors.js';
import { adHocIn, adHocOf, type Credentials, parseCredentials } from '../../inbox/ad-hoc.js';
import { isApiKey, type WorkspaceKey } from '../../settings/kinds.js';
import { RequestError } from '../answer/request-error.js';
import type { Caller, Request } from '../framework.js';
import { isThereTwice } from './host.js';

/** Credentials of an ad-hoc workspace, or a text: the key of a workspace or the secret of a private inbox. */
export type Key = Credentials | string;

type Opened = Pick<Caller, 'workspace'> | Pick<Caller, 'privateInbox'> | Pick<Caller, 'adHoc'>;

/** The form `NAME=KEY` of --workspace. A key itself has `=` only at its end. */
const NAMED_KEY = /^[A-Za-z0-9-]{1,32}=[^=]/;

export function keyIn(text: string): Key {
  return parseCredentials(text) ?? text;
}

/** Maps each key to a workspace (D15), an ad-hoc workspace (D66) or a private inbox (D65). Counts no wrong keys. */
export class Keys {
  readonly hasAdHoc: boolean;
  /** Workspaces by the digest of their key, so that the time of a look-up reveals nothing about a key. */
  readonly #workspaces: ReadonlyMap<string, string>;
  readonly #names: readonly string[];

  constructor(workspaces: readonly WorkspaceKey[], hasAdHoc: boolean) {
    this.hasAdHoc = hasAdHoc;
    this.#workspaces = new Map(workspaces.map(({ workspace, key }) => [sha256(key).toString('base64'), workspace]));
    this.#names = [...new Set(workspaces.map(({ workspace }) => workspace))];
  }

  get hasWorkspaces(): boolean {
    return this.#names.length > 0;
  }

  /** The key in a request's header; null without a key. Only clients of compatibility APIs send a key as a password. */
  sentBy(request: Request, isCompatApi: boolean): Key | null {
    // RFC 6750 section 2.1.
    const bearer = credentialOf(request, 'bearer');
    if (bearer !== null) return keyIn(bearer);
    const basic = basicCredentials(request);
    if (basic === null) return null;
    // The key of a configured workspace takes precedence over credentials (D66).
    if (isCompatApi && (!this.hasAdHoc || this.#workspaceOf(basic.password) !== undefined)) return basic.password;
    return this.hasAdHoc ? basic : null;
  }

  /** What a key opens; undefined for a wrong key. A private inbox accepts only its own secret (D65). */
  opened(key: Key, privateInbox: string | null): Opened | undefined {
    if (typeof key !== 'string') {
      const adHoc = this.hasAdHoc ? adHocOf(key) : null;
      return adHoc === null ? undefined : { adHoc };
    }
    if (privateInbox !== null && isApiKey(key)) {
      const isSecret = privateInbox.startsWith(`p-${base32(sha256(key))}`);
      return isSecret ? { privateInbox } : undefined;
    }
    const workspace = this.#workspaceOf(key);
    return workspace === undefined ? undefined : { workspace };
  }

  refusalOf(key: Key, privateInbox: string | null): RequestError {
    const isNamed = typeof key === 'string' && NAMED_KEY.test(key);
    const ofUnknown = isNamed ? httpErrors.namedKey : httpErrors.unknownKey;
    const ofText = privateInbox === null ? ofUnknown : httpErrors.privateInbox;
    const ofCredentials = this.hasAdHoc ? httpErrors.badSpace : httpErrors.noSpaces;
    const challenge = { 'www-authenticate': 'Bearer error="invalid_token"' };
    return new RequestError(typeof key === 'string' ? ofText : ofCredentials, {}, challenge);
  }

  /** The ad-hoc workspace of the credentials in a provider key; null for any other key. Throws 401 if invalid. */
  adHocOfProvider({ raw }: Request, key: string | null): string | null {
    if (!this.hasAdHoc) return null;
    const areTwo = isThereTwice(raw.rawHeaders, 'authorization');
    const credentials = key === null ? null : parseCredentials(key);
    if (credentials === null && !areTwo) return null;
    const adHoc = credentials === null ? null : adHocOf(credentials);
    if (adHoc === null || areTwo) throw new RequestError(httpErrors.badSpace);
    return adHoc;
  }

  mayOpen({ workspace, privateInbox, adHoc }: Caller, inbox: string): boolean {
    if (adHoc !== null || adHocIn(inbox) !== null) return adHocIn(inbox) === adHoc;
    if (isPrivateName(inbox)) return inbox === privateInbox;
    const owner = this.ownerOf(inbox);
    return owner === undefined || owner === workspace;
  }

  ownerOf(inbox: string): string | undefined {
    return this.#names.find((name) => inbox.startsWith(`${name}-`));
  }

  #workspaceOf(key: string): string | undefined {
    return isApiKey(key) ? this.#workspaces.get(sha256(key).toString('base64')) : undefined;
  }
}

/** User and password of Basic authentication (RFC 7617 section 2); empty if unreadable, null if missing. */
export function basicCredentials(request: Request): Credentials | null {
  const credential = credentialOf(request, 'basic');
  if (credential === null) return null;
  const [user = '', password = ''] = Buffer.from(credential, 'base64').toString().split(/:(.*)/s);
  return { user, password };
}

/** The credential after `scheme` (in lower case). Empty if there are two headers, as a proxy may obey the other one. */
function credentialOf({ headers, raw }: Request, scheme: string): string | null {
  const credential = headers.authorization;
  if (credential === undefined) return null;
  if (isThereTwice(raw.rawHeaders, 'authorization')) return '';
  const rest = credential.slice(scheme.length);
  const isOfScheme =
    credential.slice(0, scheme.length).toLowerCase() === scheme && (rest === '' || rest.startsWith(' '));
  return isOfScheme ? rest.trim() : null;
}

const sha256 = (key: string) => createHash('sha256').update(key).digest();
