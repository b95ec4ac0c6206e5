import type { Log } from '../base/log.js';
import { type App, addRawRoutes, type DropIn } from '../http/http.js';
import { Mailbox } from '../inbox/mailbox/mailbox.js';
import type { Catcher } from '../settings/kinds.js';
import { Callers } from './callers.js';
import { acceptTrailingSlashes, redirectDoubleSlashes } from './extra-routes.js';
import { addMailhogRoutes } from './mailhog/mailhog-routes.js';
import { EVENTS_PATH } from './mailpit/events/route.js';
import { addMailpitRoutes } from './mailpit/mailpit-routes.js';
import { ReadMarks, SenderNames } from './message-notes.js';
import { availabilityForCallers, checkOpening } from './opening.js';
import type { Shared } from './shared.js';

export { availabilityForCallers, checkOpening, Mailbox };

export interface DropInOptions
  extends Pick<
    Shared,
    'inboxes' | 'threads' | 'mailbox' | 'clock' | 'root' | 'hasPage' | 'maxMessageBytes' | 'maxRecipients' | 'mailRate'
  > {
  readonly catcher: Catcher;
  /** Told to those who may not ask. */
  readonly availability: string;
  readonly log: Log;
}

const CATCHERS: Readonly<
  Record<Catcher, { add(api: App, shared: Shared, log: Log): void; readonly webSocket: string | null }>
> = {
  mailpit: { add: addMailpitRoutes, webSocket: EVENTS_PATH },
  mailhog: { add: addMailhogRoutes, webSocket: null },
};

/** Another mail catcher's interface, as far as tests use it (D42). It shows all mail, so the operator has to turn it on. */
export function dropIn({ catcher, availability, log, ...parts }: DropInOptions): DropIn {
  const { add, webSocket } = CATCHERS[catcher];
  const { root } = parts;
  return {
    root,
    webSocketPath: webSocket && `${root}${webSocket}`,
    add(api, guard) {
      const callers = new Callers(guard, availability);
      const { access, streams } = guard;
      const shared = { ...parts, access, callers, streams, marks: new ReadMarks(), senders: new SenderNames() };
      addRawRoutes(api, (raw) => {
        raw.addHook('onRequest', async (request) => callers.check(request));
        acceptTrailingSlashes(raw);
        add(raw, shared, log);
        redirectDoubleSlashes(raw);
      });
      if (root !== '') redirectToPage(api);
    },
  };
}

function redirectToPage(api: App): void {
  api.get('/', { config: { isOpenedByLinks: true } }, (_request, reply) => reply.redirect('/', 302));
}
