import { Icon } from '../ui/icon.js';
import { span } from '../ui/time.js';
import type { Gone } from './use-opened.js';

interface GoneProps {
  readonly gone: Gone;
  readonly retentionMs: number;
  letGo(): void;
}

/** Says of an email on screen that it is not in its inbox any more. */
export function GoneNotice({ gone, retentionMs, letGo }: GoneProps) {
  return (
    <div class="gone" role="alert">
      <p>
        <strong>{gone === 'expired' ? 'This email has expired.' : 'This email was deleted.'}</strong>{' '}
        {reasonOf(gone, retentionMs)} What was loaded of it stays here until you leave it.
      </p>
      <button type="button" class="button" onClick={letGo}>
        Leave it
      </button>
    </div>
  );
}

/** What an address leads to that names an email which is not there. */
export function MissingMail({ gone, retentionMs, letGo }: GoneProps) {
  return (
    <article class="mail missing" aria-label="Email">
      <h2 class="title" tabIndex={-1}>
        This email is gone
      </h2>
      <p>
        {gone === 'expired'
          ? `It has expired: emails are deleted after ${span(retentionMs)}.`
          : 'It was deleted, or was never in this inbox.'}
      </p>
      <button type="button" class="button button-main" onClick={letGo}>
        <Icon name="back" /> Show the inbox
      </button>
    </article>
  );
}

function reasonOf(gone: Gone, retentionMs: number): string {
  return gone === 'expired' ? `Emails are deleted after ${span(retentionMs)}.` : '';
}
