import { CopyButton } from '../ui/copy.js';
import { Icon } from '../ui/icon.js';
import { sizeText } from '../ui/size.js';
import { ago, exact, left } from '../ui/time.js';
import { Visible } from '../ui/visible.js';
import { type Mail, senderOf, subjectOf } from './mail.js';

/** Below this it is worth saying how long an email is still there. */
const LAST_MINUTES_MS = 5 * 60_000;

interface MailRowProps {
  readonly mail: Mail;
  readonly isShown: boolean;
  readonly isUnread: boolean;
  /** The server's time. */
  readonly now: number;
  readonly retentionMs: number;
  onChoose(mail: Mail): void;
}

/** Two lines: who and when; what, with its code, link, attachments and size. */
export function MailRow({ mail, isShown, isUnread, now, retentionMs, onChoose }: MailRowProps) {
  const { text, receivedAt, otp, magicLink, attachments, size } = mail;
  const remainingMs = receivedAt + retentionMs - now;
  return (
    <>
      <button type="button" class="row-open" aria-current={isShown} data-key={mail.key} onClick={() => onChoose(mail)}>
        <span class="row-from">
          {isUnread && <span class="unseen">New: </span>}
          <Visible text={senderOf(mail)} />
        </span>
        <span class="row-time">
          {remainingMs < LAST_MINUTES_MS && <span class="row-left">{left(remainingMs)}</span>}
          <time dateTime={mail.key} title={exact(receivedAt)}>
            {ago(now - receivedAt)}
          </time>
        </span>
        <span class="row-line">
          <span class="row-subject">
            <Visible text={subjectOf(mail)} />
          </span>{' '}
          <span class="row-text">
            <Visible text={text.replace(/\s+/g, ' ')} />
          </span>
        </span>
      </button>
      <p class="row-found">
        {otp !== null && (
          <CopyButton class="chip" text={otp} what={`code ${otp}`}>
            {otp}
          </CopyButton>
        )}
        {(magicLink !== null || mail.cut.includes('magicLink')) && <Sign icon="link" text="Link" />}
        <Attached count={attachments} size={size} />
      </p>
    </>
  );
}

/** How many attachments an email has, and its size. */
export function Attached({ count, size }: { count: number; size: number }) {
  return (
    <>
      {count > 0 && <Sign icon="clip" text={count === 1 ? '1 attachment' : `${count} attachments`} />}
      <span class="row-size">{sizeText(size)}</span>
    </>
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
