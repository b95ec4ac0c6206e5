import { useEffect, useRef } from 'preact/hooks';
import { RowList, reveal, useRowView, useSteadyRows } from '../ui/row-list.js';
import type { Mail } from './mail.js';
import { MailRow } from './mail-row.js';

/** Height of a row, as in the style sheet, in CSS pixels. */
export const ROW_PX = 68;

interface MailListProps {
  readonly mails: readonly Mail[];
  readonly unread: ReadonlySet<string>;
  /** The key of the mail that is shown. */
  readonly shown: string | null;
  /** The key of the mail whose row has the tab stop of the list, and is there in any case. */
  readonly anchor: string | null;
  /** The keys of those that are ticked; null while a click opens a mail. */
  readonly ticked: ReadonlySet<string> | null;
  /** The server's time. */
  readonly now: number;
  readonly retentionMs: number;
  onChoose(mail: Mail, way: 'keyboard' | 'pointer'): void;
}

/** The mails of an inbox, newest first. */
export function MailList({ mails, unread, shown, anchor, ticked, now, retentionMs, onChoose }: MailListProps) {
  const list = useRef<HTMLDivElement>(null);
  const { steady, rest, release } = useSteadyRows(mails, shown === null ? undefined : Date.parse(shown));
  const anchorAt = steady.findIndex(({ key }) => key === anchor);
  const view = useRowView(list, steady.length, ROW_PX, anchorAt);
  useEffect(() => reveal(list.current, anchorAt, ROW_PX), [shown, anchorAt >= 0]);
  return (
    <RowList
      rows={steady}
      rowPx={ROW_PX}
      isTicking={ticked !== null}
      itemOf={({ key }) => ({ class: 'row', 'data-unread': unread.has(key) })}
      onPointerMove={rest}
      onPointerLeave={release}
      {...{ list, view }}
    >
      {(mail, tabIndex) => (
        <MailRow
          isShown={mail.key === shown}
          isUnread={unread.has(mail.key)}
          isTicked={ticked?.has(mail.key)}
          {...{ mail, tabIndex, now, retentionMs, onChoose }}
        />
      )}
    </RowList>
  );
}
