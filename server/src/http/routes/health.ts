import type { Health, Readiness } from 'mayfly-client';
import { httpErrors } from '../../errors.js';
import type { App } from '../framework.js';
import { RequestError } from '../request-error.js';
import { errorAnswers, jsonAnswer, type ObjectSchema } from '../schemas.js';

/** A part of the service by name, and whether it answers. Rejecting is no answer. */
export type Probes = Readonly<Record<string, () => Promise<boolean>>>;

/** How long a part may take to answer. */
const PROBE_TIMEOUT_MS = 2_000;

const health: ObjectSchema<Health> = {
  type: 'object',
  properties: { status: { type: 'string', enum: ['ok'] } },
  required: ['status'],
};

const readiness: ObjectSchema<Readiness> = {
  type: 'object',
  properties: { status: { type: 'string', enum: ['ready'] } },
  required: ['status'],
};

const HEALTHY: Health = { status: 'ok' };
const READY: Readiness = { status: 'ready' };

/** Where the process says that it is alive, each with what its operation is called: the second is Kubernetes' name for it. */
const ALIVE = { '/healthz': 'getHealth', '/livez': 'getLiveness' } as const;

/** `GET /healthz` and `GET /livez`: the process is alive. `GET /readyz`: every part of the service answers. */
export function addHealthRoutes(app: App, probes: Probes): void {
  app.addSchema({ $id: 'Health', ...health });
  app.addSchema({ $id: 'Readiness', ...readiness });
  for (const [path, operationId] of Object.entries(ALIVE)) {
    app.get(
      path,
      {
        schema: {
          operationId,
          summary: 'Whether the process is alive.',
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
        summary: 'Whether both listeners and the store answer.',
        response: {
          200: jsonAnswer('Ready.', { $ref: 'Readiness#' }, READY),
          ...errorAnswers(httpErrors.notReady),
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
  return Promise.race([probe().catch(() => false), tooLate]).finally(() => clearTimeout(timer));
}
