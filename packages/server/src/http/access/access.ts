import type { WayOut } from 'mayfly-protocol';
import { isPrivateName } from 'mayfly-protocol/private-name';
import type { Clock } from '../../base/clock.js';
import { type HttpError, httpErrors, limitErrors } from '../../errors.js';
import type { Addressing } from '../../inbox/addressing.js';
import type { Taker } from '../../inbox/inboxes.js';
import type { SpaceAccounts } from '../../inbox/spaces.js';
import { spaceIn } from '../../inbox/spaces.js';
import { type Limits, OWN_LIMITS } from '../../limits/limits.js';
import { type Limiter, type Rate, rateText, TriedNames } from '../../limits/rate-limiter.js';
import { isApiKey, type WorkspaceKey } from '../../settings/kinds.js';
import { RequestError, retryAfter } from '../answer/request-error.js';
import type { Caller, Request } from '../framework.js';
import type { HttpEvents, HttpLimit } from '../http-events.js';
import { type Key, Keys, keyIn, type Opened } from './keys.js';
import type { Peers } from './peers.js';

/**
 * `read` is any other request to an inbox, so that it guesses no names faster (see `TriedNames`). Routes of send APIs
 * count `send` themselves: the key of their requests is not ours.
 */
export type Limit = 'fetch' | 'read' | 'stream' | 'waitlist' | 'send' | AddedLimit['name'];

/** A limit of a plugin's routes. */
export interface AddedLimit {
  readonly name: string;
  /** The setting that has the rate. */
  readonly setting: string;
  readonly rate: Rate | null;
  /** The sentence of the 429; `{limit}` is the rate. */
  readonly text: string;
  /** Whether the password of Basic authentication may be the key of a workspace. */
  readonly takesBasic: boolean;
}

/** What a limit counts with, and how it refuses. */
interface Count {
  readonly limiter: Limiter;
  readonly rate: string;
  readonly error: HttpError;
}

export interface AccessOptions {
  readonly addressing: Addressing;
  readonly workspaces: readonly WorkspaceKey[];
  readonly spaces: Pick<SpaceAccounts, 'hasMail'> | null;
  readonly fetchRate: Rate | null;
  readonly readRate: Rate | null;
  readonly pluginLimits?: readonly AddedLimit[];
  readonly streamRate: Rate | null;
  readonly waitlistRate: Rate | null;
  readonly workspaceRate: Rate | null;
  readonly wrongKeyRate: Rate | null;
  readonly nameRate: Rate | null;
  readonly counting?: Limits | undefined;
  readonly clock: Clock;
  readonly events?: HttpEvents | undefined;
}

/** As our page labels its requests. The interface's default, without a label, is not a page. */
const OF_PAGE = /[?&]source=browser(?:&|$)/;

/** Who may do what, and how often (D12, D15; interface sections 5 and 8). The one place where HTTP counts clients. */
export class Access {
  readonly #options: AccessOptions;
  readonly #peers: Peers;
  readonly #keys: Keys;
  readonly #counts: ReadonlyMap<string, Count>;
  readonly #added: ReadonlyMap<string, AddedLimit>;
  readonly #triedNames: TriedNames | null;

