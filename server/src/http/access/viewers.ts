import { httpErrors } from '../../errors.js';
import type { Viewer } from '../../inbox/all/all-inboxes.js';
import { type AddressRange, isInRanges } from '../../limits/client-address.js';
import { LeavingClient } from '../answer/client-left.js';
import { RequestError } from '../answer/request-error.js';
import type { Peers } from '../connection/peers.js';
import type { Request } from '../framework.js';
import type { Access } from './access.js';
import { hostIn, hostOf, isNetworkName } from './host.js';

export interface ViewersOptions {
  readonly localOnly: boolean;
  readonly dropInCallers: readonly AddressRange[];
  readonly corsOrigins: readonly string[];
}

const CHALLENGE = { 'www-authenticate': 'Basic realm="Mayfly", Bearer' };

/**
 * Who sees the mail of all inboxes: this machine, the operator's networks (D30), and callers with the key of a
 * workspace. None of them sees the mail of another workspace.
 */
export class Viewers {
  readonly #options: ViewersOptions;
  readonly #access: Access;
  readonly #peers: Peers;

  constructor(options: ViewersOptions, access: Access, peers: Peers) {
    this.#options = options;
    this.#access = access;
    this.#peers = peers;
  }

  /**
   * Throws 401 for a caller who needs a key: a list of inboxes tells their names, their secrets (D15). Throws 400 and
   * 403 for a request from an operator's network that a web page may have sent. `availability` is told with the 401.
   */
  check(request: Request, availability: string): void {
    if (!this.#access.hasKey(request) && !this.areAdmitted(request))
      throw new RequestError(httpErrors.keyNeeded, { availability }, CHALLENGE);
  }

  viewerOf(request: Request): Viewer {
    const access = this.#access;
    const mayOpen = (inbox: string) => access.mayOpen(request, inbox);
    return { mayOpen, seesAll: !access.hasWorkspaces, leaving: new LeavingClient(request) };
  }

  /**
   * Whether a caller is on this machine or in one of the operator's networks. Throws 400 and 403 as `check` does.
   */
  areAdmitted(request: Request): boolean {
    const { localOnly, dropInCallers, corsOrigins } = this.#options;
    const { isTrusted } = this.#peers.of(request.socket);
    if (!isTrusted && isPassedOn(request)) return false;
    // `checkLocal` has run.
    if (localOnly && !isTrusted) return true;
    const address = this.#peers.addressOf(request.raw);
    if (address === null || !isInRanges(address, dropInCallers)) return false;
    // A page whose name now points here (DNS rebinding) would pass for ours. A trusted proxy knows its names.
    if (!isTrusted && !isNetworkName(hostIn(hostOf(request)))) throw new RequestError(httpErrors.publicHost);
    checkSite(request, corsOrigins);
    return true;
  }
}

/** A proxy that is not trusted asks for others all the same. */
function isPassedOn({ headers }: Request): boolean {
  return PROXY_HEADERS.some((name) => headers[name] !== undefined);
}

/** RFC 7239, RFC 9110 section 7.6.3, and the manuals of proxies. */
const PROXY_HEADERS = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];

/** Browsers set both headers, and no page can change them; other clients send neither. */
interface Initiator {
  readonly site: string | undefined;
  readonly origin: string | undefined;
  readonly host: string;
}

/** Our page asked, or the user typed the address. */
const OWN_SITES = ['same-origin', 'none'];

/**
 * Refuses a page of another origin. It could not read the answer (D17), but it would write, and use up the limits of
 * the developer who has it open. Throws 403 unless `allowed` has the origin.
 */
export function checkSite(request: Pick<Request, 'url' | 'headers'>, allowed: readonly string[]): void {
  const { origin, 'sec-fetch-site': named } = request.headers;
  const initiator = { site: Array.isArray(named) ? named[0] : named, origin, host: hostOf(request) };
  if (allowed.includes('*') || (origin !== undefined && allowed.includes(origin)) || isOwn(initiator)) return;
  throw new RequestError(httpErrors.crossSite);
}

/**
 * `Sec-Fetch-Site` goes first: `Origin` is `null` for our page's forms (no referrer), and the proxy's behind a
 * development server. `same-site` is another port of this machine.
 */
function isOwn({ site, origin, host }: Initiator): boolean {
  if (site !== undefined) return OWN_SITES.includes(site.toLowerCase());
  if (origin === undefined) return true;
  const own = host.toLowerCase();
  return [`http://${own}`, `https://${own}`].includes(origin.toLowerCase());
}
