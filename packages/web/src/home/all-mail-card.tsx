import { LaterMail } from '../all/later-mail.js';
import { recipientsOf, type Service, smtpHost } from '../service.js';
import type { KnownSettings } from '../settings.js';
import { Waiting } from '../ui/waiting.js';

interface AllMailCardProps {
  readonly service: Service;
  readonly settings: KnownSettings;
  /** Whether it is the mail of a workspace alone. */
  readonly isOfTeam: boolean;
}

/** All mail on the start page: an application's first email shows up without anybody knowing a name. */
export function AllMailCard({ service, settings, isOfTeam }: AllMailCardProps) {
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
