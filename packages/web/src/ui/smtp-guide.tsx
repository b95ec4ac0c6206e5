import type { ServiceSettings } from 'mayfly-client';
import type { ComponentChildren } from 'preact';
import { smtpHost, smtpServer } from '../service.js';
import { Waiting } from './icon.js';
import { Command, Facts } from './scroll.js';

interface WaitingNoticeProps {
  readonly address: string;
  readonly settings: ServiceSettings;
  readonly children: ComponentChildren;
}

export function WaitingNotice({ address, settings, children }: WaitingNoticeProps) {
  return (
    <div class="notice stack">
      <Waiting />
      <h2 class="title">Waiting for mail</h2>
      {children}
      <SmtpGuide address={address} settings={settings} />
    </div>
  );
}

export function SmtpGuide({ address, settings }: { address: string; settings: ServiceSettings }) {
  const command = [
    "printf 'From: app@example.test\\r\\nSubject: Welcome\\r\\n\\r\\nYour code is 482913\\r\\n' |",
    `  curl smtp://${smtpServer(settings)} -T - \\`,
    `  --mail-from app@example.test \\`,
    `  --mail-rcpt ${address}`,
  ].join('\n');
  const anyUser = (
    <>
      any, or none; with <code>--ad-hoc-workspaces</code>, your credentials
    </>
  );
  return (
    <div class="guide stack">
      <Command label="Command that sends a test email" command={command} what="command" />
      <h3 class="text-15">SMTP settings for your application</h3>
      <Facts
        facts={[
          ['Host', smtpHost(settings)],
          ['Port', settings.smtp.port],
          ['User name, password', anyUser, 'said'],
          ['TLS', 'off, or STARTTLS if the service has a certificate', 'said'],
        ]}
      />
      <SendApiGuide settings={settings} />
    </div>
  );
}

function SendApiGuide({ settings }: { settings: ServiceSettings }) {
  const providers = Object.entries(settings.sendApis);
  if (providers.length === 0) return null;
  const { origin, host } = location;
  const filled = (value: string) => value.replace('{origin}', origin).replace('{host}', host);
  return (
    <details class="stack gap-12 text-15">
      <summary>Your application sends with a provider's API</summary>
      <Facts
        facts={providers.map(([provider, variables]) => [
          provider,
          Object.entries(variables).map(([name, value]) => <code key={name}>{`${name}=${filled(value)} `}</code>),
        ])}
      />
    </details>
  );
}
