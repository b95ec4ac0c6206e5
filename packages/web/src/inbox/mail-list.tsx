import { CopyButton } from '../ui/button.js';
import { Icon } from '../ui/icon.js';
import { RowList } from '../ui/row-list.js';
import { ago, exact, left, plural, sizeText } from '../ui/time.js';
import { directionOf, Visible } from '../ui/visible.js';
import { type Mail, senderOf, subjectOf } from './mail.js';

/** The height of a row in CSS pixels, as in the style sheet. */
export const ROW_PX = 68;

/** A row shows the time until its email expires only if less than this is left. */
const LAST_MINUTES_MS = 5 * 60_000;

/** The length at which summaries truncate texts. */
const MAX_TEXT_LENGTH = 200;

interface RowsProps {
  readonly unread: ReadonlySet<string>;
  /** The key of the email on screen. */
  readonly shown: string | null;
  /** The keys of selected emails; null if a click opens an email instead of selecting it. */
  readonly ticked: ReadonlySet<string> | null;
  /** The server's time in milliseconds since the epoch. */
  readonly now: number;
  readonly retentionMs: number;
  onChoose(mail: Mail, way: 'keyboard' | 'pointer'): void;
}

export function MailList({ mails, anchor, ...props }: RowsProps & { mails: readonly Mail[]; anchor: string | null }) {
  return (
    <RowList
      anchor={anchor}
      rows={mails}
      rowPx={ROW_PX}
      isTicking={props.ticked !== null}
      propsOf={({ key }) => ({ class: 'row', 'data-unread': props.unread.has(key) })}
    >
      {(mail, tabIndex) => <MailRow {...{ mail, tabIndex, ...props }} />}
    </RowList>
  );
}

function MailRow(props: RowsProps & { mail: Mail; tabIndex: number }) {
  const { mail, unread, shown: onScreen, ticked, tabIndex, now, retentionMs, onChoose } = props;
  const { key, text, receivedAt } = mail;
  const [from, subject] = [senderOf(mail), subjectOf(mail)];
  const shown = text.replace(/\s+/g, ' ') + (text.length >= MAX_TEXT_LENGTH ? '…' : '');
  const remainingMs = receivedAt + retentionMs - now;
  return (
    <>
      <button
        type="button"
        class="row-open"
        aria-current={key === onScreen}
        aria-pressed={ticked?.has(key)}
        tabIndex={tabIndex}
        data-key={key}
        // A click that the keyboard triggers has a `detail` of 0.
        onClick={({ detail }) => onChoose(mail, detail === 0 ? 'keyboard' : 'pointer')}
      >
        <span class="row-from cut text-15" dir={directionOf(from)}>
          {unread.has(key) && <span class="unseen">New: </span>}
          <Visible text={from} />
        </span>
        <span class="row-time soft text-13 digits">
          {remainingMs < LAST_MINUTES_MS && <span class="row-left">{left(remainingMs)}</span>}
          <time dateTime={key} title={exact(receivedAt)}>
            {ago(now - receivedAt)}
          </time>
        </span>
        <span class="row-line cut soft text-13" dir={directionOf(subject)}>
          <Visible as="span" class="row-subject text-15" text={subject} />{' '}
          <Visible as="span" class="row-text" text={shown} />
        </span>
      </button>
      {/* The list has a single tab stop, so this button has none; the key c copies the code instead. */}
      <RowFound mail={mail} tabIndex={-1} />
    </>
  );
}

/** The code of an email, icons for its link and its attachments, and its size. */
export function RowFound({ mail: { code, action, attachments, size }, tabIndex }: { mail: Mail; tabIndex: number }) {
  return (
    <p class="row-found bar soft text-13 digits">
      {code !== null && (
        <CopyButton class="chip" text={code} what={`code ${code}`} tabIndex={tabIndex}>
          {code}
        </CopyButton>
      )}
      {action && <Sign icon="link" text="Link" />}
      {attachments > 0 && <Sign icon="clip" text={plural(attachments, 'attachment')} />}
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
