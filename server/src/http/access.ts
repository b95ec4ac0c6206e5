import { createHash } from 'node:crypto';
import type { Clock } from '../clock.js';
import { httpErrors } from '../errors.js';
import { clientKey } from '../limits/client-address.js';
import { type Rate, RateLimiter } from '../limits/rate-limiter.js';
import type { WorkspaceKey } from '../settings/kinds.js';
import type { Request } from './framework.js';
import { RequestError, retryAfter } from './request-error.js';

/** Which limit a route falls under. */
export type Limit = 'fetch' | 'waitlist';

export interface AccessOptions {
  readonly workspaces: readonly WorkspaceKey[];
  readonly fetchRate: Rate | null;
  readonly workspaceRate: Rate | null;
  readonly waitlistRate: Rate | null;
  readonly clock: Clock;
}

/** Who may do what, and how often (design D12, D15; spec.md sections 5 and 8). */
export class Access {
  readonly #clock: Clock;
  /** Workspace names by the digest of a key, so that how long a look-up takes says nothing of the keys. */
  readonly #workspaces: ReadonlyMap<string, string>;
  readonly #names: ReadonlySet<string>;
  readonly #limiters: Readonly<Record<Limit | 'workspace', RateLimiter>>;

  constructor({ workspaces, fetchRate, workspaceRate, waitlistRate, clock }: AccessOptions) {
    this.#clock = clock;
    this.#workspaces = new Map(workspaces.map(({ workspace, key }) => [digest(key), workspace]));
    this.#names = new Set(workspaces.map(({ workspace }) => workspace));
    this.#limiters = {
      fetch: new RateLimiter(fetchRate),
      waitlist: new RateLimiter(waitlistRate),
      workspace: new RateLimiter(workspaceRate),
    };
  }

  /**
   * Counts a request against the limit of its route, then checks its key. In this order, so that keys cannot be tried out
   * any faster than inboxes are fetched. Throws 429 and 401.
   */
  check(request: Request, limit: Limit | undefined): void {
    if (limit !== undefined) this.#count(request, limit, this.#workspaceOf(request) ?? null);
    this.#checkKey(request);
  }

  /** Takes a key that came in a form as if it had come in the header. Throws 401 when it is not known. */
  takeKey(request: Request, key: string | undefined): void {
    if (key === undefined) return;
    request.headers.authorization = `Bearer ${key}`;
    this.#checkKey(request);
  }

  /** Throws 401 when an inbox name belongs to a workspace whose key the request does not carry. */
  checkOwner(request: Request, inbox: string): void {
    const owner = [...this.#names].find((name) => inbox.startsWith(`${name}-`));
    if (owner === undefined || owner === this.#workspaceOf(request)) return;
    throw new RequestError(httpErrors.ownedName, {}, { 'www-authenticate': 'Bearer' });
  }

  #checkKey(request: Request): void {
    if (this.#workspaceOf(request) !== undefined) return;
    throw new RequestError(httpErrors.unknownKey, {}, { 'www-authenticate': 'Bearer error="invalid_token"' });
  }

  #count(request: Request, limit: Limit, workspace: string | null): void {
    const now = this.#clock.monotonic();
    const waitMs =
      limit === 'fetch' && workspace !== null
        ? this.#limiters.workspace.take(workspace, now)
        : this.#limiters[limit].take(clientKey(request.ip), now);
    if (waitMs > 0) throw new RequestError(httpErrors.tooManyRequests, {}, retryAfter(waitMs));
  }

  /** The workspace whose key the request carries; null without a bearer credential, undefined for a key that is not known. */
  #workspaceOf(request: Request): string | null | undefined {
    const credential = /^Bearer(?: +(.*))?$/i.exec(request.headers.authorization ?? '');
    return credential === null ? null : this.#workspaces.get(digest(credential[1] ?? ''));
  }
}

function digest(key: string): string {
  return createHash('sha256').update(key).digest('base64');
}
