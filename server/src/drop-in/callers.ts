import { httpErrors } from '../errors.js';
import type { DropInGuard } from '../http/app.js';
import { LeavingClient, whenLeft } from '../http/client-left.js';
import type { Reply, Request } from '../http/framework.js';
import { RequestError } from '../http/request-error.js';
import type { Viewer } from '../inbox/mailbox/mailbox.js';
import type { Reader } from '../inbox/threads/held-answers.js';

/** Ways to send a key that a client is told of who sent none. */
const CHALLENGE = { 'www-authenticate': 'Basic realm="Mayfly", Bearer' };

/** Who asks for the mail of all inboxes. */
export class Callers {
  readonly #guard: DropInGuard;

  constructor(guard: DropInGuard) {
    this.#guard = guard;
  }

  /**
   * Throws 401 where a request neither comes from this machine itself nor carries the key of a workspace: an inbox's name is its
   * secret (D15), and a list of all inboxes tells every name.
   */
  check(request: Request): void {
    const { access, isOwn } = this.#guard;
    if (!access.hasKey(request) && !isOwn(request)) throw new RequestError(httpErrors.keyNeeded, {}, CHALLENGE);
  }

  /** What of the mail is a request's to see: of workspaces only that of its own. */
  viewerOf(request: Request): Viewer {
    const { access } = this.#guard;
    const mayOpen = (inbox: string) => access.mayOpen(request, inbox);
    return { mayOpen, seesAll: !access.hasWorkspaces, leaving: new LeavingClient(request) };
  }

  /** Who reads an answer. */
  readerOf(request: Request, reply: Reply): Reader {
    const cut = () => request.socket.destroy();
    return { client: this.#guard.access.clientOf(request), signal: whenLeft(reply.raw), cut };
  }
}
