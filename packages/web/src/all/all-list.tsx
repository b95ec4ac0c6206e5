import { useEffect, useRef, useState } from 'preact/hooks';
import { senderOf, subjectOf } from '../inbox/mail.js';
import { RowFound } from '../inbox/mail-row.js';
import { RowList, reveal, rowsPerPage, useRowView, useSteadyRows } from '../ui/row-list.js';
import { ago, exact } from '../ui/time.js';
import { useKeys } from '../ui/use-keys.js';
import { directionOf, Visible } from '../ui/visible.js';
import { hrefOf, type Row } from './rows.js';

/** Height of a row, as in the style sheet, in CSS pixels. */
const ROW_PX = 72;

/** So many rows from the end, what is older is listed. */
const READ_ON_ROWS = 200;

interface AllListProps {
  readonly rows: readonly Row[];
  /** The cursor of what is older; null if nothing is. */
  readonly next: string | null;
  /** The server's time. */
  readonly now: number;
  readOn(): void;
}

/** All mail, newest first. */
export function AllList({ rows, next, now, readOn }: AllListProps) {
  const list = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState<string | null>(null);
  const { steady, rest } = useSteadyRows(rows);
  const at = Math.max(
    0,
    steady.findIndex(({ key }) => key === current),
  );
  const view = useRowView(list, steady.length, ROW_PX, at);
  const isNearEnd = view.last >= steady.length - READ_ON_ROWS;
  useEffect(() => {
    if (isNearEnd) readOn();
  }, [isNearEnd, rows, next]);

  const go = (position: number) => {
    const row = steady[Math.min(Math.max(position, 0), steady.length - 1)];
    if (row === undefined) return;
    setCurrent(row.key);
    reveal(list.current, steady.indexOf(row), ROW_PX);
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>(`[data-key="${row.key}"]`)?.focus());
  };
  const page = () => rowsPerPage(list.current, ROW_PX);
  useKeys(
    {
      ArrowUp: () => go(at - 1),
      ArrowDown: () => go(at + 1),
      PageUp: () => go(at - page()),
      PageDown: () => go(at + page()),
      Home: () => go(0),
      End: () => go(steady.length - 1),
      c: () => list.current?.querySelector<HTMLElement>('[data-current=true] .chip')?.click(),
    },
    list,
  );
  return (
    <RowList
      rows={steady}
      rowPx={ROW_PX}
      itemOf={({ key }, isStop) => ({
        class: 'row all-row',
        'data-current': isStop,
        onFocusIn: () => setCurrent(key),
      })}
      onPointerMove={rest}
      {...{ list, view }}
    >
      {(row, tabIndex) => <AllRow {...{ row, now, tabIndex }} />}
    </RowList>
  );
}

interface AllRowProps {
  readonly row: Row;
  readonly now: number;
  readonly tabIndex: number;
}

function AllRow({ row, now, tabIndex }: AllRowProps) {
  const { key, to, text, receivedAt } = row;
  const [from, subject] = [senderOf(row), subjectOf(row)];
  return (
    <>
      <a class="row-open" href={hrefOf(row)} data-key={key} tabIndex={tabIndex}>
        <span class="all-to">
          <Visible text={to} />
        </span>
        <span class="all-from" dir={directionOf(from)}>
          <Visible text={from} />
        </span>
        <span class="all-subject" dir={directionOf(subject)}>
          <Visible text={subject} />
        </span>
        <span class="all-text" dir={directionOf(text)}>
          <Visible text={text.replace(/\s+/g, ' ')} />
        </span>
        <time class="row-time all-time" title={exact(receivedAt)}>
          {ago(now - receivedAt)}
        </time>
      </a>
      <RowFound mail={row} tabIndex={tabIndex} />
    </>
  );
}
