import { definePlugin } from 'mayfly-inbox/plugin';
import { SETTINGS, sendingVariables, servedSendApis } from './settings.js';

const sendApi = (path: RegExp, provider: string) => {
  return { path, part: `The send API of ${provider}`, option: `--send-apis ${provider.toLowerCase()}` };
};

/** The send APIs of email providers (D52). */
export default definePlugin<typeof SETTINGS>({
  name: 'send-apis',
  settings: SETTINGS,
  optionalParts: [
    sendApi(/^\/{1,2}emails(?:\/|$)/, 'Resend'),
    sendApi(/^\/{1,2}(?:email(?:\/|$)|messages\/outbound\/)/, 'Postmark'),
    sendApi(/^\/{1,2}v2\/email\//, 'SES'),
    sendApi(/^\/{1,2}v3\/mail\//, 'SendGrid'),
    sendApi(/^\/{1,2}v3\/(?:domains\/)?[^/]+\/(?:messages|messages\.mime|events)(?:\/|$)/, 'Mailgun'),
  ],
  isOn: (settings) => servedSendApis(settings).length > 0,
  check: (settings, label) =>
    settings.templates === null || servedSendApis(settings).length > 0
      ? null
      : `${label('templates')} is for send APIs, but no send API is served: name the providers with ${label('send-apis')}, or remove this setting.`,
  sending: sendingVariables,
  examine(_settings, sending) {
    const shown = Object.values(sending).flatMap((own) =>
      Object.entries(own).map(([name, value]) => `${name}=${value}`),
    );
    if (shown.length === 0) return "No provider's send API is served; --send-apis all serves all of them.";
    return `Applications that send with a provider's SDK need ${shown.join(' ')}.`;
  },
  tasks: async () => (await import('./send-tasks.js')).TASKS,
  async setUp(host) {
    const { openSendApis } = await import('./send-apis.js');
    await openSendApis(host);
  },
});
