import { isLocalOnly } from '../limits/client-address.js';
import { SEND_APIS, type SendApi } from './kinds.js';
import type { Settings } from './table.js';

/** The served providers (`--send-apis`), in the table's order. */
export function servedSendApis(settings: Pick<Settings, 'host' | 'send-apis'>): readonly SendApi[] {
  const chosen: readonly string[] = settings['send-apis'];
  if (chosen.includes('off')) return [];
  const isAll = chosen.includes('all') || (chosen.includes('local') && isLocalOnly(settings.host));
  return SEND_APIS.filter((name) => isAll || chosen.includes(name));
}

export type Variables = Readonly<Record<string, string>>;

/**
 * The environment of an application that uses a provider's SDK. `{origin}` stands for the service's address, `{host}`
 * for that without the scheme. SDKs read those of Resend and SES, applications the others (docs/send-apis.md).
 */
const VARIABLES: Readonly<Record<SendApi, Variables>> = {
  resend: { RESEND_BASE_URL: '{origin}', RESEND_API_URL: '{origin}' },
  sendgrid: { SENDGRID_BASE_URL: '{origin}' },
  postmark: { POSTMARK_HOST: '{host}' },
  ses: { AWS_ENDPOINT_URL_SESV2: '{origin}', AWS_ENDPOINT_URL_SES: '{origin}' },
  mailgun: { MAILGUN_URL: '{origin}' },
};

export function sendingVariables(served: readonly SendApi[]): Readonly<Partial<Record<SendApi, Variables>>> {
  return Object.fromEntries(served.map((name) => [name, VARIABLES[name]]));
}

/** The same with the service's address filled in. */
export function sendingTo(url: string, served: readonly SendApi[]): Readonly<Partial<Record<SendApi, Variables>>> {
  const origin = url.replace(/\/$/, '');
  const host = origin.replace(/^https?:\/\//, '');
  const filled = (variables: Variables) =>
    Object.fromEntries(
      Object.entries(variables).map(([name, value]) => [
        name,
        value.replace('{origin}', origin).replace('{host}', host),
      ]),
    );
  return Object.fromEntries(served.map((name) => [name, filled(VARIABLES[name])]));
}
