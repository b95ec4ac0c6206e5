import { definePlugin } from 'mayfly-inbox/plugin';
import { SETTINGS, sendingVariables, servedSmsApis } from './settings.js';

const smsApi = (path: RegExp, provider: string, name = provider.toLowerCase()) => {
  return { path, part: `The SMS API of ${provider}`, option: `--sms-apis ${name}` };
};

/** The send APIs of SMS providers. */
export default definePlugin<typeof SETTINGS>({
  name: 'sms',
  settings: SETTINGS,
  optionalParts: [
    smsApi(/^\/{1,2}2010-04-01\//, 'Twilio'),
    smsApi(/^\/{1,2}(?:sms\/json|v1\/messages)(?:\/|$)/, 'Vonage'),
    smsApi(/^\/{1,2}sns(?:\/|$)/, 'SNS'),
    smsApi(/^\/{1,2}sms-voice(?:\/|$)/, 'AWS End User Messaging', 'sms-voice'),
    smsApi(/^\/{1,2}messages$/, 'MessageBird'),
    smsApi(/^\/{1,2}v1\/Account\//, 'Plivo'),
  ],
  isOn: (settings) => servedSmsApis(settings).length > 0,
  sending: sendingVariables,
  tasks: async () => (await import('./sms-tasks.js')).TASKS,
  async setUp(host) {
    const { openSms } = await import('./sms.js');
    openSms(host);
  },
});
