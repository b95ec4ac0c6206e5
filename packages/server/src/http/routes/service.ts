import type { Health, Readiness, ServiceSettings, SmtpOffer, WaitlistRequest, WaitlistResponse } from 'mayfly-protocol';
import { type Clock, inTime, systemClock } from '../../base/clock.js';
import { httpErrors } from '../../errors.js';
import { StoreFullDiskError, StoreFullError } from '../../inbox/inboxes.js';
import type { Rate } from '../../limits/rate-limiter.js';
import type { Viewers } from '../access/viewers.js';
import { textBody } from '../answer/answers.js';
import { diskFullError, JSON_TYPE, RequestError } from '../answer/request-error.js';
import type { App } from '../framework.js';
import { refuseCoding } from '../request/bodies.js';
import { reading } from '../request/fields.js';

/** By the part's name. A rejection counts as false, except for a full disk or store. */
export type Probes = Readonly<Record<string, () => Promise<boolean>>>;

const PROBE_TIMEOUT_MS = 2_000;

/** `GET /healthz`, and Kubernetes' name for it: the process is alive. `GET /readyz`: every part answers. */
export function addHealthRoutes(app: App, probes: Probes): void {
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
    if (error instanceof StoreFullDiskError) throw diskFullError(error);
    if (error instanceof StoreFullError) throw new RequestError(httpErrors.storeFull, { owner: error.owner });
    return false;
  }
}

export interface PublicSettings extends Pick<ServiceSettings, 'domains' | 'retentionMs' | 'sendApis' | 'waitlist'> {
  readonly fetchRate: Rate | null;
  readonly readRate: Rate | null;
  /** Null until SMTP listens. */
  smtp(): Pick<ServiceSettings, 'smtp' | 'smtps'> | null;
  readonly smtpOffers: Pick<SmtpOffer, 'startTls' | 'authWithoutTls'>;
}

/** Throws 503 until SMTP listens. */
export function smtpAddress(settings: Pick<PublicSettings, 'smtp'>): Pick<ServiceSettings, 'smtp' | 'smtps'> {
  const address = settings.smtp();
  if (address === null) throw new RequestError(httpErrors.notReady, { part: 'the SMTP listener' });
  return address;
}

export function addSettingsRoute(app: App, settings: PublicSettings, viewers: Viewers, clock: Clock): void {
  const { domains, retentionMs, fetchRate: fetchLimit, readRate: readLimit, waitlist, sendApis } = settings;
  app.get('/api/settings', async (request): Promise<ServiceSettings> => {
    const { smtp, smtps } = smtpAddress(settings);
    return {
      ...{ domains, smtp, smtps, retentionMs, fetchLimit, readLimit, lookLimit: readLimit, waitlist },
      allMail: viewers.seeOthers(request),
      sendApis,
      now: new Date(clock.now()).toISOString(),
    };
  });
}

const WAITLIST_INPUT = reading({ body: { schema: { $ref: 'WaitlistRequest#' }, error: httpErrors.badWaitlistEmail } });

/** Adds an address; an existing one stays as it is (D18). */
export type JoinWaitlist = (email: string) => Promise<void>;

/** `POST /api/waitlist` (interface section 4.3). */
export function addWaitlistRoute(app: App, joinWaitlist: JoinWaitlist): void {
  app.post<{ Body: WaitlistRequest }>(
    '/api/waitlist',
    { ...WAITLIST_INPUT.options('waitlist'), preParsing: refuseCoding },
    async (request): Promise<WaitlistResponse> => {
      await joinWaitlist(request.body.email.toLowerCase());
      return { success: true };
    },
  );
}

export function addOpenApiRoute(app: App, document: Buffer): void {
  app.get('/openapi.json', async (_request, reply) => reply.type(JSON_TYPE).send(textBody(reply, document)));
}
