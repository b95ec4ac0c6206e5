import { httpErrors } from '../../errors.js';
import { type AddressRange, isInRanges } from '../../limits/client-address.js';
import { RequestError } from '../answer/request-error.js';
import type { Peers } from '../connection/peers.js';
import type { Request } from '../framework.js';
import { checkSite } from './cross-site.js';
import { hostIn, hostOf, isNetworkName } from './host.js';

export interface KeylessCallersOptions {
  readonly localOnly: boolean;
  readonly dropInCallers: readonly AddressRange[];
  readonly corsOrigins: readonly string[];
}

/** Who sees all mail outside of workspaces without a key: this machine, and the operator's networks (D30). */
export class KeylessCallers {
  readonly #options: KeylessCallersOptions;
  readonly #peers: Peers;

  constructor(options: KeylessCallersOptions, peers: Peers) {
    this.#options = options;
    this.#peers = peers;
  }

  /** Throws 400 and 403 for a request from such a network that a web page may have sent. */
  admits(request: Request): boolean {
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
