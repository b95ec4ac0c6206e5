import type { App } from '../../http/framework.js';
import type { Shared } from '../shared.js';

/** What Mailpit's clients take for its version: the one whose answers these are like. */
const VERSION = 'v1.30.0';

const CONFIG = { config: { limit: 'drop-in' } } as const;

/** `GET /api/v1/info` and `GET /api/v1/tags`, of which there are none. */
export function addInfoRoutes(api: App, { mailbox, marks, callers, clock }: Shared): void {
  const startedAt = clock.monotonic();

  api.get('/api/v1/info', CONFIG, async (request) => {
    const messages = await mailbox.messages(callers.viewerOf(request));
    return {
      Version: VERSION,
      LatestVersion: VERSION,
      Database: 'Mayfly',
      DatabaseSize: 0,
      Messages: messages.length,
      Unread: marks.unread(messages),
      Tags: {},
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

  api.get('/api/v1/tags', CONFIG, async () => []);
}
