import {
  type ExtensionHost,
  type ExtensionWork,
  httpErrors,
  LeavingClient,
  type Log,
  type Request,
  RequestError,
  type Settings,
  type Viewer,
} from '../../server/dist/extension/extension.js';
import type { TASKS } from './in-thread.js';
import type { ReadMarks, SenderNames } from './message-notes.js';

/** Requests count against the limit of drop-ins. */
export const CONFIG = { config: { limit: 'drop-in' } } as const;

export interface Shared extends ExtensionHost {
  readonly log: Log;
  readonly settings: Pick<Settings, 'drop-in-root' | 'page' | 'max-message' | 'max-recipients'>;
  readonly callers: Callers;
  readonly marks: ReadMarks;
  readonly senders: SenderNames;
}

type Tasks = typeof TASKS;

/** A task for a reading thread. */
export function work<N extends keyof Tasks>(task: N, details: Parameters<Tasks[N]>[1]): ExtensionWork {
  return { extension: 'catchers', task, details };
}

const CHALLENGE = { 'www-authenticate': 'Basic realm="Mayfly", Bearer' };

export class Callers {
  readonly #host: Pick<ExtensionHost, 'access' | 'keyless'>;
  readonly #availability: string;

  /** `availability` is told to those who may not ask. */
  constructor(host: Pick<ExtensionHost, 'access' | 'keyless'>, availability: string) {
    this.#host = host;
    this.#availability = availability;
  }

  /**
   * Throws 401 for a caller who needs a key: a list of inboxes tells their names, their secrets (D15). 400 and 403: see
   * `admits`.
   */
  check(request: Request): void {
    const { access, keyless } = this.#host;
    if (!access.hasKey(request) && !keyless.admits(request))
      throw new RequestError(httpErrors.keyNeeded, { availability: this.#availability }, CHALLENGE);
  }

  /** A request sees mail of no workspace but its own. */
  viewerOf(request: Request): Viewer {
    const { access } = this.#host;
    const mayOpen = (inbox: string) => access.mayOpen(request, inbox);
    return { mayOpen, seesAll: !access.hasWorkspaces, leaving: new LeavingClient(request) };
  }
}
