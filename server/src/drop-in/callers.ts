import { httpErrors } from '../errors.js';
import { type DropInGuard, LeavingClient, type Request, RequestError } from '../http/http.js';
import type { Viewer } from '../inbox/mailbox/mailbox.js';

const CHALLENGE = { 'www-authenticate': 'Basic realm="Mayfly", Bearer' };

export class Callers {
  readonly #guard: DropInGuard;
  readonly #availability: string;

  constructor(guard: DropInGuard, availability: string) {
    this.#guard = guard;
    this.#availability = availability;
  }

  /**
   * Throws 401 for a caller who needs a key: a list of inboxes tells their names, their secrets (D15). 400 and 403: see
   * `admits`.
   */
  check(request: Request): void {
    const { access, keyless } = this.#guard;
    if (!access.hasKey(request) && !keyless.admits(request))
      throw new RequestError(httpErrors.keyNeeded, { availability: this.#availability }, CHALLENGE);
  }

  /**
   * Throws 403 for another site's page: browsers let it open and read web sockets with the user's password (RFC 6455 section
   * 10.2).
   */
  checkPage(request: Request): void {
    this.#guard.checkPage(request);
  }

  /** A request sees mail of no workspace but its own. */
  viewerOf(request: Request): Viewer {
    const { access } = this.#guard;
    const mayOpen = (inbox: string) => access.mayOpen(request, inbox);
    return { mayOpen, seesAll: !access.hasWorkspaces, leaving: new LeavingClient(request) };
  }
}
