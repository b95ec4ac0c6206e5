import { kinds, optional, type PluginSettings } from 'mayfly-inbox/plugin';
import { apisSetting, sendingOf, servedOf } from 'mayfly-plugins-shared/sending/served';

/** The SDKs of Resend and SES read their variables; the application must read the others (docs/send-apis.md). */
export const SEND_APIS = {
  resend: { RESEND_BASE_URL: '{origin}', RESEND_API_URL: '{origin}' },
  sendgrid: { SENDGRID_BASE_URL: '{origin}' },
  postmark: { POSTMARK_HOST: '{host}' },
  ses: { AWS_ENDPOINT_URL_SESV2: '{origin}', AWS_ENDPOINT_URL_SES: '{origin}' },
  mailgun: { MAILGUN_URL: '{origin}' },
};

export type SendApi = keyof typeof SEND_APIS;

export const SETTINGS = {
  'send-apis': apisSetting(SEND_APIS, 'Provider APIs to serve'),
  templates: optional(
    kinds.folder,
    'Folder with template texts: ID.html, ID.txt and ID.subject.txt. If a template has no files, an email lists the variables of the template.',
    { group: 'Other interfaces' },
  ),
} as const;

export type SendSettings = PluginSettings<typeof SETTINGS>;

export function servedSendApis(settings: Pick<SendSettings, 'host' | 'send-apis'>): readonly SendApi[] {
  return servedOf(SEND_APIS, settings['send-apis'], settings.host);
}

export const sendingVariables = (settings: SendSettings) => sendingOf(SEND_APIS, servedSendApis(settings));
