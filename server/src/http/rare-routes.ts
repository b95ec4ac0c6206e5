import type { Clock } from '../base/clock.js';
import type { AllMail } from '../inbox/all/all-mail.js';
import type { Inboxes } from '../inbox/inboxes.js';
import type { RunBook } from '../runs/run-book.js';
import type { ExtensionRoutes } from './app.js';
import type { BuiltApi } from './built-api.js';

export interface RareRoutesOptions extends Pick<BuiltApi, 'rareChecks'> {
  readonly all: Pick<AllMail, 'emails'>;
  readonly inboxes: Inboxes;
  readonly runs: RunBook;
  readonly retentionMs: number;
  readonly clock: Clock;
}

/** Our routes that only the page and runners with our fixtures ask for: most services load none of them. */
export function rareRoutes(options: RareRoutesOptions): ExtensionRoutes {
  return {
    root: '',
    webSocketPath: null,
    later: { below: ['/api/emails', '/api/run'], posted: [] },
    checks: options.rareChecks,
    async add(api, guard) {
      const { addAllMailAndRuns } = await import('./routes/all-mail-and-runs.js');
      addAllMailAndRuns(api, options, guard);
    },
  };
}
