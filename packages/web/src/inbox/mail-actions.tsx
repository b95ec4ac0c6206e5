import { useRef, useState } from 'preact/hooks';
import { emailPath, pagePath, type Service, smtpServer } from '../service.js';
import type { KnownSettings } from '../settings.js';
import { CopyButton } from '../ui/copy.js';
import { Dialog } from '../ui/dialog.js';
import { Icon } from '../ui/icon.js';
import { Roving } from '../ui/roving.js';
import { SavedFile } from '../ui/saved-file.js';
import { Scroll } from '../ui/scroll.js';
import { Comparison } from './comparison.js';
import type { Mail } from './mail.js';
import { resendCommand, testsFor } from './snippets.js';

interface MailActionsProps {
  readonly service: Service;
  readonly settings: KnownSettings;
  readonly inbox: string;
  readonly mail: Mail;
  /** The email before it, which it can be compared with. */
  readonly before: Mail | null;
  onDelete(): void;
}

/** What can be done with an email as a whole. */
export function MailActions(props: MailActionsProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isOpen, setOpen] = useState(false);
  const open = () => {
    setOpen(true);
    dialog.current?.showModal();
  };
  return (
    <>
      <Roving class="mail-actions" label="Actions">
        <button type="button" class="button button-quiet" aria-label="Use this email in a test" onClick={open}>
          <Icon name="more" /> <span>Use</span>
        </button>
        <button type="button" class="button button-quiet" aria-label="Delete this email" onClick={props.onDelete}>
          <Icon name="trash" /> <span>Delete</span>
        </button>
      </Roving>
      <Dialog dialog={dialog} title="Use this email" closing="Close">
        {isOpen && <Uses {...props} />}
      </Dialog>
    </>
  );
}

function Uses({ service, settings, inbox, mail, before }: MailActionsProps) {
  const [isCompared, setCompared] = useState(false);
  const needsKey = service.key !== null;
  const raw = `${emailPath(inbox, mail.key)}/raw`;
  const commands = {
    ...testsFor(mail, inbox, needsKey),
    'Send it again': resendCommand(mail, location.origin + raw, smtpServer(settings), needsKey),
  };
  return (
    <div class="uses">
      {Object.entries(commands).map(([name, command]) => (
        <section key={name}>
          <h3>{name}</h3>
          <div class="command">
            <Scroll label={name}>
              <code>{command}</code>
            </Scroll>
            <CopyButton text={command} what={name} />
          </div>
        </section>
      ))}
      <p class="actions">
        <CopyButton text={`${location.origin}${pagePath(inbox)}#${mail.key}`} what="link to this email">
          Copy link to this email
        </CopyButton>
        <SavedFile
          href={raw}
          name={`${inbox}.eml`}
          fetch={needsKey ? () => service.inbox(inbox).message(mail.key) : null}
        >
          Save as fixture (.eml) <Icon name="download" />
        </SavedFile>
        {before !== null && (
          <button type="button" class="button" aria-expanded={isCompared} onClick={() => setCompared(!isCompared)}>
            Compare with the one before
          </button>
        )}
      </p>
      {before !== null && isCompared && <Comparison {...{ service, inbox, mail, before }} />}
    </div>
  );
}
