import type { AddDropIn } from '../http/app.js';
import { type App, addRawRoutes } from '../http/framework.js';
import { Mailbox } from '../inbox/mailbox/mailbox.js';
import type { Catcher } from '../settings/kinds.js';
import { Callers } from './callers.js';
import { addMailhogRoutes } from './mailhog/mailhog.js';
import { addMailpitRoutes } from './mailpit/mailpit.js';
import { ReadMarks } from './read-marks.js';
import type { Shared } from './shared.js';

export { Mailbox };

export interface DropInOptions
  extends Pick<Shared, 'inboxes' | 'mailbox' | 'clock' | 'maxMessageBytes' | 'maxRecipients' | 'mailRate'> {
  readonly catcher: Catcher;
}

const ROUTES: Readonly<Record<Catcher, (api: App, shared: Shared) => void>> = {
  mailpit: addMailpitRoutes,
  mailhog: addMailhogRoutes,
};

/**
 * The part of another mail catcher's HTTP interface that tests use, in front of the same inboxes (D42). It shows the mail of all inboxes,
 * so it is asked for by the operator, and is there for this machine itself or for the key of a workspace alone.
 */
export function dropIn({ catcher, ...parts }: DropInOptions): AddDropIn {
  return (api, guard) => {
    const callers = new Callers(guard);
    const { access, streams } = guard;
    const shared = { ...parts, access, callers, streams, marks: new ReadMarks() };
    addRawRoutes(api, (raw) => {
      // Before the body is read, which nobody would use.
      raw.addHook('onRequest', async (request) => callers.check(request));
      ROUTES[catcher](raw, shared);
    });
  };
}
