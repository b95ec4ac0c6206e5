import type { PluginSettings } from 'mayfly-inbox/plugin';
import { apisSetting, sendingOf, servedOf } from 'mayfly-plugins-shared/sending/served';

/** Only the SDKs of AWS read their variables; the application the others. */
export const SMS_APIS = {
  twilio: { TWILIO_BASE_URL: '{origin}' },
  vonage: { VONAGE_BASE_URL: '{origin}' },
  sns: { AWS_ENDPOINT_URL_SNS: '{origin}/sns' },
  'sms-voice': { AWS_ENDPOINT_URL_PINPOINT_SMS_VOICE_V2: '{origin}/sms-voice' },
  messagebird: { MESSAGEBIRD_BASE_URL: '{origin}' },
  plivo: { PLIVO_BASE_URL: '{origin}' },
};

export type SmsApi = keyof typeof SMS_APIS;

export const SETTINGS = { 'sms-apis': apisSetting(SMS_APIS, 'SMS APIs to serve (sms-voice: AWS End User Messaging)') };

export function servedSmsApis(settings: PluginSettings<typeof SETTINGS>): readonly SmsApi[] {
  return servedOf(SMS_APIS, settings['sms-apis'], settings.host);
}

export const sendingVariables = (settings: PluginSettings<typeof SETTINGS>) =>
  sendingOf(SMS_APIS, servedSmsApis(settings));
