import { addressOf } from '../service.js';
import type { KnownSettings } from '../settings.js';
import { type Gap, RowList } from '../ui/row-list.js';
import type { Mail } from './mail.js';
import { MailRow, ROW_PX } from './mail-row.js';

interface MailListProps {
  /** Empty for all mail. */
  readonly inbox: string;
  readonly settings: KnownSettings;
  readonly rows: readonly (Mail | Gap)[];
  readonly words: readonly string[];
  readonly isOld: boolean;
  /** The key of the row with the tab stop. */
  readonly anchor: string | null;
  readonly unread: ReadonlySet<string>;
  /** The key of the email on screen. */
  readonly shown: string | null;
  /** The keys of selected emails; null if a click opens an email instead of selecting it. */
  readonly ticked: ReadonlySet<string> | null;
  readonly now: number;
  onChoose(mail: Mail, way: 'keyboard' | 'pointer'): void;
  readonly onGap?: ((key: string) => void) | undefined;
}

export function MailList(props: MailListProps) {
  const { inbox, settings, rows, words, isOld, anchor, unread, shown, ticked, now, onChoose, onGap } = props;
  const address = addressOf(inbox, settings);
  const click = (mail: Mail, event: MouseEvent) => {
    const { detail, ctrlKey, metaKey, shiftKey, altKey } = event;
    // The browser opens the email in a new tab.
    if (ticked === null && (ctrlKey || metaKey || shiftKey || altKey)) return;
    event.preventDefault();
    // A click that the keyboard triggers has a `detail` of 0.
    onChoose(mail, detail === 0 ? 'keyboard' : 'pointer');
  };
  return (
    <RowList
      anchor={anchor}
      rows={rows}
      rowPx={ROW_PX}
      isTicking={ticked !== null}
      isOld={isOld}
      onGap={onGap}
      propsOf={({ key }) => ({ class: 'row', 'data-unread': unread.has(key) })}
    >
      {(mail, tabIndex) => (
        <MailRow
          hasRecipient={mail.to !== address && mail.to !== inbox}
          isUnread={unread.has(mail.key)}
          isShown={mail.key === shown}
          isTicked={ticked?.has(mail.key)}
          retentionMs={settings.retentionMs}
          onClick={(event) => click(mail, event)}
          {...{ mail, inbox, words, tabIndex, now }}
        />
      )}
    </RowList>
  );
}
