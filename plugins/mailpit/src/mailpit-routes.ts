import { type App, BoundedMap, type PluginHost } from 'mayfly-inbox/plugin';
import { CONFIG, openCompatApi } from 'mayfly-plugins-shared/compat-api';
import type { SETTINGS } from 'mayfly-plugins-shared/settings';
import { Events } from './events.js';
import { addEventsRoute } from './events-route.js';
import { addListRoutes } from './lists.js';
import { type Mailpit, ReadMarks } from './mailpit.js';
import { addMessageRoutes } from './messages.js';
import { addSendRoute } from './send.js';
import { tagsOfAll, VERSION } from './summary.js';

const MOST_SENDERS = 20_000;

const NOT_SERVED = [
  'GET /api/v1/chaos',
  'PUT /api/v1/chaos',
  'PUT /api/v1/tags',
  'PUT /api/v1/tags/:tag',
  'DELETE /api/v1/tags/:tag',
  'GET /api/v1/message/:id/html-check',
  'GET /api/v1/message/:id/link-check',
  'GET /api/v1/message/:id/sa-check',
  'POST /api/v1/message/:id/release',
  'GET /api/v1/message/:id/part/:part/thumb',
] as const;

export function openMailpit(host: PluginHost<typeof SETTINGS>): void {
  const notes = { marks: new ReadMarks(), senders: new BoundedMap<string, string>(MOST_SENDERS) };
  openCompatApi(host, {
    name: 'Mailpit',
    add(api, compatApi) {
      const shared = { ...compatApi, ...notes };
      const events = new Events(shared);
      addListRoutes(api, shared, events);
      addMessageRoutes(api, shared);
      addInfoRoutes(api, shared);
      addSendRoute(api, shared);
      addEventsRoute(api, shared, events);
    },
    notServed: NOT_SERVED,
  });
}

const PAGE_SETTINGS = {
  Label: '',
  MessageRelay: {
    ...{ Enabled: false, SMTPServer: '', ReturnPath: '', AllowedRecipients: '', BlockedRecipients: '' },
    ...{ OverrideFrom: '', PreserveMessageIDs: false, RecipientAllowlist: '' },
  },
  SpamAssassin: false,
  ChaosEnabled: false,
  DuplicatesIgnored: false,
  HideDeleteAllButton: false,
} as const;

function addInfoRoutes(api: App, { inboxes, marks, viewers, clock }: Mailpit): void {
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
        ...{ MessagesDeleted: 0, SMTPAccepted: 0, SMTPAcceptedSize: 0, SMTPRejected: 0, SMTPIgnored: 0 },
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
