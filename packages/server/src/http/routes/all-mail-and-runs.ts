import { hostname } from 'node:os';
import type { Clock } from '../../base/clock.js';
import type { AllMail } from '../../inbox/all/all-mail.js';
import type { Inboxes } from '../../inbox/inboxes.js';
import type { RunBook } from '../../runs/run-book.js';
import { RunAnswers } from '../answer/run-answers.js';
import type { RouteGuard } from '../app.js';
import type { App } from '../framework.js';
import { addAllMailRoutes } from './all-mail-routes.js';
import { addRunRoutes } from './runs.js';

export interface AllMailAndRunsOptions {
  readonly all: Pick<AllMail, 'emails'>;
  readonly inboxes: Inboxes;
  readonly runs: RunBook;
  readonly retentionMs: number;
  readonly clock: Clock;
}

/** The rare routes. One file loads all of them, or the bundle would have more files at each start. */
export function addAllMailAndRuns(
  api: App,
  { all, inboxes, runs, retentionMs, clock }: AllMailAndRunsOptions,
  { access, streams, viewers }: RouteGuard,
): void {
  addAllMailRoutes(api, { all, viewers, access, streams, clock });
  addRunRoutes(api, new RunAnswers({ book: runs, inboxes, access, node: hostname(), retentionMs, clock }));
}
