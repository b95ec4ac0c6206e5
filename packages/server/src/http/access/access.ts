import type { WayOut } from 'mayfly-protocol';
import { isPrivateName } from 'mayfly-protocol/private-name';
import type { Clock } from '../../base/clock.js';
import { type HttpError, httpErrors, limitErrors } from '../../errors.js';
import { adHocIn } from '../../inbox/ad-hoc.js';
import type { Addressing } from '../../inbox/addressing.js';
import type { Taker } from '../../inbox/inboxes.js';
import { type Limits, OWN_LIMITS } from '../../limits/limits.js';
import { type Limiter, type Rate, rateText, triedNames } from '../../limits/rate-limiter.js';
import { isApiKey } from '../../settings/kinds.js';
import type { Settings } from '../../settings/table.js';
import { RequestError, retryAfter } from '../answer/request-error.js';
import type { Caller, Request } from '../framework.js';
import type { HttpEvents, HttpLimit } from '../http-events.js';
import { type Key, Keys, keyIn } from './keys.js';

/**
 * Requests to an inbox count as `read` unless another limit covers them, so that no route allows faster guessing of
 * names (see `triedNames`). Routes of send APIs count `send` themselves, because their requests carry a provider's key.
 */
export type Limit = 'fetch' | 'read' | 'stream' | 'waitlist' | 'send' | AddedLimit['name'];

/** A limit of a plugin's routes. */
export interface AddedLimit {
  readonly name: string;
  /** The setting whose value is the rate. */
  readonly setting: string;
  readonly rate: Rate | null;
  /** The text of the 429 response; `{limit}` is the rate. */
  readonly text: string;
  /** Whether the password of Basic authentication may be the key of a workspace. */
  readonly takesBasic: boolean;
}

/** A limit's counter, and the values of its error. */
interface Count {
  readonly limiter: Limiter;
  readonly rate: string;
  readonly error: HttpError;
  readonly setting: HttpLimit;
  /** As in `AddedLimit`; present only for a plugin's limit. */
  readonly takesBasic?: boolean;
}

export interface AccessOptions {
  readonly settings: Settings;
  readonly addressing: Addressing;
  readonly pluginLimits?: readonly AddedLimit[];
  /** The counters that all nodes share. If omitted, this process has its own. */
  readonly counting?: Limits | undefined;
  readonly clock: Clock;
  readonly events?: HttpEvents | undefined;
}

/** Mayfly's own limits. The setting of each is `--NAME-limit`. */
const LIMITS = ['fetch', 'read', 'stream', 'waitlist', 'workspace', 'wrong-key', 'name'] as const;

/** The label that our page adds to its requests. A request without the label is not from our page. */
const OF_PAGE = /[?&]source=browser(?:&|$)/;

/** Checks access and applies the rate limits of clients over HTTP (D12, D15; interface sections 5 and 8). */
export class Access {
  readonly keys: Keys;
  readonly #options: AccessOptions;
  readonly #counts: ReadonlyMap<string, Count>;
  readonly #triedNames: ReturnType<typeof triedNames> | null;

  constructor(options: AccessOptions) {
    const { settings, counting = OWN_LIMITS, pluginLimits = [] } = options;
    const { 'name-limit': nameRate } = settings;
    this.#options = options;
    this.keys = new Keys(settings.workspace, settings['ad-hoc-workspaces']);
    const count = (name: string, rate: Rate | null, rest: Omit<Count, 'limiter' | 'rate'>) =>
      [name, { limiter: counting.rate(name, rate), rate: rate === null ? 'off' : rateText(rate), ...rest }] as const;
    const own = LIMITS.map((name) => {
      const setting = `${name}-limit` as const;
      return count(name, settings[setting], { error: limitErrors[name], setting });
    });
    const added = pluginLimits.map(({ name, rate, text, ...rest }) =>
      count(name, rate, { error: { ...httpErrors.tooManyLooks, text }, ...rest }),
    );
    this.#counts = new Map([...own, ...added]);
    this.#triedNames = nameRate && triedNames(counting.names('name', nameRate), nameRate.windowMs);
  }

