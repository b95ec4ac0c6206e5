import { CopyButton } from '../ui/copy.js';
import { Icon } from '../ui/icon.js';
import { ago, exact, left, sizeText } from '../ui/time.js';
import { directionOf, Visible } from '../ui/visible.js';
import { type Mail, senderOf, subjectOf } from './mail.js';

/** Below this it is worth saying how long an email is still there. */
const LAST_MINUTES_MS = 5 * 60_000;

/** A text of this length is the beginning of a longer one. */
const MAX_TEXT_LENGTH = 200;

interface MailRowProps {
  readonly mail: Mail;
  readonly isShown: boolean;
  readonly isUnread: boolean;
  /** Undefined where a click opens the mail. */
  readonly isTicked: boolean | undefined;
  readonly tabIndex: number;
  /** The server's time. */
  readonly now: number;
  readonly retentionMs: number;
  onChoose(mail: Mail, way: 'keyboard' | 'pointer'): void;
}

/** Two lines: who and when; what, with its code, link, attachments and size. */
export function MailRow(props: MailRowProps) {
  const { mail, isShown, isUnread, isTicked, tabIndex, now, retentionMs, onChoose } = props;
  const { text, receivedAt } = mail;
  const isCut = text.length >= MAX_TEXT_LENGTH;
  const remainingMs = receivedAt + retentionMs - now;
  return (
    <>
      <button
        type="button"
        class="row-open"
        aria-current={isShown}
        aria-pressed={isTicked}
        tabIndex={tabIndex}
        data-key={mail.key}
        // A click of the keyboard counts no clicks.
        onClick={({ detail }) => onChoose(mail, detail === 0 ? 'keyboard' : 'pointer')}
      >
        <span class="row-from" dir={directionOf(senderOf(mail))}>
          {isUnread && <span class="unseen">New: </span>}
          <Visible text={senderOf(mail)} />
        </span>
        <span class="row-time">
          {remainingMs < LAST_MINUTES_MS && <span class="row-left">{left(remainingMs)}</span>}
          <time dateTime={mail.key} title={exact(receivedAt)}>
            {ago(now - receivedAt)}
          </time>
        </span>
        <span class="row-line" dir={directionOf(subjectOf(mail))}>
          <span class="row-subject">
            <Visible text={subjectOf(mail)} />
          </span>{' '}
          <span class="row-text">
            <Visible text={text.replace(/\s+/g, ' ') + (isCut ? '…' : '')} />
          </span>
        </span>
      </button>
      {/* The list is one tab stop: the key c copies the code. */}
      <RowFound mail={mail} tabIndex={-1} />
    </>
  );
}

/** What was found in an email, how many attachments it has, and its size. */
export function RowFound({ mail: { code, action, attachments, size }, tabIndex }: { mail: Mail; tabIndex: number }) {
  return (
    <p class="row-found">
      {code !== null && (
        <CopyButton class="chip" text={code} what={`code ${code}`} tabIndex={tabIndex}>
          {code}
        </CopyButton>
      )}
      {action && <Sign icon="link" text="Link" />}
      {attachments > 0 && <Sign icon="clip" text={attachments === 1 ? '1 attachment' : `${attachments} attachments`} />}
      <span class="row-size">{sizeText(size)}</span>
    </p>
  );
}

export function Sign({ icon, text }: { icon: 'link' | 'clip'; text: string }) {
  return (
    <span class="row-sign" title={text}>
      <Icon name={icon} />
      <span class="unseen">{text}</span>
    </span>
  );
}
