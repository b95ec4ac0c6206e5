import type { ExtensionRoutes } from './app.js';
import type { BuiltApi } from './built-api.js';
import type { AllMailAndRunsOptions } from './routes/all-mail-and-runs.js';

export interface RareRoutesOptions extends Pick<BuiltApi, 'rareChecks'>, AllMailAndRunsOptions {}

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
