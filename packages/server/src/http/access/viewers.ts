import { isPrivateName } from 'mayfly-protocol/private-name';
import { httpErrors } from '../../errors.js';
import type { Viewer } from '../../inbox/all-mail.js';
import { type AddressRange, isInRanges, isLocalOnly, MAX_HOST_LENGTH } from '../../limits/client-address.js';
import { origin as originKind } from '../../settings/kinds.js';
import type { Settings } from '../../settings/table.js';
import { leavingOf } from '../answer/answers.js';
import { RequestError } from '../answer/request-error.js';
import type { Request } from '../framework.js';
import type { Access } from './access.js';
import { hostIn, hostOf, isNetworkName } from './host.js';
import type { Keys } from './keys.js';
import type { Peers } from './peers.js';

const CHALLENGE = { 'www-authenticate': 'Basic realm="Mayfly", Bearer' };

/** Decides who sees all mail: this machine and the operator's networks (D30). Others see what their key opens. */
export class Viewers {
  readonly #localOnly: boolean;
  readonly #corsOrigins: readonly string[];
  readonly #keys: Keys;
  readonly #peers: Peers;
  readonly #admitted: AddressRange[] = [];

  constructor({ host, 'cors-origin': corsOrigins }: Settings, { keys }: Access, peers: Peers) {
    this.#localOnly = isLocalOnly(host);
    this.#corsOrigins = corsOrigins;
    this.#keys = keys;
    this.#peers = peers;
  }

  /** Lets these addresses see all mail without a key. */
  admit(networks: readonly AddressRange[]): void {
    this.#admitted.push(...networks);
  }

  /** Throws 401 without a key, because a list reveals names (D15), and 400 and 403 for web pages of others. */
  check(request: Request, availability: string): void {
    const { workspace, adHoc } = request.caller;
    if (workspace === null && adHoc === null && !this.areAdmitted(request))
      throw new RequestError(httpErrors.keyNeeded, { availability }, CHALLENGE);
  }

  viewerOf(request: Request): Viewer {
    const { caller } = request;
    const { adHoc } = caller;
    return {
      mayOpen: (inbox) => this.#keys.mayOpen(caller, inbox),
      seesAll: adHoc !== null || !this.#keys.hasWorkspaces,
      adHoc,
      leaving: leavingOf(request),
    };
  }

  /** Whether a caller may see the mail of all inboxes without a key, and the addresses of other clients. */
  seeOthers(request: Request): boolean {
    try {
      return this.areAdmitted(request);
    } catch (error) {
      // A foreign web page in the operator's network gets only the rights of a caller outside that network.
      if (error instanceof RequestError) return false;
      throw error;
    }
  }

  /** Whether a caller is on this machine, and only this machine reaches the service (see `checkHost`). */
  areHere(request: Request): boolean {
    return this.#localOnly && !this.#peers.of(request.socket).isTrusted && !isPassedOn(request);
  }

  /**
   * The inboxes that a caller may list together (D67): on this machine and in the operator's networks, all that the
   * caller may open; elsewhere, those of the caller's workspace, or null without one. Throws 400 and 403 like `check`.
   */
  listerOf(request: Request): Viewer | null {
    const viewer = this.viewerOf(request);
    // Credentials list only their ad-hoc workspace.
    if (viewer.adHoc !== null) return viewer;
    const { workspace } = request.caller;
    const isAdmitted = this.areAdmitted(request);
    if (!isAdmitted && workspace === null) return null;
    // `*` lets any page read an inbox whose name it knows, but not the list of names.
    const origins = this.#corsOrigins.filter((origin) => origin !== '*');
    if (isAdmitted) checkSite(request, origins);
    const mayOpen = (inbox: string) =>
      !isPrivateName(inbox) && (isAdmitted ? viewer.mayOpen(inbox) : this.#keys.ownerOf(inbox) === workspace);
    return { ...viewer, mayOpen, seesAll: false };
  }

  /**
   * Refuses MCP requests of web pages, wherever the service listens. Throws 403 for a request from another site, and
   * for one to a public host name, because a page's owner can make such a name resolve here (DNS rebinding).
   */
  checkAgent(request: Request): void {
    checkSite(request, this.#corsOrigins);
    const { origin } = request.headers;
    if (origin === undefined || ['*', origin].some((allowed) => this.#corsOrigins.includes(allowed))) return;
    // A trusted proxy checks host names itself.
    if (this.#peers.of(request.socket).isTrusted || isNetworkName(hostIn(hostOf(request)))) return;
    throw ofAnotherSite(origin);
  }

  /** Whether a caller is on this machine or in the operator's networks. Throws 400 and 403 like `check`. */
  areAdmitted(request: Request): boolean {
    const { isTrusted } = this.#peers.of(request.socket);
    if (!isTrusted && isPassedOn(request)) return false;
    if (this.areHere(request)) return true;
    const address = this.#peers.addressOf(request.raw);
    if (address === null || !isInRanges(address, this.#admitted)) return false;
    // Refuses a page whose name resolves to this machine (DNS rebinding). A trusted proxy itself checks host names.
    if (!isTrusted && !isNetworkName(hostIn(hostOf(request)))) throw new RequestError(httpErrors.publicHost);
    checkSite(request, this.#corsOrigins);
    return true;
  }
}

/** Whether a proxy passed the request on. If that proxy is not trusted, the request may come from any client. */
function isPassedOn({ headers }: Request): boolean {
  return PROXY_HEADERS.some((name) => headers[name] !== undefined);
}

/** Headers that proxies add: RFC 7239, RFC 9110 section 7.6.3, and the manuals of proxies. */
const PROXY_HEADERS = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];

/** Values of `Sec-Fetch-Site` for requests of our page, or of a user who typed the URL. */
const OWN_SITES = ['same-origin', 'none'];

/** Throws 403 for pages of other origins, which cannot read answers (D17) but could write and use up limits. */
export function checkSite(request: Pick<Request, 'url' | 'headers'>, allowed: readonly string[]): void {
  const { origin } = request.headers;
  if (allowed.includes('*') || (origin !== undefined && allowed.includes(origin)) || isOfOwnSite(request)) return;
  throw ofAnotherSite(origin);
}

function ofAnotherSite(origin: string | undefined): RequestError {
  // Names only an origin that --cors-origin accepts. A page without an origin sends `null`.
  const isNamed = origin !== undefined && origin.length <= MAX_ORIGIN_LENGTH && origin !== '*';
  if (!isNamed || originKind.parse(origin) === undefined) return new RequestError(httpErrors.crossSite);
  return new RequestError(httpErrors.crossOrigin, { origin });
}

const MAX_ORIGIN_LENGTH = 'https://'.length + MAX_HOST_LENGTH + ':65535'.length;

/**
 * Browsers set `Origin` and `Sec-Fetch-Site`. Pages cannot set them, and other clients send neither. `Sec-Fetch-Site`
 * takes precedence, because even our page may have another `Origin`: `null` in forms (no referrer), or that of a
 * development server. `same-site` means a page on another port of this machine.
 */
function isOfOwnSite(request: Pick<Request, 'url' | 'headers'>): boolean {
  const { origin, 'sec-fetch-site': named } = request.headers;
  const [site] = [named ?? []].flat();
  if (site !== undefined) return OWN_SITES.includes(site.toLowerCase());
  return origin === undefined || /^https?:\/\/(.*)/i.exec(origin)?.[1]?.toLowerCase() === hostOf(request).toLowerCase();
}
