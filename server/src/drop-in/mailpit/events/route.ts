import { httpErrors } from '../../../errors.js';
import { type App, RequestError, upgradeOf } from '../../../http/http.js';
import { CONFIG, type Shared } from '../../shared.js';
import type { Events } from './events.js';
import { EventSocket } from './web-socket.js';

export const EVENTS_PATH = '/api/events';

/** `GET /api/events`: a web socket that tells changes of the mail. It counts as a stream. */
export function addEventsRoute(api: App, { access, callers, streams, clock }: Shared, events: Events): void {
  api.get(EVENTS_PATH, CONFIG, async (request, reply) => {
    const upgrade = upgradeOf(request.raw);
    if (upgrade === undefined) throw new RequestError(httpErrors.webSocketOnly, {}, { upgrade: 'websocket' });
    callers.checkPage(request);
    const [client, workspace] = [access.clientOf(request), access.workspaceOf(request)];
    const group = await events.groupOf(workspace, callers.viewerOf(request));
    const socket = await streams.open(client, () => new EventSocket(clock, upgrade));
    const close = () => {
      events.leave(workspace, socket);
      streams.close(client, socket);
    };
    if (upgrade.socket.destroyed) {
      close();
      return reply.hijack();
    }
    upgrade.socket.once('close', close);
    reply.hijack();
    reply.raw.detachSocket(upgrade.socket);
    // For those who wait for its end the answer is over.
    reply.raw.emit('close');
    reply.server.countAnswer?.(request, 101);
    socket.open(request, () => events.join(workspace, group, socket));
  });
}
