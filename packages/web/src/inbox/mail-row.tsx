import { wordsFor } from '../problem-words.js';
import { inboxApi, pagePath } from '../service.js';
import { toast } from '../ui/announce.js';
import { CopyButton } from '../ui/button.js';
import { Icon } from '../ui/icon.js';
import { age, exact, left, plural } from '../ui/time.js';
import { directionOf, Line, Visible } from '../ui/visible.js';
import { isPlain, OUTSIDE } from '../url.js';
import { isWeb, linkOf } from './found.js';
import { isText, type Mail, placeOf, senderOf, subjectOf } from './mail.js';

/** The height of a row in CSS pixels, as in the style sheet. */
export const ROW_PX = 56;

/** A row shows the time until its email expires only if less than this is left. */
const LAST_MINUTES_MS = 5 * 60_000;

/** The length at which summaries truncate texts. */
const MAX_TEXT_LENGTH = 200;

const LINK_TIMEOUT_MS = 10_000;

interface MailRowProps {
  readonly mail: Mail;
  /** Empty in all mail. */
  readonly inbox: string;
  readonly tabIndex: number;
  /** The server's time in milliseconds since the epoch. */
  readonly now: number;
  readonly retentionMs: number;
  /** Whether the recipient is not obvious. */
  readonly hasRecipient: boolean;
  /** The words of the search. */
  readonly words?: readonly string[];
  readonly isUnread?: boolean;
  readonly isShown?: boolean;
  /** Undefined if a click opens the email instead of selecting it. */
  readonly isTicked?: boolean | undefined;
  /** Opens the email, or selects it. */
  onOpen(way: 'keyboard' | 'pointer'): void;
}

/** An email in any list of emails. */
export function MailRow({ mail, inbox, tabIndex, now, retentionMs, hasRecipient, ...state }: MailRowProps) {
  const { key, text, to, receivedAt } = mail;
  const { words = [], isUnread = false, isShown = false, isTicked, onOpen } = state;
  const subject = subjectOf(mail);
  const shown = text.replace(/\s+/g, ' ') + (text.length >= MAX_TEXT_LENGTH ? '…' : '');
  const remainingMs = receivedAt + retentionMs - now;
  const isLeaving = remainingMs < LAST_MINUTES_MS;
  const place = placeOf(key, inbox);
  return (
    <>
      <a
        class="row-open"
        href={`${pagePath(place.inbox)}#${place.receivedAt}`}
        data-key={key}
        tabIndex={tabIndex}
        aria-current={isShown}
        {...(isTicked !== undefined && { role: 'checkbox', 'aria-checked': isTicked })}
        onClick={(event) => {
          if (isTicked === undefined && !isPlain(event)) return;
          event.preventDefault();
          // A click that the keyboard triggers has a `detail` of 0.
          onOpen(event.detail === 0 ? 'keyboard' : 'pointer');
        }}
        onKeyDown={(event) => {
          // A link does not react to the space bar, but a checkbox does.
          if (isTicked === undefined || event.key !== ' ') return;
          event.preventDefault();
          event.currentTarget.click();
        }}
      >
        <span class="row-who">
          {isUnread && <span class="unseen">New: </span>}
          <Line class="row-from text-15" text={senderOf(mail)} words={words} />
          {hasRecipient && <Line class="row-to soft text-13" text={to} words={words} />}
        </span>
        <span class="row-line cut soft text-13" dir={directionOf(subject)}>
          <span class="row-subject cut text-14">
            {isText(mail) && <Icon name="text" />}
            <Visible text={subject} words={words} />
          </span>{' '}
          {/* Not part of the name of the link: a screen reader would read up to 200 characters for each row. */}
          <Visible as="span" class="row-text cut" aria-hidden="true" text={shown} words={words} />
        </span>
        <time
          class={`row-time text-13 digits ${isLeaving ? 'row-left' : 'soft'}`}
          dateTime={place.receivedAt}
          title={exact(receivedAt)}
        >
          {isLeaving ? left(remainingMs) : age(now - receivedAt)}
        </time>
      </a>
      <RowFound {...{ mail, inbox }} />
    </>
  );
}

/**
 * The code of an email, its link, and whether it has attachments. A list has a single tab stop, so its buttons have
 * none: c copies the code, and o opens the link.
 */
function RowFound({ mail, inbox }: Pick<MailRowProps, 'mail' | 'inbox'>) {
  const { code, action, attachments } = mail;
  if (code === null && !action && attachments === 0) return null;
  return (
    <span class="row-found bar soft text-13 digits">
      {attachments > 0 && (
        <span class="row-sign" title={plural(attachments, 'attachment')}>
          <Icon name="clip" />
          <span class="unseen">{plural(attachments, 'attachment')}</span>
        </span>
      )}
      {code !== null && (
        <CopyButton class="chip row-code" text={code} what={`code ${code}`} tabIndex={-1}>
          {code}
        </CopyButton>
      )}
      {action && <RowLink {...{ mail, inbox }} />}
    </span>
  );
}

/** Opens the link of an email. Summaries contain magic links alone, so a click requests any other link. */
function RowLink({ mail, inbox }: Pick<MailRowProps, 'mail' | 'inbox'>) {
  const { magicLink, key } = mail;
  const name = (
    <>
      <span class="row-link-text">Open</span>
      <Icon name="open" />
    </>
  );
  const common = { class: 'chip row-link', tabIndex: -1, 'aria-label': 'Open the link' };
  if (magicLink !== null && isWeb(magicLink))
    return (
      <a {...common} {...OUTSIDE} href={magicLink} title={new URL(magicLink).host}>
        {name}
      </a>
    );
  const open = async () => {
    try {
      const place = placeOf(key, inbox);
      const parts = await inboxApi(place.inbox).parts(place.receivedAt, AbortSignal.timeout(LINK_TIMEOUT_MS));
      const link = linkOf(mail, parts);
      if (link === null || !isWeb(link)) return toast('This email has no link to open.');
      Object.assign(document.createElement('a'), { href: link, ...OUTSIDE }).click();
    } catch (error) {
      toast(wordsFor(error as Error));
    }
  };
  return (
    <button type="button" {...common} onClick={open}>
      {name}
    </button>
  );
}
