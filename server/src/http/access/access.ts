import { createHash } from 'node:crypto';
import { inboxName } from 'mayfly-client/inbox-name';
import type { Clock } from '../../base/clock.js';
import { type MaybePromise, withAnswer } from '../../base/maybe-promise.js';
import { type HttpError, httpErrors } from '../../errors.js';
import type { AddressRange } from '../../limits/client-address.js';
import { type Limits, OWN_LIMITS } from '../../limits/limits.js';
import { type Limiter, type Rate, rateText } from '../../limits/rate-limiter.js';
import { TriedNames } from '../../limits/tried-names.js';
import { isApiKey, type WorkspaceKey } from '../../settings/kinds.js';
import { RequestError, retryAfter } from '../answer/request-error.js';
import type { Peers } from '../connection/peers.js';
import type { Caller, Request } from '../framework.js';
import type { HttpEvents, HttpLimit } from '../http-events.js';
import { isThereTwice } from './host.js';

/**
 * `look` is all else that asks for an inbox; names are guessed no faster by it (see `TriedNames`). `send` is counted by
 * its route, and the key of such a request is another service's.
 */
export type Limit = 'fetch' | 'look' | 'stream' | 'waitlist' | 'drop-in' | 'send';

type Counted = Exclude<Limit, 'send'>;

export interface AccessOptions {
  readonly workspaces: readonly WorkspaceKey[];
  readonly trusted: readonly AddressRange[];
  readonly fetchRate: Rate | null;
  readonly lookRate: Rate | null;
  readonly dropInRate: Rate | null;
  readonly streamRate: Rate | null;
  readonly waitlistRate: Rate | null;
  readonly workspaceRate: Rate | null;
  readonly wrongKeyRate: Rate | null;
  readonly nameRate: Rate | null;
  readonly counting?: Limits | undefined;
  readonly clock: Clock;
  readonly events?: HttpEvents | undefined;
}

const REFUSALS = {
  'fetch-limit': httpErrors.tooManyRequests,
  'look-limit': httpErrors.tooManyLooks,
  'drop-in-limit': httpErrors.tooManyDropInRequests,
  'stream-limit': httpErrors.tooManyOpenings,
  'waitlist-limit': httpErrors.tooManyPosts,
  'workspace-limit': httpErrors.tooManyWorkspaceRequests,
  'wrong-key-limit': httpErrors.tooManyWrongKeys,
  'name-limit': httpErrors.tooManyNames,
} as const satisfies Partial<Record<HttpLimit, HttpError>>;