  constructor(options: AccessOptions, peers: Peers) {
    const { workspaces, spaces, nameRate, counting = OWN_LIMITS, pluginLimits = [] } = options;
    this.#options = options;
    this.#peers = peers;
    this.#keys = new Keys(workspaces, spaces !== null);
    const count = (name: string, rate: Rate | null, error: HttpError) =>
      [name, { limiter: counting.rate(name, rate), rate: rate === null ? 'off' : rateText(rate), error }] as const;
    this.#counts = new Map([
      count('fetch', options.fetchRate, limitErrors.fetch),
      count('read', options.readRate, limitErrors.read),
      count('stream', options.streamRate, limitErrors.stream),
      count('waitlist', options.waitlistRate, limitErrors.waitlist),
      count('workspace', options.workspaceRate, limitErrors.workspace),
      count('wrong-key', options.wrongKeyRate, limitErrors['wrong-key']),
      count('name', nameRate, limitErrors.name),
      ...pluginLimits.map(({ name, rate, text }) => count(name, rate, { ...httpErrors.tooManyLooks, text })),
    ]);
    this.#added = new Map(pluginLimits.map((limit) => [limit.name, limit]));
    this.#triedNames = nameRate && new TriedNames(counting.names('name', nameRate), nameRate.windowMs);
  }

  get #now(): number {
    return this.#options.clock.monotonic();
  }

  /**
   * Checks a request's key and counts the request against its route's limit; a wrong key also counts as a fetch. Throws
   * 401 and 429.
   */
  async check(request: Request, limit: Limit | undefined): Promise<void> {
    const client = this.#peers.clientOf(request.raw);
    const caller: Caller = { client, workspace: null, privateInbox: null, space: null };
    request.caller = caller;
    if (limit === 'send') return;
    const key = this.#keys.sentBy(request, this.#added.get(limit ?? '')?.takesBasic ?? false);
    if (key !== null) {
      const privateInbox = this.#privateInboxOf(request);
      const opened = await this.#opened(request, key, privateInbox);
      if (opened === undefined) {
        await this.#count('fetch', client);
        throw this.#keys.refusalOf(key, privateInbox);
      }
      Object.assign(caller, opened);
    }
    const { space } = caller;
    // Credentials are never wrong, so a read in an ad-hoc workspace is a guess until it shows mail; fetches are limited.
    if (space !== null && limit !== 'fetch' && limit !== undefined) await this.#countName(client, space);
    await this.#countUse(request, limit);
  }

  /** Enters the space that the key of a provider's API names; any other key is another service's. Throws 401. */
  takeProviderKey(request: Request, key: string | null): void {
    this.#callerOf(request).space = this.#keys.spaceOfProvider(request, key);
  }

  /**
   * Opens the workspace whose key a provider's API was sent. Another service's key counts as a wrong one, so that none
   * is guessed. Rejects with 429.
   */
  async tryProviderKey(request: Request, key: string | null): Promise<void> {
    if (key === null || !isApiKey(key)) return;
    Object.assign(this.#callerOf(request), await this.#opened(request, key, null));
  }

  /** Accepts a key from a form as if it were in the header. Rejects with 401 and 429. */
  async takeKey(request: Request, key: string | undefined): Promise<void> {
    if (key === undefined) return;
    await this.#take(request, key, this.#privateInboxOf(request));
  }

  /** Takes the secret of a private inbox named elsewhere than in the path. Rejects as `takeKey`. */
  async openPrivate(request: Request, inbox: string, secret: string): Promise<void> {
    // Credentials of an ad-hoc workspace also open its private inboxes (D66).
    if (this.#callerOf(request).space !== null) return;
    await this.#take(request, secret, isPrivateName(inbox) ? inbox : null);
  }

  async #take(request: Request, text: string, privateInbox: string | null): Promise<void> {
    const key = keyIn(text);
    const opened = await this.#opened(request, key, privateInbox);
    if (opened === undefined) throw this.#keys.refusalOf(key, privateInbox);
    Object.assign(this.#callerOf(request), opened);
  }

  /** The inbox that a path names and its caller may open. Throws 400, and 401 without its secret or key. */
  inboxOf(request: Request<{ readonly name: string }>): string {
    const inbox = this.inboxNamed(request, request.params.name);
    this.checkOwner(request, inbox);
    return inbox;
  }

  inboxNamed(request: Request, text: string): string {
    const named = this.#options.addressing.inboxNamed(text, this.#callerOf(request).space);
    if (typeof named !== 'string') return named.inbox;
    if (named === 'bad-name') throw new RequestError(httpErrors.badInboxName);
    throw new RequestError(httpErrors.foreignInbox, { domains: this.#options.addressing.domainList });
  }

  /** Throws 401 if the inbox is private or owned by a workspace, and its secret or key is missing. */
  checkOwner(request: Request, inbox: string): void {
    if (this.mayOpen(request, inbox)) return;
    const error = isPrivateName(inbox) ? httpErrors.privateInbox : httpErrors.ownedName;
    throw new RequestError(error, {}, { 'www-authenticate': 'Bearer' });
  }

  mayOpen(request: Request, inbox: string): boolean {
    return this.#keys.mayOpen(this.#callerOf(request), inbox);
  }

  /** Whether a caller that may open one of these inboxes may open all of them. Null is one that is not known. */
  haveOneOwner(inboxes: readonly (string | null)[]): boolean {
    const owners = inboxes.map(
      (inbox) => inbox && (spaceIn(inbox) ?? (isPrivateName(inbox) ? inbox : this.#keys.ownerOf(inbox))),
    );
    return new Set(owners).size <= 1;
  }

  owns(request: Request, inbox: string): boolean {
    const { workspace } = this.#callerOf(request);
    return workspace !== null && this.#keys.ownerOf(inbox) === workspace;
  }

  get hasWorkspaces(): boolean {
    return this.#keys.hasWorkspaces;
  }

  hasKey(request: Request): boolean {
    const { workspace, space } = this.#callerOf(request);
    return workspace !== null || space !== null;
  }

  /** The space of the caller; null outside of spaces, and for a request that was refused unchecked. */
  spaceOf({ caller }: Request): string | null {
    return caller?.space ?? null;
  }

  /** Names what the caller sees apart from others: its workspace or its space; null without either. */
  viewOf(request: Request): string | null {
    const { workspace, space } = this.#callerOf(request);
    return space === null ? workspace : `${space}/`;
  }

  /** Counts a read of a name without an owner, or of an ad-hoc workspace, to slow guessing. Rejects with 429. */
  async tryName(request: Request, inbox: string): Promise<void> {
    if (isPrivateName(inbox) || this.#keys.ownerOf(inbox) !== undefined) return;
    const name = spaceIn(inbox) ?? inbox;
    await this.#countName(this.clientOf(request), name);
  }

  /** The inbox showed an email: its name was not guessed. */
  foundMail(request: Request, inbox: string): void {
    this.foundMailFor(this.clientOf(request), inbox);
  }

  /** As `foundMail`, for a request that is over. */
  foundMailFor(client: string, inbox: string): void {
    void this.#triedNames?.found(client, spaceIn(inbox) ?? inbox, this.#now);
  }

  async countStream(request: Request): Promise<void> {
    await this.#count('stream', this.clientOf(request));
  }

  hasLimit(limit: Limit | undefined): boolean {
    return limit === undefined || limit === 'send' || this.#counts.has(limit);
  }

  workspaceOf(request: Request): string | null {
    return this.#callerOf(request).workspace;
  }

  limited(limit: HttpLimit): void {
    this.#options.events?.limited(limit);
  }

  /** The key by which the client is counted, even for a request that was refused unchecked. */
  clientOf({ caller, raw }: Request): string {
    return caller?.client ?? this.#peers.clientOf(raw);
  }

  takerOf(request: Request, way: WayOut): Taker {
    return { way: OF_PAGE.test(request.url) ? 'page' : way, client: this.clientOf(request) };
  }

  #callerOf({ caller }: Request): Caller {
    if (caller === null) throw new Error('a request was not checked');
    return caller;
  }

  /**
   * Opens a key; returns undefined for a wrong one, which is counted. After too many, every key is refused, so that the
   * right one does not stand out. Each key asks the limit once, and so sees the wrong keys of all nodes.
   */
  async #opened(request: Request, key: Key, privateInbox: string | null): Promise<Opened | undefined> {
    const wrongKeys = this.#countOf('wrong-key').limiter;
    const opened = this.#keys.opened(key, privateInbox);
    const { client } = this.#callerOf(request);
    const now = this.#now;
    this.#refuse(await (opened === undefined ? wrongKeys.take(client, now) : wrongKeys.wait(client, now)), 'wrong-key');
    return opened;
  }

  #privateInboxOf({ params }: Request): string | null {
    const { name = '' } = params as { name?: string };
    const named = this.#options.addressing.inboxNamed(name, null);
    return typeof named !== 'string' && isPrivateName(named.inbox) ? named.inbox : null;
  }

  async #countUse(request: Request, limit: Limit | undefined): Promise<void> {
    const caller = this.#callerOf(request);
    const { client, workspace } = caller;
    if (limit === undefined) return;
    if (limit === 'fetch') {
      await (workspace === null ? this.#count('fetch', client) : this.#count('workspace', workspace));
      return;
    }
    // A team's looks with its key are not limited by others at its address.
    const isOfTeam = (limit === 'read' || this.#added.has(limit)) && workspace !== null;
    const who = isOfTeam ? `${client} ${workspace}` : client;
    await this.#count(limit, who);
    if (limit !== 'read') return;
    const { name = '' } = request.params as { name?: string };
    const named = this.#options.addressing.inboxNamed(name, caller.space);
    if (typeof named !== 'string') await this.tryName(request, named.inbox);
  }

  async #countName(client: string, name: string): Promise<void> {
    if (this.#triedNames === null) return;
    this.#refuse(await this.#triedNames.take(client, name, this.#now), 'name');
  }

  /** Rejects with 429. */
  async #count(limit: string, client: string): Promise<void> {
    this.#refuse(await this.#countOf(limit).limiter.take(client, this.#now), limit);
  }

  #refuse(waitMs: number, limit: string): void {
    if (waitMs <= 0) return;
    this.#options.events?.limited(this.#added.get(limit)?.setting ?? `${limit}-limit`);
    const { error, rate } = this.#countOf(limit);
    throw new RequestError(error, { limit: rate }, retryAfter(waitMs));
  }

  #countOf(limit: string): Count {
    const count = this.#counts.get(limit);
    if (count === undefined) throw new Error(`there is no limit ${limit}`);
    return count;
  }
}
