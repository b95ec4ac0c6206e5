import { MayflyResponseError, type ServiceSettings } from 'mayfly-client';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import { credentials } from '../credentials.js';
import { wordsFor } from '../problem-words.js';
import {
  addressOf,
  inboxAt,
  inboxNamed,
  joinWaitlist,
  newName,
  newPrivateName,
  pagePath,
  recipientsOf,
  smtpHost,
} from '../service.js';
import { useSettings } from '../settings.js';
import { forgetInboxes, keep, kept, MADE_KEY, rememberedInboxes } from '../storage.js';
import { Problem } from '../ui/announce.js';
import { Button, CopyButton } from '../ui/button.js';
import { ApiKeyForm, Field } from '../ui/field.js';
import { Mark, Waiting } from '../ui/icon.js';
import { LaterMail } from '../ui/later.js';
import { SmtpGuide } from '../ui/smtp-guide.js';
import { span } from '../ui/time.js';
import { Where } from '../ui/where.js';
import { useWindowPlace, visit } from '../url.js';

/** The page at `/` shows a new address, and how to use it. */
export function HomePage() {
  const { settings, error } = useSettings();
  const [name, setName] = useState(madeName);
  const address = settings === null ? name : addressOf(name, settings);
  useEffect(() => {
    document.title = 'Mayfly';
  }, []);
  useWindowPlace(settings !== null);
  return (
    <main class="home stack">
      <header class="flow">
        <Mark />
        <p class="home-name">Mayfly</p>
        <Where />
      </header>
      <h1>An inbox for every test.</h1>
      <ul class="stack gap-8 soft">
        <li>Make up any address. There is no signup and nothing to create.</li>
        <li>
          Mail sent to it shows up here within milliseconds, with its one-time code and magic link already extracted.
        </li>
        <li>It is deleted {settings === null ? 'automatically' : `after ${span(settings.retentionMs)}`}.</li>
      </ul>

      {settings !== null && (settings.allMail || credentials.key !== null) && (
        <Card
          title={settings.allMail ? 'All mail' : 'All mail of your workspace'}
          link={<a href="/all">Open the whole list</a>}
        >
          <LaterMail isCard settings={settings}>
            <div class="all-empty stack">
              <Waiting />
              <p>
                In your application, set the SMTP host to <code>{smtpHost(settings)}</code> and the port to{' '}
                <code>{settings.smtp.port}</code>, {credentials.adHoc !== '' && 'sign in as shown below, '}and send an
                email to {recipientsOf(settings)}. It shows up here.
              </p>
            </div>
          </LaterMail>
        </Card>
      )}

      <Card title="A new address">
        {error !== null && <Problem error={error} isPassing />}
        <CopyButton class="address address-large bar" text={address} what={`address ${address}`}>
          <span class="address-text">{address}</span>
        </CopyButton>
        <p class="flow">
          <a class="button button-main" href={`/inbox/${name}`}>
            Open its inbox
          </a>
          <Button icon="reload" text="New address" onClick={() => setName(makeName())} />
          <Button icon="key" text="New private address" onClick={() => visit(pagePath(newPrivateName()))} />
        </p>
        <OwnName settings={settings} />
        <details class="stack gap-12 text-15">
          <summary>I have an API key</summary>
          <ApiKeyForm />
        </details>
      </Card>

      <RecentInboxes />

      {settings !== null && (
        <Card title="Send it an email">
          <SmtpGuide inbox={name} settings={settings} />
        </Card>
      )}

      {settings?.waitlist && (
        <Card title="Workspaces">
          <p>Inbox names reserved for your team, protected by an API key, with a separate limit.</p>
          <WaitlistForm />
        </Card>
      )}
      <footer class="text-14">
        <a href="/openapi.json">The API as OpenAPI 3.1</a>
      </footer>
    </main>
  );
}

function Card({ title, link, children }: { title: string; link?: ComponentChildren; children: ComponentChildren }) {
  const id = useId();
  return (
    <section class="card boxed stack" aria-labelledby={id}>
      <div class="flow spread text-15">
        <h2 id={id}>{title}</h2>
        {link}
      </div>
      {children}
    </section>
  );
}

/** Makes a name that cannot be guessed, and keeps it for a reload. */
function makeName(): string {
  const name = newName();
  keep('sessionStorage', MADE_KEY, name);
  return name;
}

/** The name that was generated before a reload; without one, a new name. */
function madeName(): string {
  try {
    return inboxNamed(kept('sessionStorage', MADE_KEY) ?? '');
  } catch {
    return makeName();
  }
}

function RecentInboxes() {
  const [names, setNames] = useState(rememberedInboxes);
  if (names.length === 0) return null;
  const forget = () => {
    forgetInboxes();
    setNames([]);
  };
  return (
    <Card title="Your last inboxes">
      <ul class="stack gap-4 mono text-15">
        {names.map((name) => (
          <li key={name}>
            <a href={pagePath(name)}>{name}</a>
          </li>
        ))}
      </ul>
      <p class="flow">
        <Button class="button-quiet" text="Forget these" onClick={forget} />
        <span class="hint">Stored only in this browser.</span>
      </p>
    </Card>
  );
}

function OwnName({ settings }: { settings: ServiceSettings | null }) {
  const open = (written: string) => {
    const inbox = inboxNamed(written);
    visit(pagePath(settings === null ? inbox : inboxAt(inbox, settings)));
  };
  return <Field label="Or choose a name or an address" placeholder="signup-test" action="Open" onEnter={open} />;
}

function WaitlistForm() {
  const [joined, setJoined] = useState('');
  const join = async (email: string) => {
    try {
      await joinWaitlist(email);
      setJoined(email);
    } catch (error) {
      const isInvalid = error instanceof MayflyResponseError && error.status === 400;
      throw new Error(isInvalid ? 'That does not look like an email address.' : wordsFor(error as Error));
    }
  };
  if (joined !== '')
    return <p role="status">{joined} is on the waitlist. We will write once, when Workspaces launch.</p>;
  return (
    <Field
      label="Notify me when Workspaces launch"
      type="email"
      autocomplete="email"
      placeholder="you@example.com"
      action="Join the waitlist"
      onEnter={join}
    />
  );
}
