import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { credentials } from '../credentials.js';
import { DeliveryLog } from '../log/delivery-log.js';
import { useLog } from '../log/use-log.js';
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
  const mayList = settings !== null && (settings.allMail || credentials.key !== null);
  const log = useLog(mayList ? '' : null);
  if (settings === null) return <p class="wait">{error === null ? 'Opening…' : `${wordsFor(error)} Trying again…`}</p>;
  if (!mayList) return <>{lost}</>;
  return (
    <div class="inbox">
      <header class="toolbar bar gap-12">
        <HomeLink />
        <Where />
        <h1 class="text-15">All mail</h1>
        <span class="toolbar-actions bar gap-0">
          <DeliveryLog log={log} address="" mails={[]} />
        </span>
      </header>
      <LaterMail settings={settings} refused={lost}>
        <WaitingNotice inbox={demoName()} settings={settings}>
          <p>Send an email to {recipientsOf(settings)}. It shows up here.</p>
        </WaitingNotice>
      </LaterMail>
    </div>
  );
}
