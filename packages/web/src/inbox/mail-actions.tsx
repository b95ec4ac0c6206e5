import { useState } from 'preact/hooks';
import { commandsOf } from '../commands.js';
import { secretOf } from '../credentials.js';
import { pagePath } from '../service.js';
import { useKnown } from '../settings.js';
import { Button, CopyButton } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { Icon } from '../ui/icon.js';
import { SavedMessage } from '../ui/saved-file.js';
import { Command } from '../ui/scroll.js';
import { useSmtpOffer } from '../ui/smtp-guide.js';
import { Roving } from '../ui/tabs.js';
import { useMail } from './answer.js';
import { Comparison } from './comparison.js';
import type { Mail } from './mail.js';

export function MailActions() {
  const { remove } = useMail();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Roving class="bar gap-0" label="Actions">
        <Button
          class="button-quiet button-small"
          icon="more"
          text="Use"
          aria-label="Use this email in a test"
          onClick={() => setOpen(true)}
        />
        <Button
          class="button-quiet button-small"
          icon="trash"
          text="Delete"
          aria-label="Delete this email"
          onClick={remove}
        />
      </Roving>
      {isOpen && (
        <Dialog title="Use this email" onClose={() => setOpen(false)}>
          <Uses />
        </Dialog>
      )}
    </>
  );
}

export function Uses() {
  const { inbox, mail, before } = useMail();
  const [isCompared, setCompared] = useState(false);
  const secret = secretOf(inbox) ?? '';
  const commands = commandsOf(mail, inbox, { settings: useKnown(), offer: useSmtpOffer() });
  return (
    <div class="uses stack gap-12">
      {Object.entries(commands).map(([name, command]) => (
        <section key={name}>
          <h3 class="text-14">{name}</h3>
          <Command label={name} command={command} />
        </section>
      ))}
      <p class="flow">
        <CopyButton
          text={`${location.origin}${pagePath(inbox)}#${mail.key}${secret && `&${secret}`}`}
          what={`link to this email${secret && ', with the secret of the inbox'}`}
        >
          Copy link to this email{secret && ', with its secret'}
        </CopyButton>
        <SavedMessage inbox={inbox} mail={mail.key}>
          Save as fixture (.eml) <Icon name="download" />
        </SavedMessage>
        {before !== null && (
          <Button
            text="Compare with the previous email"
            aria-expanded={isCompared}
            onClick={() => setCompared(!isCompared)}
          />
        )}
      </p>
      {before !== null && isCompared && <Comparison mails={[before, mail]} inbox={inbox} />}
    </div>
  );
}

/** Compares two emails of a list. Shown only if exactly two are selected. */
export function CompareButton({ inbox, mails }: { inbox: string; mails: readonly Mail[] }) {
  const [compared, compare] = useState<readonly Mail[] | null>(null);
  return (
    <>
      {mails.length === 2 && <Button class="button-quiet" text="Compare" onClick={() => compare(mails.toReversed())} />}
      {compared && (
        <Dialog title="Compare two emails" onClose={() => compare(null)}>
          <Comparison mails={compared} inbox={inbox} />
        </Dialog>
      )}
    </>
  );
}
