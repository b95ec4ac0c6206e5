import type { ComponentChildren } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { useApiKey } from '../api-key.js';
import { wordsFor } from '../problem-words.js';
import { addressOf, recipientsOf, Service } from '../service.js';
import { useSettings } from '../settings.js';
import { HomeLink, Waiting } from '../ui/icon.js';
import { LaterMail } from '../ui/later.js';
import { SmtpGuide } from '../ui/smtp-guide.js';

/** `/all`: the mail of all inboxes; `lost` is shown where it may not be listed. */
export function AllPage({ lost }: { lost: ComponentChildren }) {
  const [apiKey] = useApiKey();
  const service = useMemo(() => new Service(apiKey), [apiKey]);
  const { settings, error } = useSettings(service);
  useEffect(() => {
    document.title = 'All mail – Mayfly';
  }, []);
  if (settings === null) return <p class="wait">{error === null ? 'Opening…' : `${wordsFor(error)} Trying again…`}</p>;
  if (!settings.allMail && apiKey === '') return <>{lost}</>;
  return (
    <div class="inbox">
      <header class="toolbar">
        <HomeLink />
        <h1 class="toolbar-title">All mail</h1>
      </header>
      <main class="all-page">
        <LaterMail service={service} settings={settings} refused={lost}>
          <div class="notice">
            <Waiting />
            <h2 class="title">Waiting for mail</h2>
            <p>Send an email to {recipientsOf(settings)}. It shows up here.</p>
            <SmtpGuide address={addressOf('demo', settings)} settings={settings} />
          </div>
        </LaterMail>
        <p class="keys">
          <kbd>↑</kbd> <kbd>↓</kbd> choose · <kbd>Enter</kbd> open · <kbd>c</kbd> copy code · <kbd>/</kbd> search
        </p>
      </main>
    </div>
  );
}
