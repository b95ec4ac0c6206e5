import { createHash } from 'node:crypto';
import type { Clock } from '../../base/clock.js';
import { type MaybePromise, withAnswer } from '../../base/maybe-promise.js';
import { httpErrors } from '../../errors.js';
import type { Addressing } from '../../inbox/addressing.js';
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
 * `look` is any other request to an inbox, so that it guesses no names faster (see `TriedNames`). Routes count `send`
 * themselves, and its key belongs to another service.
 */
export type Limit = 'fetch' | 'look' | 'stream' | 'waitlist' | 'drop-in' | 'send';

type Counted = Exclude<Limit, 'send'>;

export interface AccessOptions {
  readonly addressing: Addressing;
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
  fetch: httpErrors.tooManyRequests,
  look: httpErrors.tooManyLooks,
  'drop-in': httpErrors.tooManyDropInRequests,
  stream: httpErrors.tooManyOpenings,
  waitlist: httpErrors.tooManyPosts,
  workspace: httpErrors.tooManyWorkspaceRequests,
  'wrong-key': httpErrors.tooManyWrongKeys,
  name: httpErrors.tooManyNames,
} as const;

type Refused = keyof typeof REFUSALS;

/** Who may do what, and how often (D12, D15; interface sections 5 and 8). The one place where HTTP counts clients. */
export class Access {
  readonly #addressing: Addressing;
  readonly #clock: Clock;
  readonly #peers: Peers;
  /** By digest: the time of a look-up reveals nothing of a key. */
  readonly #workspaces: ReadonlyMap<string, string>;
  readonly #names: readonly string[];
  readonly #limiters: Readonly<Record<Counted | 'workspace' | 'wrong-key', Limiter>>;
  /** As refusals tell them. */
  readonly #rates: Readonly<Record<Refused, string>>;
  readonly #triedNames: TriedNames;
  readonly #events: HttpEvents | undefined;

  constructor(
    { addressing, workspaces, clock, events, counting = OWN_LIMITS, ...rates }: Omit<AccessOptions, 'trusted'>,
    peers: Peers,
  ) {
    this.#addressing = addressing;
    this.#events = events;
    this.#clock = clock;
    this.#peers = peers;
    this.#workspaces = new Map(workspaces.map(({ workspace, key }) => [digest(key), workspace]));
    this.#names = [...new Set(workspaces.map(({ workspace }) => workspace))];
    const { nameRate } = rates;
    const byCount = {
      fetch: rates.fetchRate,
      look: rates.lookRate,
      'drop-in': rates.dropInRate,
      stream: rates.streamRate,
      waitlist: rates.waitlistRate,
      workspace: rates.workspaceRate,
      'wrong-key': rates.wrongKeyRate,
    };
    this.#limiters = mapped(byCount, (rate, count) => counting.rate(count, rate));
    this.#rates = mapped({ ...byCount, name: nameRate }, (rate) => (rate === null ? 'off' : rateText(rate)));
    this.#triedNames = new TriedNames(counting.names('name', nameRate), nameRate?.windowMs ?? 0);
  }

  /**
   * Checks a request's key and counts the request against its route's limit; a wrong key counts as a fetch, too. Throws
   * 401 and 429, or rejects. Nothing waits for a fetch that nodes count together: see `whenCounted`.
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

  /** The inbox that a path names and its caller may open. Throws 400, and 401 without the key of its workspace. */
  inboxOf(request: Request<{ readonly name: string }>): string {
    const inbox = this.inboxNamed(request.params.name);
    this.checkOwner(request, inbox);
    return inbox;
  }

