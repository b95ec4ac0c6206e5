import { useMemo, useState } from 'preact/hooks';
import { useApiKey } from '../api-key.js';
import { wordsFor } from '../problem-words.js';
import { madeName, rememberMade } from '../remembered.js';
import { addressOf, inboxNamed, Service } from '../service.js';
import { useSettings } from '../settings.js';
import { CopyButton } from '../ui/copy.js';
import { ApiKeyForm } from '../ui/credential-form.js';
import { Icon, Mark } from '../ui/icon.js';
import { SmtpGuide } from '../ui/smtp-guide.js';
import { span } from '../ui/time.js';
import { AllMailCard } from './all-mail-card.js';
import { OwnName } from './own-name.js';
import { RecentInboxes } from './recent.js';
import { WaitlistForm } from './waitlist-form.js';

/** `/`: a new address at once, and what to do with it. */
export function HomePage() {
  const [apiKey, setApiKey] = useApiKey();
  const service = useMemo(() => new Service(apiKey), [apiKey]);
  const { settings, error } = useSettings(service);
  const [name, setName] = useState(() => keptName() ?? newName(service));
  const changeKey = (changed: string) => {
    setApiKey(changed);
    setName(newName(new Service(changed)));
  };
  const address = settings === null ? name : addressOf(name, settings);
  return (
    <main class="home">
      <header class="home-head">
        <Mark />
        <p class="home-name">Mayfly</p>
      </header>
      <h1>An inbox for every test.</h1>
      <ul class="lead">
        <li>Make up any address. There is no signup and nothing to create.</li>
        <li>
          Mail sent to it shows up here within milliseconds, with its one-time code and magic link already extracted.
        </li>
        <li>It is deleted {settings === null ? 'automatically' : `after ${span(settings.retentionMs)}`}.</li>
      </ul>

      {settings !== null && (settings.allMail || apiKey !== '') && (
        <AllMailCard service={service} settings={settings} isOfTeam={!settings.allMail} />
      )}

      <section class="card" aria-labelledby="address-title">
        <h2 id="address-title">A new address</h2>
        {error !== null && (
          <p class="problem" role="alert">
            {wordsFor(error)} Trying again…
          </p>
        )}
        <CopyButton class="address address-large" text={address} what={`address ${address}`}>
          <span class="address-text">{address}</span>
        </CopyButton>
        <p class="actions">
          <a class="button button-main" href={`/inbox/${name}`}>
            Open its inbox
          </a>
          <button type="button" class="button" onClick={() => setName(newName(service))}>
            New address <Icon name="reload" />
          </button>
        </p>
        <OwnName settings={settings} />
        <details>
          <summary>I have an API key</summary>
          <ApiKeyForm apiKey={apiKey} onApiKey={changeKey} />
        </details>
      </section>

      <RecentInboxes />

      {settings !== null && (
        <section class="card" aria-labelledby="smtp-title">
          <h2 id="smtp-title">Send it an email</h2>
          <SmtpGuide address={address} settings={settings} />
        </section>
      )}

      {settings?.waitlist && (
        <section class="card" aria-labelledby="workspace-title">
          <h2 id="workspace-title">Workspaces</h2>
          <p>Inbox names that belong to your team, behind an API key, with a limit of their own.</p>
          <WaitlistForm service={service} />
        </section>
      )}
      <footer class="home-foot">
        <a href="/openapi.json">The API as OpenAPI 3.1</a>
      </footer>
    </main>
  );
}

/** A name that cannot be guessed. A reload of the page makes no other. */
function newName(service: Service): string {
  const name = service.newName();
  rememberMade(name);
  return name;
}

/** The name that was made up before a reload, unless the storage holds something else by now. */
function keptName(): string | null {
  const kept = madeName();
  try {
    return kept === null ? null : inboxNamed(kept);
  } catch {
    return null;
  }
}