  get #now(): number {
    return this.#options.clock.monotonic();
  }

  /** Checks a request's key and counts its use. A wrong key also counts as a fetch. Throws 401 and 429. */
  async check(request: Request, limit: Limit | undefined): Promise<void> {
    if (limit === 'send') return;
    const { caller } = request;
    const key = this.keys.sentBy(request, this.#counts.get(limit ?? '')?.takesBasic ?? false);
    if (key !== null) {
      const privateInbox = this.#privateInboxOf(request);
      if (!(await this.#open(caller, key, privateInbox))) {
        await this.#count('fetch', caller.client);
        throw this.keys.refusalOf(key, privateInbox);
      }
    }
    if (limit === undefined) return;
    // Any credentials are valid, so each use except a fetch counts as a guess, unless the caller then finds mail.
    if (caller.adHoc !== null && limit !== 'fetch') await this.#countName(caller.client, caller.adHoc);
    await this.#countUse(request, limit);
  }

  /** If a provider key contains credentials, sets the caller's ad-hoc workspace. Throws 401 if they are invalid. */
  takeProviderKey(request: Request, key: string | null): void {
    request.caller.adHoc = this.keys.adHocOfProvider(request, key);
  }

  /** Opens the workspace of a key for a provider's API. Any other API key counts as a guess. Rejects with 429. */
  async tryProviderKey({ caller }: Request, key: string | null): Promise<void> {
    if (key !== null && isApiKey(key)) await this.#open(caller, key, null);
  }

  /** Accepts a key from a form as if it were in the header. Rejects with 401 and 429. */
  async takeKey(request: Request, key: string | undefined): Promise<void> {
    if (key !== undefined) await this.#take(request, key, this.#privateInboxOf(request));
  }

  /** Accepts the secret of a private inbox that the path does not name. Rejects like `takeKey`. */
  async openPrivate(request: Request, inbox: string, secret: string): Promise<void> {
    // Credentials of an ad-hoc workspace also open its private inboxes (D66).
    if (request.caller.adHoc === null) await this.#take(request, secret, isPrivateName(inbox) ? inbox : null);
  }

  async #take({ caller }: Request, text: string, privateInbox: string | null): Promise<void> {
    const key = keyIn(text);
    if (!(await this.#open(caller, key, privateInbox))) throw this.keys.refusalOf(key, privateInbox);
  }

  /** The inbox in a path. Throws 400 for a bad name or a foreign domain, and 401 without the inbox's secret or key. */
  inboxOf(request: Request<{ readonly name: string }>): string {
    const inbox = this.inboxNamed(request, request.params.name);
    this.checkOwner(request, inbox);
    return inbox;
  }

  inboxNamed({ caller }: Request, text: string): string {
    const { addressing } = this.#options;
    const named = addressing.inboxNamed(text, caller.adHoc);
    if (typeof named !== 'string') return named.inbox;
    if (named === 'bad-name') throw new RequestError(httpErrors.badInboxName);
    throw new RequestError(httpErrors.foreignInbox, { domains: addressing.domainList });
  }

  /** Throws 401 if the inbox is private or owned by a workspace, and its secret or key is missing. */
  checkOwner(request: Request, inbox: string): void {
    if (this.mayOpen(request, inbox)) return;
    const error = isPrivateName(inbox) ? httpErrors.privateInbox : httpErrors.ownedName;
    throw new RequestError(error, {}, { 'www-authenticate': 'Bearer' });
  }

  mayOpen({ caller }: Request, inbox: string): boolean {
    return this.keys.mayOpen(caller, inbox);
  }

  /** Whether a caller that may open one of these inboxes may open all of them. Null stands for an unknown inbox. */
  haveOneOwner(inboxes: readonly (string | null)[]): boolean {
    const owners = inboxes.map(
      (inbox) => inbox && (adHocIn(inbox) ?? (isPrivateName(inbox) ? inbox : this.keys.ownerOf(inbox))),
    );
    return new Set(owners).size <= 1;
  }

  /** The caller's configured or ad-hoc workspace, which determines the visible mail; null without either. */
  viewOf({ caller: { workspace, adHoc } }: Request): string | null {
    return adHoc === null ? workspace : `${adHoc}/`;
  }

  /** To slow guessing, counts reads of ad-hoc workspaces and of inboxes without an owner. Rejects with 429. */
  async tryName({ caller }: Request, inbox: string): Promise<void> {
    if (isPrivateName(inbox) || this.keys.ownerOf(inbox) !== undefined) return;
    await this.#countName(caller.client, adHocIn(inbox) ?? inbox);
  }

  /** Takes back the count of an inbox's name, because a client that found an email there did not guess the name. */
  foundMail(client: string, inbox: string): void {
    void this.#triedNames?.found(client, adHocIn(inbox) ?? inbox, this.#now);
  }

  async countStream({ caller }: Request): Promise<void> {
    await this.#count('stream', caller.client);
  }

  hasLimit(limit: Limit | undefined): boolean {
    return limit === undefined || limit === 'send' || this.#counts.has(limit);
  }

  limited(limit: HttpLimit): void {
    this.#options.events?.limited(limit);
  }

  takerOf({ url, caller: { client } }: Request, way: WayOut): Taker {
    return { way: OF_PAGE.test(url) ? 'page' : way, client };
  }

  /** Assigns what a right key opens to the caller. After too many wrong keys, rejects right ones, to reveal none. */
  async #open(caller: Caller, key: Key, privateInbox: string | null): Promise<boolean> {
    const opened = this.keys.opened(key, privateInbox);
    await this.#count('wrong-key', caller.client, opened === undefined ? 'take' : 'wait');
    Object.assign(caller, opened);
    return opened !== undefined;
  }

  #privateInboxOf({ params }: Request): string | null {
    const { name = '' } = params as { name?: string };
    const named = this.#options.addressing.inboxNamed(name, null);
    return typeof named !== 'string' && isPrivateName(named.inbox) ? named.inbox : null;
  }

  async #countUse(request: Request, limit: Limit): Promise<void> {
    const { client, workspace, adHoc } = request.caller;
    if (workspace === null) await this.#count(limit, client);
    else if (limit === 'fetch') await this.#count('workspace', workspace);
    else {
      // Reads with a workspace's key are counted apart from those of other clients at the same address.
      const isRead = limit === 'read' || this.#counts.get(limit)?.takesBasic !== undefined;
      await this.#count(limit, isRead ? `${client} ${workspace}` : client);
    }
    if (limit !== 'read') return;
    const { name = '' } = request.params as { name?: string };
    const named = this.#options.addressing.inboxNamed(name, adHoc);
    if (typeof named !== 'string') await this.tryName(request, named.inbox);
  }

  async #countName(client: string, name: string): Promise<void> {
    if (this.#triedNames !== null) this.#refuse(await this.#triedNames.take(client, name, this.#now), 'name');
  }

  async #count(limit: string, client: string, how: 'take' | 'wait' = 'take'): Promise<void> {
    this.#refuse(await this.#countOf(limit).limiter[how](client, this.#now), limit);
  }

  #refuse(waitMs: number, limit: string): void {
    if (waitMs <= 0) return;
    const { error, rate, setting } = this.#countOf(limit);
    this.limited(setting);
    throw new RequestError(error, { limit: rate }, retryAfter(waitMs));
  }

  #countOf(limit: string): Count {
    const count = this.#counts.get(limit);
    if (count === undefined) throw new Error(`there is no limit ${limit}`);
    return count;
  }
}
