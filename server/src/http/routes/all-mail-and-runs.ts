import { hostname } from 'node:os';
import { RunAnswers } from '../answer/run-answers.js';
import type { RouteGuard } from '../app.js';
import type { App } from '../framework.js';
import type { RareRoutesOptions } from '../rare-routes.js';
import { addAllMailRoutes } from './all-mail-routes.js';
import { addRunRoutes } from './runs.js';

/** The rare routes. One file loads all of them, or the bundle would have more files at each start. */
export function addAllMailAndRuns(
  api: App,
  { all, inboxes, runs, retentionMs, clock }: RareRoutesOptions,
  { access, streams, viewers }: RouteGuard,
): void {
  addAllMailRoutes(api, { all, viewers, access, streams, clock });
  addRunRoutes(api, new RunAnswers({ book: runs, inboxes, access, node: hostname(), retentionMs, clock }));
}
