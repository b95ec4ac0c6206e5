import { useRef, useState } from 'preact/hooks';
import { emailPath, pagePath, smtpServer } from '../service.js';
import type { KnownSettings } from '../settings.js';
import { CopyButton } from '../ui/copy.js';
import { Dialog } from '../ui/dialog.js';
import { Icon } from '../ui/icon.js';
import { Roving } from '../ui/roving.js';
import { SavedMessage } from '../ui/saved-file.js';
import { Scroll } from '../ui/scroll.js';
import { Visible } from '../ui/visible.js';
import { type InService, Unanswered, useAnswer } from './answer.js';
import { lineChanges } from './line-changes.js';
import { type Mail, subjectOf } from './mail.js';
import { resendCommand, testsFor } from './snippets.js';

interface MailActionsProps extends InService {
  readonly settings: KnownSettings;
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
  const commands = {
    ...testsFor(mail, inbox, needsKey),
    'Send it again': resendCommand(
      mail,
      `${location.origin}${emailPath(inbox, mail.key)}/raw`,
      smtpServer(settings),
      needsKey,
    ),
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
        <SavedMessage {...{ service, inbox }} mail={mail.key}>
          Save as fixture (.eml) <Icon name="download" />
        </SavedMessage>
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

/** How the text of an email differs from that of an earlier one. */
function Comparison({ service, inbox, mail, before }: InService & { before: Mail }) {
  const answer = useAnswer(async (signal) => {
    const texts = [before, mail].map(async ({ key }) => (await service.inbox(inbox).parts(key, signal)).text ?? '');
    const [old = '', fresh = ''] = await Promise.all(texts);
    return { lines: lineChanges(old, fresh) };
  });
  const { value } = answer;
  if (value === null) return <Unanswered answer={answer} />;
  if (value.lines === null) return <p class="hint">These emails differ in too many lines.</p>;
  const isSame = value.lines.every(({ sign }) => sign === ' ');
  return (
    <>
      <p class="hint">
        {isSame ? 'The text is that of ' : 'Compared with '}
        <Visible text={subjectOf(before)} />
      </p>
      <Scroll label="Changes of the text" class="changes">
        {value.lines.map(({ sign, text }, position) => (
          <p key={position} data-sign={sign}>
            {sign} <Visible text={text} />
          </p>
        ))}
      </Scroll>
    </>
  );
}