  /** The inbox that is given by its name or its address. Throws 400. */
  inboxNamed(text: string): string {
    const named = this.#addressing.inboxNamed(text);
    if (typeof named !== 'string') return named.inbox;
    if (named === 'bad-name') throw new RequestError(httpErrors.badInboxName);
    throw new RequestError(httpErrors.foreignInbox, { domains: this.#addressing.domainList });
  }

  /** Throws 401 if the inbox belongs to a workspace whose key is missing. */
  checkOwner(request: Request, inbox: string): void {
    const owner = this.#ownerOf(inbox);
    if (owner === undefined || owner === this.#callerOf(request).workspace) return;
    throw new RequestError(httpErrors.ownedName, {}, { 'www-authenticate': 'Bearer' });
  }

  mayOpen(request: Request, inbox: string): boolean {
    const owner = this.#ownerOf(inbox);
    return owner === undefined || owner === this.#callerOf(request).workspace;
  }

  /** Whether the inbox belongs to the request's workspace. */
  owns(request: Request, inbox: string): boolean {
    const { workspace } = this.#callerOf(request);
    return workspace !== null && this.#ownerOf(inbox) === workspace;
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
    return withAnswer(answer, (waitMs) => this.#refuse(waitMs, 'name'));
  }

  /** The inbox showed an email: its name was not guessed. */
  foundMail(request: Request, inbox: string): void {
    this.foundMailFor(this.clientOf(request), inbox);
  }

  /** As `foundMail`, for a request that is over. */
  foundMailFor(client: string, inbox: string): void {
    void this.#triedNames.found(client, inbox, this.#clock.monotonic());
  }

  /** Counts an opened stream in addition to the route's limit. Throws 429, or rejects. */
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
   * Undefined for a wrong key, which is counted. After too many, every key is refused, or the right one would stand
   * out. One question to the limit per key: a right key finds earlier wrong ones counted, on all nodes.
   */
  #workspaceOf(client: string, key: string): MaybePromise<string | undefined> {
    const wrongKey = this.#limiters['wrong-key'];
    const workspace = isApiKey(key) ? this.#workspaces.get(digest(key)) : undefined;
    const now = this.#clock.monotonic();
    const answer = workspace === undefined ? wrongKey.take(client, now) : wrongKey.wait(client, now);
    return withAnswer(answer, (waitMs) => {
      this.#refuse(waitMs, 'wrong-key');
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
    const named = limit === 'look' ? this.#addressing.inboxNamed(name) : 'bad-name';
    return typeof named === 'string' ? undefined : this.tryName(request, named.inbox);
  }

  #count(limit: Counted | 'workspace', client: string): MaybePromise<void> {
    const answer = this.#limiters[limit].take(client, this.#clock.monotonic());
    return withAnswer(answer, (waitMs) => this.#refuse(waitMs, limit));
  }

  #refuse(waitMs: number, limit: Refused): void {
    if (waitMs <= 0) return;
    this.#events?.limited(`${limit}-limit`);
    throw new RequestError(REFUSALS[limit], { limit: this.#rates[limit] }, retryAfter(waitMs));
  }
}

function mapped<K extends string, V, R>(values: Record<K, V>, map: (value: V, name: K) => R): Record<K, R> {
  const entries = Object.entries<V>(values).map(([name, value]) => [name, map(value, name as K)]);
  return Object.fromEntries(entries) as Record<K, R>;
}

function unknownKey(): RequestError {
  return new RequestError(httpErrors.unknownKey, {}, { 'www-authenticate': 'Bearer error="invalid_token"' });
}

function digest(key: string): string {
  return createHash('sha256').update(key).digest('base64');
}

/** Basic authentication (RFC 7617 section 2). */
interface BasicCredentials {
  readonly user: string;
  readonly password: string;
}

/** The key of a bearer credential (RFC 6750 section 2.1): empty if unreadable, null without such a credential. */
function bearerKey(request: Request): string | null {
  return credentialOf(request, 'bearer');
}

/** The user and password of Basic authentication, empty if unreadable; null without it. */
export function basicCredentials(request: Request): BasicCredentials | null {
  const credential = credentialOf(request, 'basic');
  if (credential === null) return null;
  const [user = '', password = ''] = Buffer.from(credential, 'base64').toString().split(/:(.*)/s);
  return { user, password };
}

/** What follows a scheme in lower case; empty for two headers, which readers may take differently. Linear: 16 KiB. */
function credentialOf({ headers, raw }: Request, scheme: string): string | null {
  const credential = headers.authorization;
  if (credential === undefined) return null;
  if (isThereTwice(raw.rawHeaders, 'authorization')) return '';
  const rest = credential.slice(scheme.length);
  const isOfScheme =
    credential.slice(0, scheme.length).toLowerCase() === scheme && (rest === '' || rest.startsWith(' '));
  return isOfScheme ? rest.trim() : null;
}
