import type { RateLimit, ServiceSettings, SmtpAddress, SmtpOffer } from 'mayfly-protocol';
import type { Clock } from '../../base/clock.js';
import { httpErrors } from '../../errors.js';
import type { Rate } from '../../limits/rate-limiter.js';
import type { Viewers } from '../access/viewers.js';
import { RequestError } from '../answer/request-error.js';
import { errorAnswers, jsonAnswer, objectSchema } from '../answer/schemas.js';
import type { App } from '../framework.js';

export interface PublicSettings extends Pick<ServiceSettings, 'domains' | 'retentionMs' | 'sendApis' | 'waitlist'> {
  readonly fetchRate: Rate | null;
  readonly lookRate: Rate | null;
  /** Null until SMTP listens. */
  smtp(): Pick<ServiceSettings, 'smtp' | 'smtps'> | null;
  readonly smtpOffers: Pick<SmtpOffer, 'startTls' | 'authWithoutTls'>;
}

const rateLimit = (description: string) =>
  objectSchema<RateLimit>(
    { count: { type: 'integer' }, windowMs: { type: 'integer' } },
    { type: ['object', 'null'], description },
  );

const smtpAddress = objectSchema<SmtpAddress>(
  { host: { type: 'string' }, port: { type: 'integer' } },
  { description: 'The address of the SMTP listener. The host 0.0.0.0 or :: stands for every address of the machine.' },
);

const serviceSettings = objectSchema<ServiceSettings>({
  domains: {
    type: 'array',
    items: { type: 'string' },
    description: 'Domains that mail is accepted for; * stands for any.',
  },
  smtp: smtpAddress,
  smtps: objectSchema<SmtpAddress>(
    { host: { type: 'string' }, port: { type: 'integer' } },
    { type: ['object', 'null'], description: 'The same of the listener for TLS from the first byte; null for none.' },
  ),
  retentionMs: { type: 'integer', description: 'How long an email is kept, in milliseconds.' },
  fetchLimit: rateLimit('Inbox fetches of one client address; null for no limit.'),
  lookLimit: rateLimit('Other requests to inboxes of one client address, except streams; null for no limit.'),
  waitlist: { type: 'boolean', description: 'Whether the inbox page offers the waitlist for Workspaces.' },
  allMail: { type: 'boolean', description: 'Whether the caller may list the mail of all inboxes without a key.' },
  sendApis: {
    type: 'object',
    additionalProperties: { type: 'object', additionalProperties: { type: 'string' } },
    description:
      'The providers whose send API is served, each with the environment variables of an application that uses it; {origin} stands for the address of this service, {host} for its host and port.',
  },
  now: {
    type: 'string',
    format: 'date-time',
    description: "The server's time, for computing how long an email will still be kept.",
  },
});

const EXAMPLE: ServiceSettings = {
  domains: ['inbox.example.com'],
  smtp: { host: '127.0.0.1', port: 2525 },
  smtps: null,
  retentionMs: 1_800_000,
  fetchLimit: { count: 20, windowMs: 10_000 },
  lookLimit: { count: 10_000, windowMs: 10_000 },
  waitlist: true,
  allMail: true,
  sendApis: { resend: { RESEND_BASE_URL: '{origin}', RESEND_API_URL: '{origin}' } },
  now: '2026-01-31T09:30:00.000Z',
};

export function addSettingsRoute(app: App, settings: PublicSettings, viewers: Viewers, clock: Clock): void {
  app.addSchema({ $id: 'ServiceSettings', ...serviceSettings });
  app.get(
    '/api/settings',
    {
      schema: {
        operationId: 'getSettings',
        summary: 'Returns the public settings of this service: its domains, its SMTP listener, how long mail is kept.',
        response: {
          200: jsonAnswer('The settings.', { $ref: 'ServiceSettings#' }, EXAMPLE),
          ...errorAnswers(httpErrors.notReady),
        },
      },
    },
    async (request): Promise<ServiceSettings> => {
      const smtp = settings.smtp();
      if (smtp === null) throw new RequestError(httpErrors.notReady, { part: 'the SMTP listener' });
      const { domains, retentionMs, fetchRate: fetchLimit, lookRate: lookLimit, waitlist, sendApis } = settings;
      return {
        domains,
        ...smtp,
        retentionMs,
        fetchLimit,
        lookLimit,
        waitlist,
        allMail: viewers.seeOthers(request),
        sendApis,
        now: new Date(clock.now()).toISOString(),
      };
    },
  );
}
