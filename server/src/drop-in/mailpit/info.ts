import type { App } from '../../http/http.js';
import { CONFIG, type Shared } from '../shared.js';
import { tagsOfAll } from './tags.js';

/** The version whose answers these are like. */
export const VERSION = 'v1.30.0';

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
export function addInfoRoutes(api: App, { mailbox, marks, callers, clock }: Shared): void {
  const startedAt = clock.monotonic();

  api.get('/api/v1/info', CONFIG, async (request) => {
    const viewer = callers.viewerOf(request);
    const messages = await mailbox.messages(viewer);
    const tags = await tagsOfAll(messages, mailbox, viewer);
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
    const viewer = callers.viewerOf(request);
    const { counts } = await tagsOfAll(await mailbox.messages(viewer), mailbox, viewer);
    return [...counts.keys()];
  });
}
