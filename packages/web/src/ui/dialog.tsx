import type { ComponentChildren, RefObject } from 'preact';
import { Button } from './button.js';

interface DialogProps {
  readonly dialog: RefObject<HTMLDialogElement | null>;
  readonly title: string;
  readonly onClose?: () => void;
  readonly children: ComponentChildren;
}

/** A modal dialog. Open it with `showModal` of the ref. The browser keeps the focus inside until it is closed. */
export function Dialog({ dialog, title, onClose, children }: DialogProps) {
  return (
    <dialog ref={dialog} class="boxed stack" aria-label={title} onClose={onClose}>
      <div class="bar spread">
        <h2>{title}</h2>
        <form method="dialog">
          <Button type="submit" class="button-quiet" text="Close" />
        </form>
      </div>
      {children}
    </dialog>
  );
}
