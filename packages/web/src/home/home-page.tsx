import { MayflyResponseError, type ServiceSettings } from 'mayfly-client';
import { useMemo, useState } from 'preact/hooks';
import { useApiKey } from '../api-key.js';
import { wordsFor } from '../problem-words.js';
import { addressOf, inboxAt, inboxNamed, pagePath, recipientsOf, Service, smtpHost } from '../service.js';
import { type KnownSettings, useSettings } from '../settings.js';
import { forgetInboxes, keep, kept, rememberedInboxes } from '../storage.js';
import { CopyButton } from '../ui/copy.js';
import { ApiKeyForm, Field } from '../ui/field.js';
import { Icon, Mark, Waiting } from '../ui/icon.js';
import { LaterMail } from '../ui/later.js';
import { SmtpGuide } from '../ui/smtp-guide.js';
import { span } from '../ui/time.js';

/** Where the name that the page made up is kept: in this tab, so that a reload makes no other. */
const MADE_KEY = 'mayfly-made';

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
  keep('sessionStorage', MADE_KEY, name);
  return name;
}

/** The name that was made up before a reload, unless the storage holds something else by now. */
function keptName(): string | null {
  const made = kept('sessionStorage', MADE_KEY);
  try {
    return made === null ? null : inboxNamed(made);
  } catch {
    return null;
  }
}

interface AllMailCardProps {
  readonly service: Service;
  readonly settings: KnownSettings;
  /** Whether it is the mail of a workspace alone. */
  readonly isOfTeam: boolean;
}

/** All mail on the start page: an application's first email shows up without anybody knowing a name. */
function AllMailCard({ service, settings, isOfTeam }: AllMailCardProps) {
  return (
    <section class="card" aria-labelledby="all-title">
      <div class="card-head">
        <h2 id="all-title">{isOfTeam ? 'All mail of your workspace' : 'All mail'}</h2>
        <a href="/all">Open the whole list</a>
      </div>
      <LaterMail service={service} settings={settings}>
        <div class="all-empty">
          <Waiting />
          <p>
            In your application, set the SMTP host to <code>{smtpHost(settings)}</code> and the port to{' '}
            <code>{settings.smtp.port}</code>, and send an email to {recipientsOf(settings)}. It shows up here.
          </p>
        </div>
      </LaterMail>
    </section>
  );
}

/** The inboxes that this browser opened last. */
function RecentInboxes() {
  const [names, setNames] = useState(rememberedInboxes);
  if (names.length === 0) return null;
  const forget = () => {
    forgetInboxes();
    setNames([]);
  };
  return (
    <section class="card" aria-labelledby="recent-title">
      <h2 id="recent-title">Your last inboxes</h2>
      <ul class="recent">
        {names.map((name) => (
          <li key={name}>
            <a href={pagePath(name)}>{name}</a>
          </li>
        ))}
      </ul>
      <p class="actions">
        <button type="button" class="button button-quiet" onClick={forget}>
          Forget these
        </button>
        <span class="hint">Stored only in this browser.</span>
      </p>
    </section>
  );
}

/** Opens the inbox of a typed name or address. */
function OwnName({ settings }: { settings: ServiceSettings | null }) {
  const [problem, setProblem] = useState('');
  const open = (written: string) => {
    try {
      const inbox = inboxNamed(written);
      location.assign(pagePath(settings === null ? inbox : inboxAt(inbox, settings)));
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  return (
    <Field
      label="Or choose a name or an address"
      placeholder="signup-test"
      action="Open"
      problem={problem}
      onEnter={open}
    />
  );
}

type State = 'asking' | 'sending' | 'invalid' | 'too many' | 'away';

const PROBLEMS: Partial<Record<State, string>> = {
  invalid: 'That does not look like an email address.',
  'too many': 'Too many attempts from your address. Please wait a minute.',
  away: 'Mayfly could not be reached. Please try again in a moment.',
};

const STATE_OF_STATUS: Readonly<Record<number, State>> = { 400: 'invalid', 429: 'too many' };

/** Puts an address on the waitlist for Workspaces. */
function WaitlistForm({ service }: { service: Service }) {
  const [joined, setJoined] = useState<string | null>(null);
  const [state, setState] = useState<State>('asking');
  const join = (email: string) => {
    setState('sending');
    service.joinWaitlist(email).then(
      () => setJoined(email),
      (error: Error) =>
        setState((error instanceof MayflyResponseError ? STATE_OF_STATUS[error.status] : undefined) ?? 'away'),
    );
  };
  if (joined !== null) {
    return (
      <p class="success" role="status">
        {joined} is on the waitlist. We will write once, when Workspaces launch.
      </p>
    );
  }
  return (
    <Field
      label="Notify me when Workspaces launch"
      type="email"
      autocomplete="email"
      placeholder="you@example.com"
      action="Join the waitlist"
      disabled={state === 'sending'}
      isInvalid={state === 'invalid'}
      problem={PROBLEMS[state] ?? ''}
      onEnter={join}
    />
  );
}
