import type { Health, Readiness, ServiceSettings, WaitlistRequest, WaitlistResponse } from 'mayfly-protocol';
import { inTime, systemClock } from '../../base/clock.js';
import { httpErrors } from '../../errors.js';
import { StoreFullDiskError, StoreFullError } from '../../inbox/inboxes.js';
import { textBody } from '../answer/answers.js';
import { JSON_TYPE, RequestError } from '../answer/request-error.js';
import type { App } from '../framework.js';
import type { HttpParts, Served } from '../parts.js';
import { refuseCoding } from '../request/bodies.js';
import { reading } from '../request/fields.js';

const PROBE_TIMEOUT_MS = 2_000;

/** `GET /healthz`, and `/livez` for Kubernetes: the process is alive. `GET /readyz`: every part answers. */
export function addHealthRoutes(app: App, { probes }: Pick<HttpParts, 'probes'>): void {
  for (const path of ['/healthz', '/livez']) app.get(path, async (): Promise<Health> => ({ status: 'ok' }));
  app.get('/readyz', async (): Promise<Readiness> => {
    for (const [part, probe] of Object.entries(probes)) {
      if (!(await answers(probe))) throw new RequestError(httpErrors.notReady, { part });
    }
    return { status: 'ready' };
  });
}

async function answers(probe: () => Promise<boolean>): Promise<boolean> {
  try {
    return await inTime(systemClock, PROBE_TIMEOUT_MS, probe);
  } catch (error) {
    if (error instanceof StoreFullDiskError) throw new RequestError(httpErrors.diskFull, { owner: error.owner });
    if (error instanceof StoreFullError) throw new RequestError(httpErrors.storeFull, { owner: error.owner });
    return false;
  }
}

/** Throws 503 until SMTP listens. */
export function smtpAddress({ smtp }: Pick<HttpParts, 'smtp'>): Pick<ServiceSettings, 'smtp' | 'smtps'> {
  const address = smtp();
  if (address === null) throw new RequestError(httpErrors.notReady, { part: 'the SMTP listener' });
  return address;
}

const WAITLIST_INPUT = reading({ body: { schema: { $ref: 'WaitlistRequest#' }, error: httpErrors.badWaitlistEmail } });

/** `GET /api/settings`, `POST /api/waitlist` (interface section 4.3) and `GET /openapi.json`. */
export function addServiceRoutes(app: App, served: Served): void {
  const { settings, viewers, clock, sendApis, document } = served;
  const { domain: domains, retention: retentionMs, waitlist } = settings;
  const { 'fetch-limit': fetchLimit, 'read-limit': readLimit } = settings;
  app.get('/api/settings', async (request): Promise<ServiceSettings> => {
    const { smtp, smtps } = smtpAddress(served);
    return {
      ...{ domains, smtp, smtps, retentionMs, fetchLimit, readLimit, lookLimit: readLimit, waitlist },
      allMail: viewers.seeOthers(request),
      sendApis,
      now: new Date(clock.now()).toISOString(),
    };
  });
  app.post<{ Body: WaitlistRequest }>(
    '/api/waitlist',
    { ...WAITLIST_INPUT.options('waitlist'), preParsing: refuseCoding },
    async (request): Promise<WaitlistResponse> => {
      await served.joinWaitlist(request.body.email.toLowerCase());
      return { success: true };
    },
  );
  app.get('/openapi.json', async (_request, reply) => reply.type(JSON_TYPE).send(textBody(reply, document)));
}
