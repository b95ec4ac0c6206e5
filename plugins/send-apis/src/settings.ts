import { kinds, optional, type PluginSettings, type Sending, several } from 'mayfly-inbox/plugin';
import { servedOf } from 'mayfly-plugins-shared/sending/served';

export const SEND_APIS = ['resend', 'sendgrid', 'postmark', 'ses', 'mailgun'] as const;

export type SendApi = (typeof SEND_APIS)[number];

/** `local` enables all providers if only this machine can reach the service. */
const sendApi = kinds.oneOf(
  'PROVIDER',
  [...SEND_APIS, 'all', 'local', 'off'],
  `use ${SEND_APIS.join(', ')}, all, local or off`,
);

const group = 'Other interfaces';

export const SETTINGS = {
  'send-apis': several(
    sendApi,
    'local',
    'Provider APIs to serve: resend, sendgrid, postmark, ses, mailgun, all, off (no API), or local (all if only this machine can reach --host).',
    { group },
  ),
  templates: optional(
    kinds.folder,
    'Folder with template texts: ID.html, ID.txt and ID.subject.txt. If a template has no files, an email lists the variables of the template.',
    { group },
  ),
} as const;

export type SendSettings = PluginSettings<typeof SETTINGS>;

export function servedSendApis(settings: Pick<SendSettings, 'host' | 'send-apis'>): readonly SendApi[] {
  return servedOf(SEND_APIS, settings['send-apis'], settings.host);
}

/**
 * Environment variables for an application that uses a provider's SDK. The SDKs of Resend and SES read their variables;
 * the application must read the others (docs/send-apis.md).
 */
const VARIABLES: Readonly<Record<SendApi, Sending[string]>> = {
  resend: { RESEND_BASE_URL: '{origin}', RESEND_API_URL: '{origin}' },
  sendgrid: { SENDGRID_BASE_URL: '{origin}' },
  postmark: { POSTMARK_HOST: '{host}' },
  ses: { AWS_ENDPOINT_URL_SESV2: '{origin}', AWS_ENDPOINT_URL_SES: '{origin}' },
  mailgun: { MAILGUN_URL: '{origin}' },
};

export function sendingVariables(settings: SendSettings): Sending {
  return Object.fromEntries(servedSendApis(settings).map((name) => [name, VARIABLES[name]]));
}
