import { httpErrors } from '../../errors.js';
import type { App } from '../framework.js';
import { RequestError } from '../request-error.js';
import { errorAnswer } from '../schemas.js';

/** A part of the service by name, and whether it answers. Rejecting is no answer. */
export type Probes = Readonly<Record<string, () => Promise<boolean>>>;

/** How long a part may take to answer. */
const PROBE_TIMEOUT_MS = 2_000;

const statusAnswer = (description: string, status: string) => ({
  description,
  content: {
    'application/json': {
      schema: { type: 'object', properties: { status: { type: 'string', enum: [status] } }, required: ['status'] },
    },
  },
});

/** `GET /healthz`: the process is alive. `GET /readyz`: every part of the service answers. */
export function addHealthRoutes(app: App, probes: Probes): void {
  app.get(
    '/healthz',
    {
      schema: {
        operationId: 'getHealth',
        summary: 'Whether the process is alive.',
        response: { 200: statusAnswer('Alive.', 'ok'), 401: errorAnswer('The API key is not known.') },
      },
    },
    async () => ({ status: 'ok' }),
  );
  app.get(
    '/readyz',
    {
      schema: {
        operationId: 'getReadiness',
        summary: 'Whether both listeners and the store answer.',
        response: {
          200: statusAnswer('Ready.', 'ready'),
          401: errorAnswer('The API key is not known.'),
          503: errorAnswer('A part does not answer. The error names it.'),
        },
      },
    },
    async () => {
      for (const [part, probe] of Object.entries(probes)) {
        if (!(await answers(probe))) throw new RequestError(httpErrors.notReady, { part });
      }
      return { status: 'ready' };
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
