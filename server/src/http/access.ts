import { createHash } from 'node:crypto';
import { inboxName } from 'mayfly-client/inbox-name';
import type { Clock } from '../clock.js';
import { type HttpError, httpErrors } from '../errors.js';
import type { AddressRange } from '../limits/client-address.js';
import type { Limiter, Rate } from '../limits/limiter.js';
import { type Limits, OWN_LIMITS } from '../limits/limits.js';
import { TriedNames, triedNamesRate } from '../limits/tried-names.js';
import { isApiKey, type WorkspaceKey } from '../settings/kinds.js';
import { type Soon, withAnswer } from '../soon.js';
import type { Caller } from './caller.js';
import type { Request } from './framework.js';
import type { HttpEvents, HttpLimit } from './http-events.js';
import type { Peers } from './peers.js';
import { RequestError, retryAfter } from './request-error.js';

/**
 * Which limit a route falls under. The interface's fetch has its own; a look is whatever else asks for something of an inbox, by
 * which names are guessed no faster either (see `TriedNames`). What other mail catchers' clients ask for has its own, too, and they may
 * send a key as the password of Basic authentication.
 */
export type Limit = 'fetch' | 'look' | 'stream' | 'waitlist' | 'drop-in';

export interface AccessOptions {
  readonly workspaces: readonly WorkspaceKey[];
  /** Proxies whose X-Forwarded-For counts. */
  readonly trusted: readonly AddressRange[];
  readonly fetchRate: Rate | null;
  readonly lookRate: Rate | null;
  readonly dropInRate: Rate | null;
  readonly streamRate: Rate | null;
  readonly waitlistRate: Rate | null;
  readonly workspaceRate: Rate | null;
  readonly wrongKeyRate: Rate | null;
  /** Who counts; left out, this process does. */
  readonly counting?: Limits | undefined;
  readonly clock: Clock;
  /** Left out where nobody counts. */
  readonly events?: HttpEvents | undefined;
}

/** Who may do what, and how often (D12, D15; interface sections 5 and 8). The one place where HTTP counts clients. */
export class Access {
  readonly #clock: Clock;
  readonly #peers: Peers;
  /** Workspace names by the digest of a key, so that how long a look-up takes says nothing of the keys. */
  readonly #workspaces: ReadonlyMap<string, string>;
  readonly #names: readonly string[];
  readonly #limiters: Readonly<Record<Limit | 'workspace' | 'wrongKey', Limiter>>;
  readonly #triedNames: TriedNames;
  readonly #events: HttpEvents | undefined;

