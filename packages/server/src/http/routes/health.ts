import type { Health, Readiness } from 'mayfly-protocol';
import { httpErrors } from '../../errors.js';
import { StoreFullDiskError } from '../../inbox/inboxes.js';
import { diskFullError, RequestError } from '../answer/request-error.js';
import { errorAnswers, jsonAnswer, objectSchema } from '../answer/schemas.js';
import type { App } from '../framework.js';

/** By name of the part. A rejection counts as false, except for a full disk. */
export type Probes = Readonly<Record<string, () => Promise<boolean>>>;

const PROBE_TIMEOUT_MS = 2_000;

const health = objectSchema<Health>({ status: { type: 'string', enum: ['ok'] } });

const readiness = objectSchema<Readiness>({ status: { type: 'string', enum: ['ready'] } });

const HEALTHY: Health = { status: 'ok' };
const READY: Readiness = { status: 'ready' };

/** By operation; the second path is Kubernetes' name for it. */
const ALIVE = { '/healthz': 'getHealth', '/livez': 'getLiveness' } as const;

/** `GET /healthz`, `GET /livez`: the process is alive. `GET /readyz`: every part answers. */
export function addHealthRoutes(app: App, probes: Probes): void {
  app.addSchema({ $id: 'Health', ...health });
  app.addSchema({ $id: 'Readiness', ...readiness });
  for (const [path, operationId] of Object.entries(ALIVE)) {
    app.get(
      path,
      {
        schema: {
          operationId,
          summary: 'Reports whether the process is alive.',
          response: { 200: jsonAnswer('Alive.', { $ref: 'Health#' }, HEALTHY), ...errorAnswers() },
        },
      },
      async () => HEALTHY,
    );
  }
  app.get(
    '/readyz',
    {
      schema: {
        operationId: 'getReadiness',
        summary: 'Reports whether both listeners and the store respond.',
        response: {
          200: jsonAnswer('Ready.', { $ref: 'Readiness#' }, READY),
          ...errorAnswers(httpErrors.notReady, httpErrors.diskFull),
        },
      },
    },
    async () => {
      for (const [part, probe] of Object.entries(probes)) {
        if (!(await answers(probe))) throw new RequestError(httpErrors.notReady, { part });
      }
      return READY;
    },
  );
}

async function answers(probe: () => Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), PROBE_TIMEOUT_MS);
  });
  const answer = probe().catch((error: unknown) => {
    if (error instanceof StoreFullDiskError) throw diskFullError(error);
    return false;
  });
  return Promise.race([answer, tooLate]).finally(() => clearTimeout(timer));
}
