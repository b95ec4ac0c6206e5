import type { ServiceSettings, SmtpOffer } from 'mayfly-client';
import { useState } from 'preact/hooks';
import { commandFor, MASK, openingCode, trialCommand } from '../commands.js';
import { adHocOf, secretOf } from '../credentials.js';
import { keyOf, readSmtpOffer, smtpHost } from '../service.js';
import { useKnown } from '../settings.js';
import { CopyButton } from './button.js';
import { Command, type Fact, Facts } from './scroll.js';
import { useUntil } from './until.js';

/** Shows how to send mail to an inbox, with the credentials of its ad-hoc workspace. */
export function SmtpGuide({ inbox }: { inbox: string }) {
  const settings = useKnown();
  const offer = useSmtpOffer();
  return (
    <div class="guide stack">
      <Command
        label="Command that sends a test email"
        command={trialCommand(inbox, { settings, offer })}
        what="command"
      />
      <h3 class="text-15">SMTP settings for your application</h3>
      <Facts
        facts={[
          ['Host', smtpHost(settings)],
          ['Port', settings.smtp.port],
          ...loginFacts(inbox),
          ['TLS', tlsText(settings, offer), 'said'],
        ]}
      />
      <SendApiGuide inbox={inbox} />
      {secretOf(inbox) !== null && (
        <>
          <h3 class="text-15">The inbox in your test</h3>
          <Command label="Code that opens the inbox" command={openingCode(inbox, settings)} what="code for a test" />
        </>
      )}
    </div>
  );
}

function loginFacts(inbox: string): readonly Fact[] {
  const [user, password] = adHocOf(inbox).split(/:(.*)/);
  if (user && password) return [copied('User name', user, user), copied('Password', password, MASK)];
  const option = <code>--ad-hoc-workspaces</code>;
  // With credentials, mail would be in an ad-hoc workspace, and not in the private inbox or configured workspace.
  const rule =
    keyOf(inbox) === null ? <>any, or none; your credentials with {option}</> : <>none, or any without {option}</>;
  return [['User name, password', rule, 'said']];
}

function copied(name: string, text: string, shown: string): Fact {
  const button = (
    <CopyButton class="fact" text={text} what={`${name.toLowerCase()}${shown === text ? ` ${text}` : ''}`}>
      <span>{shown}</span>
    </CopyButton>
  );
  return [name, button];
}

function tlsText({ smtps }: ServiceSettings, offer: SmtpOffer | null): string {
  const implicit = smtps ? `, or TLS from the start at port ${smtps.port}` : '';
  if (offer === null) return `off, or STARTTLS if the service has a certificate${implicit}`;
  if (!offer.startTls) return `off${implicit}`;
  return (offer.authWithoutTls ? 'STARTTLS, or off' : 'STARTTLS; off only without a user name') + implicit;
}

/** How the service uses TLS and AUTH; null until it answers. */
export function useSmtpOffer(): SmtpOffer | null {
  const [offer, setOffer] = useState<SmtpOffer | null>(null);
  useUntil([], (signal) => readSmtpOffer(signal).then(setOffer, () => {}));
  return offer;
}

function SendApiGuide({ inbox }: { inbox: string }) {
  const providers = Object.entries(useKnown().sendApis);
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
      {adHocOf(inbox) !== '' && (
        <>
          <p>Its API key, server token (Postmark) or access key ID (Amazon SES) chooses the workspace:</p>
          <Command label="Key for the provider's API" command={commandFor(inbox, (key) => key)} what="key" />
        </>
      )}
    </details>
  );
}
