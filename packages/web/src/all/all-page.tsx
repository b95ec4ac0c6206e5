import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { credentials } from '../credentials.js';
import { wordsFor } from '../problem-words.js';
import { demoName, recipientsOf } from '../service.js';
import { useSettings } from '../settings.js';
import { HomeLink } from '../ui/icon.js';
import { LaterMail } from '../ui/later.js';
import { WaitingNotice } from '../ui/smtp-guide.js';
import { Where } from '../ui/where.js';

/** The page at `/all` shows the mail of all inboxes. `lost` is shown instead if the caller may not list all mail. */
export function AllPage({ lost }: { lost: ComponentChildren }) {
  const { settings, error } = useSettings();
  useEffect(() => {
    document.title = 'All mail – Mayfly';
  }, []);
  if (settings === null) return <p class="wait">{error === null ? 'Opening…' : `${wordsFor(error)} Trying again…`}</p>;
  if (!settings.allMail && credentials.key === null) return <>{lost}</>;
  return (
    <div class="inbox">
      <header class="toolbar bar gap-12">
        <HomeLink />
        <Where />
        <h1 class="text-15">All mail</h1>
      </header>
      <LaterMail settings={settings} refused={lost}>
        <WaitingNotice inbox={demoName()} settings={settings}>
          <p>Send an email to {recipientsOf(settings)}. It shows up here.</p>
        </WaitingNotice>
      </LaterMail>
    </div>
  );
}