/** Who may do what, and how often (D12, D15; interface sections 5 and 8). The one place where HTTP counts clients. */
export class Access {
  readonly #clock: Clock;
  readonly #peers: Peers;
  /** By the digest of a key, so that the time of a look-up tells nothing of the keys. */
  readonly #workspaces: ReadonlyMap<string, string>;
  readonly #names: readonly string[];
  readonly #limiters: Readonly<Record<Counted | 'workspace' | 'wrongKey', Limiter>>;
  readonly #limits: Readonly<Record<keyof typeof REFUSALS, string>>;
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
    this.#limits = {
      'fetch-limit': textOf(rates.fetchRate),
      'look-limit': textOf(rates.lookRate),
      'drop-in-limit': textOf(rates.dropInRate),
      'stream-limit': textOf(rates.streamRate),
      'waitlist-limit': textOf(rates.waitlistRate),
      'workspace-limit': textOf(rates.workspaceRate),
      'wrong-key-limit': textOf(rates.wrongKeyRate),
      'name-limit': textOf(rates.nameRate),
    };
    const { nameRate } = rates;
    this.#triedNames = new TriedNames(counting.names('name', nameRate), nameRate?.windowMs ?? 0);
  }

  /**
   * Checks the key of a request and counts it against the limit of its route, and as a fetch too if the key is wrong.
   * Throws 401 and 429, or rejects with them. A fetch that is counted elsewhere is not waited for: see `whenCounted`.
   */
  check(request: Request, limit: Limit | undefined): MaybePromise<void> {
    const caller: Caller = { client: this.#peers.clientOf(request.raw), workspace: null, counted: null };
    request.caller = caller;
    if (limit === 'send') return;
    const key = bearerKey(request) ?? (limit === 'drop-in' ? (basicCredentials(request)?.password ?? null) : null);
    if (key === null) return this.#countUse(request, limit);
    return withAnswer(this.#workspaceOf(caller.client, key), (workspace): MaybePromise<void> => {
      if (workspace === undefined) return this.#refuseKey(caller.client);
      caller.workspace = workspace;
      return this.#countUse(request, limit);
    });
  }

  /** Reads for a fetch while that is counted elsewhere. Rejects with 429 whatever is read. */
  whenCounted<T>(request: Request, read: () => MaybePromise<T>): MaybePromise<T> {
    const { counted } = this.#callerOf(request);
    if (counted === null) return read();
    const answer = (async () => read())();
    answer.catch(() => {});
    return counted.then(() => answer);
  }

  /** Takes a key from a form as if it came in the header. Rejects with 401 and 429. */
  async takeKey(request: Request, key: string | undefined): Promise<void> {
    if (key === undefined) return;
    const caller = this.#callerOf(request);
    const workspace = await this.#workspaceOf(caller.client, key);
    if (workspace === undefined) throw unknownKey();
    caller.workspace = workspace;
  }

  /** Throws 401 for an inbox of a workspace whose key the request does not carry. */
  checkOwner(request: Request, inbox: string): void {
    const owner = this.#ownerOf(inbox);
    if (owner === undefined || owner === this.#callerOf(request).workspace) return;
    throw new RequestError(httpErrors.ownedName, {}, { 'www-authenticate': 'Bearer' });
  }

  mayOpen(request: Request, inbox: string): boolean {
    const owner = this.#ownerOf(inbox);
    return owner === undefined || owner === this.#callerOf(request).workspace;
  }

  get hasWorkspaces(): boolean {
    return this.#names.length > 0;
  }

  hasKey(request: Request): boolean {
    return this.#callerOf(request).workspace !== null;
  }

  /** Counts a look at a name without an owner, so that guessing is slow (`TriedNames`). Throws 429, or rejects. */
  tryName(request: Request, inbox: string): MaybePromise<void> {
    if (this.#ownerOf(inbox) !== undefined) return;
    const answer = this.#triedNames.take(this.clientOf(request), inbox, this.#clock.monotonic());
    return withAnswer(answer, (waitMs) => this.#refuse(waitMs, 'name-limit'));
  }

  /** The inbox has shown an email, so its name does not count as tried. */
  foundMail(request: Request, inbox: string): void {
    this.foundMailFor(this.clientOf(request), inbox);
  }

  /** The same for a client whose request is over. */
  foundMailFor(client: string, inbox: string): void {
    void this.#triedNames.found(client, inbox, this.#clock.monotonic());
  }

  /** Counts an opened stream besides what its route counts. Throws 429, or rejects with it. */
  countStream(request: Request): MaybePromise<void> {
    return this.#count('stream', this.clientOf(request));
  }

  workspaceOf(request: Request): string | null {
    return this.#callerOf(request).workspace;
  }

  limited(limit: HttpLimit): void {
    this.#events?.limited(limit);
  }

  /** The key by which the client is counted, of a request that was refused unchecked, too. */
  clientOf({ caller, raw }: Request): string {
    return caller?.client ?? this.#peers.clientOf(raw);
  }

  #callerOf({ caller }: Request): Caller {
    if (caller === null) throw new Error('a request was not checked');
    return caller;
  }

  #ownerOf(inbox: string): string | undefined {
    return this.#names.find((name) => inbox.startsWith(`${name}-`));
  }

  /**
   * Undefined for a wrong key, which is counted. A client with too many wrong keys is refused whatever its key is, or
   * the right one would stand out. One question to the limit per key: a right key finds all earlier wrong ones counted,
   * also across nodes.
   */
  #workspaceOf(client: string, key: string): MaybePromise<string | undefined> {
    const { wrongKey } = this.#limiters;
    const workspace = isApiKey(key) ? this.#workspaces.get(digest(key)) : undefined;
    const now = this.#clock.monotonic();
    const answer = workspace === undefined ? wrongKey.take(client, now) : wrongKey.wait(client, now);
    return withAnswer(answer, (waitMs) => {
      this.#refuse(waitMs, 'wrong-key-limit');
      return workspace;
    });
  }

  #refuseKey(client: string): MaybePromise<never> {
    return withAnswer(this.#count('fetch', client), () => {
      throw unknownKey();
    });
  }

  #countUse(request: Request, limit: Counted | undefined): MaybePromise<void> {
    const { client, workspace } = this.#callerOf(request);
    if (limit === undefined) return;
    if (limit === 'fetch') return this.#countFetch(request);
    // A team's looks with its key are not limited by others at its address.
    const who = (limit === 'look' || limit === 'drop-in') && workspace !== null ? `${client} ${workspace}` : client;
    return withAnswer(this.#count(limit, who), () => this.#tryNameOf(request, limit));
  }

  #countFetch(request: Request): void {
    const caller = this.#callerOf(request);
    const { client, workspace } = caller;
    const counted = workspace === null ? this.#count('fetch', client) : this.#count('workspace', workspace);
    if (!(counted instanceof Promise)) return;
    counted.catch(() => {});
    caller.counted = counted;
  }

  #tryNameOf(request: Request, limit: Counted): MaybePromise<void> {
    const { name = '' } = request.params as { name?: string };
    const inbox = limit === 'look' ? inboxName(name) : null;
    return inbox === null ? undefined : this.tryName(request, inbox);
  }

  #count(limit: Counted | 'workspace', client: string): MaybePromise<void> {
    const answer = this.#limiters[limit].take(client, this.#clock.monotonic());
    return withAnswer(answer, (waitMs) => this.#refuse(waitMs, `${limit}-limit`));
  }

  #refuse(waitMs: number, limit: keyof typeof REFUSALS): void {
    if (waitMs <= 0) return;
    this.#events?.limited(limit);
    throw new RequestError(REFUSALS[limit], { limit: this.#limits[limit] }, retryAfter(waitMs));
  }
}

