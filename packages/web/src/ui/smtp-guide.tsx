import type { ServiceSettings } from 'mayfly-client';
import { smtpHost, smtpServer } from '../service.js';
import { CopyButton } from './copy.js';
import { Facts } from './facts.js';
import { Scroll } from './scroll.js';

/** How an application, or a shell, sends mail to an address here. */
export function SmtpGuide({ address, settings }: { address: string; settings: ServiceSettings }) {
  const { port } = settings.smtp;
  const host = smtpHost(settings);
  const command = [
    "printf 'From: app@example.test\\r\\nSubject: Welcome\\r\\n\\r\\nYour code is 482913\\r\\n' |",
    `  curl smtp://${smtpServer(settings)} -T - \\`,
    `  --mail-from app@example.test \\`,
    `  --mail-rcpt ${address}`,
  ].join('\n');
  return (
    <div class="guide">
      <div class="command">
        <Scroll label="Command that sends a test email">
          <code>{command}</code>
        </Scroll>
        <CopyButton text={command} what="command" />
      </div>
      <h3>SMTP settings for your application</h3>
      <dl class="facts">
        <dt>Host</dt>
        <dd>{host}</dd>
        <dt>Port</dt>
        <dd>{port}</dd>
        <dt>User name, password</dt>
        <dd class="said">
          any, or none; with <code>--ad-hoc-workspaces</code>, those of your space
        </dd>
        <dt>TLS</dt>
        <dd class="said">off, or STARTTLS where the service has a certificate</dd>
      </dl>
      <SendApiGuide settings={settings} />
    </div>
  );
}

/** What applications set that send with the SDK of a provider. */
function SendApiGuide({ settings }: { settings: ServiceSettings }) {
  const providers = Object.entries(settings.sendApis);
  if (providers.length === 0) return null;
  const { origin, host } = location;
  const filled = (value: string) => value.replace('{origin}', origin).replace('{host}', host);
  return (
    <details>
      <summary>Your application sends with a provider's API</summary>
      <Facts
        facts={providers.map(([provider, variables]) => [
          provider,
          Object.entries(variables).map(([name, value]) => (
            <code key={name} class="variable">{`${name}=${filled(value)} `}</code>
          )),
        ])}
      />
    </details>
  );
}
