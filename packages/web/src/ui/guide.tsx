import { MayflyResponseError } from 'mayfly-client';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { credentials, workspaceName } from '../credentials.js';
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
} from '../service.js';
import { mayListAll, useKnown, useSettings } from '../settings.js';
import { forget, keep, kept, MADE_KEY, type Remembered, remembered } from '../storage.js';
import { visit } from '../url.js';
import { Button, CopyButton } from './button.js';
import { ApiKeyForm, Field } from './field.js';
import { SmtpGuide } from './smtp-guide.js';
import { span } from './time.js';

/** A new address, and how to use it. Shown instead of an empty list of all mail. */
export function Guide() {
  const settings = useKnown();
  const [name] = useState(madeName);
  const address = addressOf(name, settings);
  return (
    <main class="start">
      <div class="start-cards stack">
        <h2>An inbox for every test.</h2>
        <ul class="stack gap-8 soft">
          <li>Make up any address. There is no signup and nothing to create.</li>
          <li>
            Mail sent to it shows up here within milliseconds, with its one-time code and magic link already extracted.
          </li>
          <li>It is deleted after {span(settings.retentionMs)}.</li>
        </ul>
        {mayListAll() && (
          <p>
            Waiting for mail to {recipientsOf(settings)}
            {credentials.adHoc !== '' && `, with the credentials of ${workspaceName()}`}.
          </p>
        )}
        <Card title="A new address">
          <CopyButton class="address address-large bar" text={address} what={`address ${address}`}>
            <span class="address-text">{address}</span>
          </CopyButton>
          <p>
            <a class="button button-main" href={pagePath(name)}>
              Open its inbox
            </a>
          </p>
        </Card>
        <Card title="Send it an email">
          <SmtpGuide inbox={name} />
        </Card>
        <Card title="Inboxes">
          <Inboxes />
          <details class="stack gap-12 text-15">
            <summary>I have an API key</summary>
            <ApiKeyForm />
          </details>
        </Card>
        {settings.waitlist && (
          <Card title="Workspaces">
            <p>Inbox names reserved for your team, protected by an API key, with a separate limit.</p>
            <WaitlistForm />
          </Card>
        )}
      </div>
    </main>
  );
}

function Card({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="card boxed stack" aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** Opens a new inbox, a chosen one, or one of the last. */
export function Inboxes() {
  const { settings } = useSettings();
  const open = (written: string) => {
    const inbox = inboxNamed(written);
    visit(pagePath(settings === null ? inbox : inboxAt(inbox, settings)));
  };
  return (
    <>
      <p class="flow">
        <Button icon="new" text="New address" onClick={() => visit(pagePath(makeName()))} />
        <Button icon="key" text="New private address" onClick={() => visit(pagePath(newPrivateName()))} />
      </p>
      <Field label="Or choose a name or an address" placeholder="signup-test" action="Open" onEnter={open} />
      <LastOpened of="inboxes" />
    </>
  );
}

/** What this browser opened last. */
export function LastOpened({ of }: { of: Remembered }) {
  const [names, setNames] = useState(() => remembered(of));
  if (names.length === 0) return null;
  return (
    <section class="stack gap-8" aria-label={`Your last ${of}`}>
      <h3 class="text-14 soft">Your last {of}</h3>
      <ul class="mono text-15">
        {names.map((name) => (
          <li key={name}>
            <a class="last-opened cut" href={of === 'runs' ? `/run/${name}` : pagePath(name)}>
              {name}
            </a>
          </li>
        ))}
      </ul>
      <p class="flow">
        <Button
          class="button-quiet button-small"
          text="Forget these"
          onClick={() => {
            forget(of);
            setNames([]);
          }}
        />
        <span class="hint">Stored only in this browser.</span>
      </p>
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

export function WaitlistForm() {
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
