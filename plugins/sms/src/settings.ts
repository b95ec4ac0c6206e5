import { kinds, type PluginSettings, type Sending, several } from 'mayfly-inbox/plugin';
import { servedOf } from 'mayfly-plugins-shared/sending/served';

/** `sms-voice` is End User Messaging of AWS. */
export const SMS_APIS = ['twilio', 'vonage', 'sns', 'sms-voice', 'messagebird', 'plivo'] as const;

export type SmsApi = (typeof SMS_APIS)[number];

const smsApi = kinds.oneOf(
  'PROVIDER',
  [...SMS_APIS, 'all', 'local', 'off'],
  `use ${SMS_APIS.join(', ')}, all, local or off`,
);

export const SETTINGS = {
  'sms-apis': several(
    smsApi,
    'local',
    'SMS provider APIs to serve: twilio, vonage, sns, sms-voice (AWS End User Messaging), messagebird, plivo, all, off (no API), or local (all if only this machine can reach --host).',
    { group: 'Other interfaces' },
  ),
} as const;

export function servedSmsApis(settings: PluginSettings<typeof SETTINGS>): readonly SmsApi[] {
  return servedOf(SMS_APIS, settings['sms-apis'], settings.host);
}

/** Environment variables for an application. Only the SDKs of AWS read theirs; the application reads the others. */
const VARIABLES: Readonly<Record<SmsApi, Sending[string]>> = {
  twilio: { TWILIO_BASE_URL: '{origin}' },
  vonage: { VONAGE_BASE_URL: '{origin}' },
  sns: { AWS_ENDPOINT_URL_SNS: '{origin}/sns' },
  'sms-voice': { AWS_ENDPOINT_URL_PINPOINT_SMS_VOICE_V2: '{origin}/sms-voice' },
  messagebird: { MESSAGEBIRD_BASE_URL: '{origin}' },
  plivo: { PLIVO_BASE_URL: '{origin}' },
};

export function sendingVariables(settings: PluginSettings<typeof SETTINGS>): Sending {
  return Object.fromEntries(servedSmsApis(settings).map((name) => [name, VARIABLES[name]]));
}
