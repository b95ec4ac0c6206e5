import { useState } from 'preact/hooks';
import { focusedRow, focusRow } from '../inbox/focus.js';
import { senderOf, subjectOf } from '../inbox/mail.js';
import { RowFound } from '../inbox/mail-list.js';
import { listKeys, RowList } from '../ui/row-list.js';
import { ago, exact } from '../ui/time.js';
import { useKeys } from '../ui/use-keys.js';
import { Line } from '../ui/visible.js';
import { hrefOf, type Row } from './rows.js';

/** The height of a row, as in the style sheet. */
const ROW_PX = 72;

interface AllListProps {
  readonly rows: readonly Row[];
  /** The server's time. */
  readonly now: number;
  /** Lists older emails. */
  readOn(): void;
}

/** The list of all mail, newest first. */
export function AllList({ rows, now, readOn }: AllListProps) {
  const [current, setCurrent] = useState<string | null>(null);
  const go = (key: string) => {
    setCurrent(key);
    focusRow(key);
  };
  const copy = () => document.activeElement?.parentElement?.querySelector<HTMLElement>('.chip')?.click();
  useKeys({ ...listKeys(rows, focusedRow, ROW_PX, go), c: copy }, '.list');
  return (
    <RowList
      rows={rows}
      rowPx={ROW_PX}
      anchor={current}
      propsOf={({ key }) => ({ class: 'row all-row', onFocusIn: () => setCurrent(key) })}
      onNearEnd={readOn}
    >
      {(row, tabIndex) => <AllRow {...{ row, now, tabIndex }} />}
    </RowList>
  );
}

function AllRow({ row, now, tabIndex }: { row: Row; now: number; tabIndex: number }) {
  const { key, to, text, receivedAt } = row;
  return (
    <>
      <a class="row-open" href={hrefOf(row)} data-key={key} tabIndex={tabIndex}>
        <Line class="all-to" text={to} />
        <Line class="all-from soft text-13" text={senderOf(row)} />
        <Line class="all-subject text-15" text={subjectOf(row)} />
        <Line class="all-text soft text-13" text={text.replace(/\s+/g, ' ')} />
        <time class="row-time all-time soft text-13 digits" title={exact(receivedAt)}>
          {ago(now - receivedAt)}
        </time>
      </a>
      <RowFound mail={row} tabIndex={tabIndex} />
    </>
  );
}