function textOf(rate: Rate | null): string {
  return rate === null ? 'off' : rateText(rate);
}

function unknownKey(): RequestError {
  return new RequestError(httpErrors.unknownKey, {}, { 'www-authenticate': 'Bearer error="invalid_token"' });
}

function digest(key: string): string {
  return createHash('sha256').update(key).digest('base64');
}

/** What Basic authentication carries (RFC 7617 section 2). */
interface BasicCredentials {
  readonly user: string;
  readonly password: string;
}

/** The key of a bearer credential (RFC 6750 section 2.1): empty if unreadable, null without such a credential. */
function bearerKey(request: Request): string | null {
  return credentialOf(request, 'bearer');
}

/** The user and the password of Basic authentication, empty where they cannot be read; null without it. */
export function basicCredentials(request: Request): BasicCredentials | null {
  const credential = credentialOf(request, 'basic');
  if (credential === null) return null;
  const [user = '', password = ''] = Buffer.from(credential, 'base64').toString().split(/:(.*)/s);
  return { user, password };
}

/**
 * What follows a scheme, named in lower case; empty where the header is there twice, which two readers might read
 * differently. Taken apart by hand: a header may have 16 KiB that an expression can stumble over.
 */
function credentialOf({ headers, raw }: Request, scheme: string): string | null {
  const credential = headers.authorization;
  if (credential === undefined) return null;
  if (isThereTwice(raw.rawHeaders, 'authorization')) return '';
  const rest = credential.slice(scheme.length);
  const isOfScheme =
    credential.slice(0, scheme.length).toLowerCase() === scheme && (rest === '' || rest.startsWith(' '));
  return isOfScheme ? rest.trim() : null;
}
