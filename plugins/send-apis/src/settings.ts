import { isLocalOnly, kinds, optional, type PluginSettings, type Sending, several } from 'mayfly-inbox/plugin';

export const SEND_APIS = ['resend', 'sendgrid', 'postmark', 'ses', 'mailgun'] as const;

export type SendApi = (typeof SEND_APIS)[number];

/** `local` means all if only this machine reaches the service. */
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
    "Email providers whose HTTP send API is served, for applications that send with a provider's SDK: resend, sendgrid, postmark, ses, mailgun or all. local serves all of them if only this machine can reach --host, and none otherwise; off serves none.",
    { group },
  ),
  templates: optional(
    kinds.folder,
    'Folder with the texts of templates that applications name in requests to send: ID.html, ID.txt and ID.subject.txt. Without it, the variables of a template become the text of the mail.',
    { group },
  ),
} as const;

export type SendSettings = PluginSettings<typeof SETTINGS>;

export function servedSendApis(settings: Pick<SendSettings, 'host' | 'send-apis'>): readonly SendApi[] {
  const chosen: readonly string[] = settings['send-apis'];
  if (chosen.includes('off')) return [];
  const isAll = chosen.includes('all') || (chosen.includes('local') && isLocalOnly(settings.host));
  return SEND_APIS.filter((name) => isAll || chosen.includes(name));
}

/**
 * The environment of an application that uses a provider's SDK. SDKs read those of Resend and SES, applications the
 * others (docs/send-apis.md).
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
