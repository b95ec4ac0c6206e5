import {
  type App,
  asksForWebSocket,
  httpErrors,
  RequestError,
} from '../../../../packages/server/dist/extension/extension.js';
import { CONFIG, type Shared } from '../shared.js';
import { EventSocket } from './event-socket.js';
import { Events } from './events.js';
import { addListRoutes } from './lists.js';
import { addMessageRoutes } from './messages.js';
import { addSendRoute } from './send.js';
import { tagsOfAll, VERSION } from './summary.js';

const EVENTS_PATH = '/api/events';

/** Mailpit's interface (version 1), as far as tests use it. */
export function addMailpitRoutes(api: App, shared: Shared): void {
  const events = new Events(shared);
  addListRoutes(api, shared, events);
  addMessageRoutes(api, shared);
  addInfoRoutes(api, shared);
  addSendRoute(api, shared);
  addEventsRoute(api, shared, events);
}

/** Nothing that can be turned on there is served here. */
const PAGE_SETTINGS = {
  Label: '',
  MessageRelay: {
    Enabled: false,
    SMTPServer: '',
    ReturnPath: '',
    AllowedRecipients: '',
    BlockedRecipients: '',
    OverrideFrom: '',
    PreserveMessageIDs: false,
    RecipientAllowlist: '',
  },
  SpamAssassin: false,
  ChaosEnabled: false,
  DuplicatesIgnored: false,
  HideDeleteAllButton: false,
} as const;

/** `GET /api/v1/info`, `GET /api/v1/webui` and `GET /api/v1/tags`. */
function addInfoRoutes(api: App, { inboxes, marks, viewers, clock }: Shared): void {
  const startedAt = clock.monotonic();

  api.get('/api/v1/info', CONFIG, async (request) => {
    const viewer = viewers.viewerOf(request);
    const messages = await inboxes.list(viewer);
    const tags = await tagsOfAll(messages, inboxes, viewer);
    return {
      Version: VERSION,
      LatestVersion: VERSION,
      Database: 'Mayfly',
      DatabaseSize: 0,
      Messages: messages.length,
      Unread: marks.unread(messages),
      Tags: Object.fromEntries(tags.counts),
      RuntimeStats: {
        Uptime: Math.floor((clock.monotonic() - startedAt) / 1_000),
        Memory: process.memoryUsage.rss(),
        MessagesDeleted: 0,
        SMTPAccepted: 0,
        SMTPAcceptedSize: 0,
        SMTPRejected: 0,
        SMTPIgnored: 0,
      },
    };
  });

  api.get('/api/v1/webui', CONFIG, async () => PAGE_SETTINGS);
  api.get('/api/v1/tags', CONFIG, async (request) => {
    const viewer = viewers.viewerOf(request);
    const { counts } = await tagsOfAll(await inboxes.list(viewer), inboxes, viewer);
    return [...counts.keys()];
  });
}

/** `GET /api/events`: a web socket that tells changes of the mail. It counts as a stream. */
function addEventsRoute(api: App, { access, viewers, streams, clock, checkPage }: Shared, events: Events): void {
  api.get(EVENTS_PATH, CONFIG, async (request, reply) => {
    if (!asksForWebSocket(request.raw)) throw new RequestError(httpErrors.webSocketOnly, {}, { upgrade: 'websocket' });
    // Browsers let another site's page open and read web sockets with the user's password (RFC 6455 section 10.2).
    checkPage(request);
    const [client, view] = [access.clientOf(request), access.viewOf(request)];
    const group = await events.groupOf(view, viewers.viewerOf(request));
    const socket = await streams.open(client, () => new EventSocket(clock));
    const close = () => {
      events.leave(view, socket);
      streams.close(client, socket);
    };
    reply.hijack();
    if (request.socket.destroyed) {
      close();
      return;
    }
    reply.server.countAnswer?.(request, 101);
    socket.open(request, { opened: () => events.join(view, group, socket), closed: close });
  });
}
