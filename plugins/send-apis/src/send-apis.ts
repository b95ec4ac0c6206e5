import type { PluginHost } from 'mayfly-inbox/plugin';
import type { Provider } from 'mayfly-plugins-shared/sending/desk';
import { serveProviders } from 'mayfly-plugins-shared/sending/providers';
import { mailgun } from './mailgun/mailgun.js';
import { postmark } from './postmark/postmark.js';
import { resend } from './resend/resend.js';
import { sendgrid } from './sendgrid/sendgrid.js';
import { sesV1, sesV2 } from './ses/ses.js';
import { type SETTINGS, type SendApi, servedSendApis } from './settings.js';

const PROVIDERS: Readonly<Record<SendApi, readonly Provider[]>> = {
  resend: [resend],
  sendgrid: [sendgrid],
  postmark: [postmark],
  ses: [sesV2, sesV1],
  mailgun: [mailgun],
};

export async function openSendApis(host: PluginHost<typeof SETTINGS>): Promise<void> {
  const { templates } = host.settings;
  // Imported only with templates, because it also loads the word lists, which most services do not need.
  if (templates !== null) await (await import('./template-folder.js')).checkTemplates(templates);
  const names = servedSendApis(host.settings);
  serveProviders(
    host,
    names.flatMap((name) => PROVIDERS[name].map((provider) => [name, provider] as const)),
  );
}
