import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Mail } from '../inbox/mail.js';
import { Button } from '../ui/button.js';
import { useKeys } from '../ui/use-keys.js';
import { Visible } from '../ui/visible.js';
import { LogTable } from './log-table.js';
import { failureOf, type Log } from './use-log.js';
import { isFailed } from './words.js';

export interface LogProps {
  readonly log: Log;
  /** Address of the inbox; empty for all inboxes. */
  readonly address: string;
  /** The emails of the inbox, to link delivery attempts to them. */
  readonly mails: readonly Mail[];
}

/** A button that opens the delivery log. */
export function LogButton({ log: { open, known } }: Pick<LogProps, 'log'>) {
  const waiting = known?.waits.length ?? 0;
  const label = waiting === 0 ? 'Delivery log' : `Delivery log ${waiting} waiting`;
  return (
    <Button class="button-quiet" icon="log" text="Delivery log" aria-label={label} onClick={open}>
      {waiting > 0 && <span class="tag digits">{` ${waiting} waiting`}</span>}
    </Button>
  );
}

/** The drawer with the delivery log. */
export function DeliveryLog(props: LogProps) {
  const { isOpen, open, close } = props.log;
  const drawer = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    if (isOpen) drawer.current?.showModal();
    else drawer.current?.close();
  }, [isOpen]);
  useKeys({ l: open });
  // The event fires later. By then, the user may have gone back and opened the log again.
  const closed = () => isOpen && drawer.current?.open === false && close();
  return (
    <dialog ref={drawer} class="drawer" aria-labelledby="log-title" closedby="any" onClose={closed}>
      <div class="drawer-head bar gap-12">
        <h2 id="log-title">Delivery log</h2>
        <p class="drawer-of cut mono soft text-14">{props.address || 'all inboxes'}</p>
        <Button class="button-quiet" text="Close" onClick={() => close()} />
      </div>
      {isOpen && <LogTable {...props} />}
    </dialog>
  );
}

/** One line with the newest failure, which opens the delivery log. */
export function LastFailure({ log: { known, open } }: Pick<LogProps, 'log'>) {
  const failed = known?.attempts.filter(isFailed) ?? [];
  const [newest] = failed;
  if (newest === undefined) return null;
  return (
    <button type="button" class="last-failure bar text-14" onClick={open}>
      <span class="tag" data-tone="bad">
        {failed.length} failed
      </span>
      <Visible as="span" class="problem" text={failureOf(newest)} />
      <span class="last-failure-more">Show the log</span>
    </button>
  );
}
