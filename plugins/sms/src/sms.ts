import type { PluginHost, Service } from 'mayfly-inbox/plugin';
import type { Provider } from 'mayfly-plugins-shared/sending/desk';
import { serveProviders } from 'mayfly-plugins-shared/sending/providers';
import { smsVoice, sns } from './aws.js';
import { messagebird } from './messagebird.js';
import { plivo } from './plivo.js';
import { type SETTINGS, type SmsApi, servedSmsApis } from './settings.js';
import { twilio } from './twilio.js';
import { vonageMessages, vonageSms } from './vonage.js';

const PROVIDERS: Readonly<Record<SmsApi, readonly Provider[]>> = {
  twilio: [twilio],
  vonage: [vonageSms, vonageMessages],
  sns: [sns],
  'sms-voice': [smsVoice],
  messagebird: [messagebird],
  plivo: [plivo],
};

export function openSms(host: PluginHost<typeof SETTINGS>): void {
  const served = servedSmsApis(host.settings);
  serveProviders(
    host,
    served.flatMap((name) => PROVIDERS[name].map((provider) => [name, provider] as const)),
    withPhones,
  );
}

/** The service with phone numbers as the addresses of recipients. */
function withPhones(service: Service): Service {
  const { mail, records } = service;
  return {
    ...service,
    mail: {
      recipientOf: (number, adHoc = null) => records.phoneRecipient(number, adHoc),
      refusalOf: async (recipient, from, until) => (await mail.refusalOf?.(recipient, from, until)) ?? null,
      deliver: (text) => mail.deliver(text),
    },
  };
}