  constructor(
    { workspaces, clock, events, counting = OWN_LIMITS, ...rates }: Omit<AccessOptions, 'trusted'>,
    peers: Peers,
  ) {
    this.#events = events;
    this.#clock = clock;
    this.#peers = peers;
    this.#workspaces = new Map(workspaces.map(({ workspace, key }) => [digest(key), workspace]));
    this.#names = [...new Set(workspaces.map(({ workspace }) => workspace))];
    this.#limiters = {
      fetch: counting.rate('fetch', rates.fetchRate),
      look: counting.rate('look', rates.lookRate),
      'drop-in': counting.rate('drop-in', rates.dropInRate),
      stream: counting.rate('stream', rates.streamRate),
      waitlist: counting.rate('waitlist', rates.waitlistRate),
      workspace: counting.rate('workspace', rates.workspaceRate),
      wrongKey: counting.rate('wrong-key', rates.wrongKeyRate),
    };
    const namesRate = triedNamesRate(rates.fetchRate);
    this.#triedNames = new TriedNames(counting.names('name', namesRate), namesRate?.windowMs ?? 0);
  }

  /**
   * Checks the key of a request and counts the request against the limit of its route. A wrong key counts against the fetches of
   * its client on every route. Throws 401 and 429, or rejects with them; done at once where the limits are this process's own. A fetch
   * is not waited for where it is counted somewhere else: whoever answers it asks `whenCounted`.
   */
  check(request: Request, limit: Limit | undefined): Soon<void> {
    const caller: Caller = { client: this.#peers.clientOf(request.raw), workspace: null, counted: null };
    request.caller = caller;
    const key = bearerKey(request) ?? (limit === 'drop-in' ? basicKey(request) : null);
    if (key === null) return this.#countUse(request, limit);
    return withAnswer(this.#workspaceOf(caller.client, key), (workspace): Soon<void> => {
      if (workspace === undefined) return this.#refuseKey(caller.client);
      caller.workspace = workspace;
      return this.#countUse(request, limit);
    });
  }

  /** What `read` makes for a fetch, read while that is counted somewhere else. Rejects with 429 whatever came of the reading. */
  whenCounted<T>(request: Request, read: () => Soon<T>): Soon<T> {
    const { counted } = this.#callerOf(request);
    if (counted === null) return read();
    const answer = (async () => read())();
    answer.catch(() => {});
    return counted.then(() => answer);
  }

  /** Takes a key that came in a form as if it had come in the header. Rejects with 401 and 429. */
  async takeKey(request: Request, key: string | undefined): Promise<void> {
    if (key === undefined) return;
    const caller = this.#callerOf(request);
    const workspace = await this.#workspaceOf(caller.client, key);
    if (workspace === undefined) throw unknownKey();
    caller.workspace = workspace;
  }

  /** Throws 401 when an inbox name belongs to a workspace whose key the request does not carry. */
  checkOwner(request: Request, inbox: string): void {
    const owner = this.#ownerOf(inbox);
    if (owner === undefined || owner === this.#callerOf(request).workspace) return;
    throw new RequestError(httpErrors.ownedName, {}, { 'www-authenticate': 'Bearer' });
  }

  /** Whether an inbox name belongs to nobody, or to the workspace whose key the request carries. */
  mayOpen(request: Request, inbox: string): boolean {
    const owner = this.#ownerOf(inbox);
    return owner === undefined || owner === this.#callerOf(request).workspace;
  }

  /** Whether there are inbox names that belong to somebody. */
  get hasWorkspaces(): boolean {
    return this.#names.length > 0;
  }

  /** Whether a request carries the key of a workspace. */
  hasKey(request: Request): boolean {
    return this.#callerOf(request).workspace !== null;
  }

  /**
   * Counts that a request looks into an inbox without being a fetch, so that names are guessed no faster in this way (see
   * `TriedNames`). Names that only the workspace's key opens need no such care. Throws 429 or rejects with it.
   */
  tryName(request: Request, inbox: string): Soon<void> {
    if (this.#ownerOf(inbox) !== undefined) return;
    const answer = this.#triedNames.take(this.clientOf(request), inbox, this.#clock.monotonic());
    return withAnswer(answer, (waitMs) => this.#refuse(waitMs, 'tried-names', httpErrors.tooManyNames));
  }

  /** Tells that the inbox shows the request's client an email, so that its name does not count as tried. Nobody waits for that. */
  foundMail(request: Request, inbox: string): void {
    this.foundMailFor(this.clientOf(request), inbox);
  }

  /** The same, for a client whose request is over. */
  foundMailFor(client: string, inbox: string): void {
    void this.#triedNames.found(client, inbox, this.#clock.monotonic());
  }

  /** Counts that a request opens a stream, besides what its route counts. Throws 429, or rejects with it. */
  countStream(request: Request): Soon<void> {
    return this.#count('stream', this.clientOf(request));
  }

  /** The workspace whose key a request carries; null for none. */
  workspaceOf(request: Request): string | null {
    return this.#callerOf(request).workspace;
  }

  /** Reports that a request is refused for a limit which is counted elsewhere. */
  limited(limit: HttpLimit): void {
    this.#events?.limited(limit);
  }

  /** What stands for the client of a request where clients are counted. */
  clientOf(request: Request): string {
    return this.#callerOf(request).client;
  }

  #callerOf({ caller }: Request): Caller {
    if (caller === null) throw new Error('a request was not checked');
    return caller;
  }

  #ownerOf(inbox: string): string | undefined {
    return this.#names.find((name) => inbox.startsWith(`${name}-`));
  }

  /**
   * The workspace of a key; undefined for a wrong one, which is counted. A client that has tried too many is refused whatever its key
   * is, for otherwise the right one would stand out among the refused ones. There is one question to the limit for each key, and none
   * overtakes another: a right key finds all wrong ones counted that came before it, also where nodes share the limit.
   */
  #workspaceOf(client: string, key: string): Soon<string | undefined> {
    const { wrongKey } = this.#limiters;
    const workspace = isApiKey(key) ? this.#workspaces.get(digest(key)) : undefined;
    const now = this.#clock.monotonic();
    const answer = workspace === undefined ? wrongKey.take(client, now) : wrongKey.wait(client, now);
    return withAnswer(answer, (waitMs) => {
      this.#refuse(waitMs, 'wrong-key-limit', httpErrors.tooManyWrongKeys);
      return workspace;
    });
  }

  /** A wrong key was used: counts a fetch, and throws what is answered. */
  #refuseKey(client: string): Soon<never> {
    return withAnswer(this.#count('fetch', client), () => {
      throw unknownKey();
    });
  }

  #countUse(request: Request, limit: Limit | undefined): Soon<void> {
    const { client, workspace } = this.#callerOf(request);
    if (limit === undefined) return;
    if (limit === 'fetch') return this.#countFetch(request);
    // A team that looks with its key is not kept from it by whoever else has its address.
    const who = (limit === 'look' || limit === 'drop-in') && workspace !== null ? `${client} ${workspace}` : client;
    return withAnswer(this.#count(limit, who), () => this.#tryNameOf(request, limit));
  }

  /** Counts a fetch: at once, or beside what is read for it. */
  #countFetch(request: Request): void {
    const caller = this.#callerOf(request);
    const { client, workspace } = caller;
    const counted = workspace === null ? this.#count('fetch', client) : this.#count('workspace', workspace);
    if (!(counted instanceof Promise)) return;
    // Whoever answers hears of it.
    counted.catch(() => {});
    caller.counted = counted;
  }

  /** A look counts as a try of its name, unless that is none. */
  #tryNameOf(request: Request, limit: Limit): Soon<void> {
    const { name = '' } = request.params as { name?: string };
    const inbox = limit === 'look' ? inboxName(name) : null;
    return inbox === null ? undefined : this.tryName(request, inbox);
  }

  #count(limit: Limit | 'workspace', client: string): Soon<void> {
    const answer = this.#limiters[limit].take(client, this.#clock.monotonic());
    return withAnswer(answer, (waitMs) => this.#refuse(waitMs, `${limit}-limit`, httpErrors.tooManyRequests));
  }

  /** Throws an error when there is something to wait for. */
  #refuse(waitMs: number, limit: HttpLimit, error: HttpError): void {
    if (waitMs <= 0) return;
    this.#events?.limited(limit);
    throw new RequestError(error, {}, retryAfter(waitMs));
  }
}

