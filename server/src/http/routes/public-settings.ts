import type { Clock } from '../../clock.js';
import { httpErrors } from '../../errors.js';
import type { Rate } from '../../limits/rate-limiter.js';
import type { App } from '../framework.js';
import { RequestError } from '../request-error.js';
import { errorAnswer } from '../schemas.js';

/** Where SMTP listens. */
export interface SmtpAddress {
  readonly host: string;
  readonly port: number;
}

/** What anybody may know of how the service is set up. */
export interface PublicSettings {
  /** Domains that mail is accepted for; `*` for any. */
  readonly domains: readonly string[];
  readonly retentionMs: number;
  readonly fetchRate: Rate | null;
  /** Null while SMTP is not listening. */
  smtp(): SmtpAddress | null;
}

const RATE = {
  type: ['object', 'null'],
  description: 'Inbox fetches of one client address; null for no limit.',
  properties: { count: { type: 'integer' }, windowMs: { type: 'integer' } },
  required: ['count', 'windowMs'],
};

const SETTINGS = {
  type: 'object',
  properties: {
    domains: {
      type: 'array',
      items: { type: 'string' },
      description: 'Domains that mail is accepted for; * stands for any.',
    },
    smtp: {
      type: 'object',
      description: 'Where SMTP listens. The host 0.0.0.0 or :: stands for every address of the machine.',
      properties: { host: { type: 'string' }, port: { type: 'integer' } },
      required: ['host', 'port'],
    },
    retentionMs: { type: 'integer', description: 'How long an email is kept, in milliseconds.' },
    fetchLimit: RATE,
    now: {
      type: 'string',
      format: 'date-time',
      description: "The server's time, to tell how long an email is still kept.",
    },
  },
  required: ['domains', 'smtp', 'retentionMs', 'fetchLimit', 'now'],
};

/** `GET /api/settings`: what somebody needs to know who sends mail here and reads it. */
export function addSettingsRoute(app: App, settings: PublicSettings, clock: Clock): void {
  app.get(
    '/api/settings',
    {
      schema: {
        operationId: 'getSettings',
        summary: 'How this service is set up: its domains, where SMTP listens, how long mail is kept.',
        response: {
          200: { description: 'The settings.', content: { 'application/json': { schema: SETTINGS } } },
          401: errorAnswer('The API key is not known.'),
          503: errorAnswer('SMTP is not listening.'),
        },
      },
    },
    async () => {
      const smtp = settings.smtp();
      if (smtp === null) throw new RequestError(httpErrors.notReady, { part: 'the SMTP listener' });
      const { domains, retentionMs, fetchRate: fetchLimit } = settings;
      return { domains, smtp, retentionMs, fetchLimit, now: new Date(clock.now()).toISOString() };
    },
  );
}