function unknownKey(): RequestError {
  return new RequestError(httpErrors.unknownKey, {}, { 'www-authenticate': 'Bearer error="invalid_token"' });
}

/**
 * The key of a bearer credential (RFC 6750 section 2.1), empty when there is none after the scheme or the header is there twice,
 * which no two readers need read alike; null when the request has no bearer credential.
 */
function bearerKey(request: Request): string | null {
  return credentialOf(request, 'bearer');
}

/** The key that a request carries as the password of Basic authentication (RFC 7617 section 2), whatever the user; otherwise likewise. */
function basicKey(request: Request): string | null {
  const credential = credentialOf(request, 'basic');
  if (credential === null) return null;
  const pair = Buffer.from(credential, 'base64').toString();
  return pair.includes(':') ? pair.slice(pair.indexOf(':') + 1) : '';
}

/** What follows a scheme, named in lower case. Taken apart by hand: a text of a client's may be 16 KiB of what an expression can stumble over. */
function credentialOf({ headers, raw }: Request, scheme: string): string | null {
  const credential = headers.authorization;
  if (credential === undefined) return null;
  if (isThereTwice(raw.rawHeaders, 'authorization')) return '';
  const rest = credential.slice(scheme.length);
  const isOfScheme =
    credential.slice(0, scheme.length).toLowerCase() === scheme && (rest === '' || rest.startsWith(' '));
  return isOfScheme ? rest.trim() : null;
}

/** Whether a header, named in lower case, is there more than once among names and values in turn. */
function isThereTwice(rawHeaders: readonly string[], header: string): boolean {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) if (rawHeaders[i]?.toLowerCase() === header) count += 1;
  return count > 1;
}

function digest(key: string): string {
  return createHash('sha256').update(key).digest('base64');
}
