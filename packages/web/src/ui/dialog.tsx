import type { ComponentChildren, RefObject } from 'preact';
import { Button } from './button.js';

interface DialogProps {
  readonly dialog: RefObject<HTMLDialogElement | null>;
  readonly title: string;
  readonly closing?: string;
  readonly children: ComponentChildren;
}

/** A modal dialog, which `showModal` of the ref opens. The browser keeps the focus inside and returns it. */
export function Dialog({ dialog, title, closing = 'Cancel', children }: DialogProps) {
  return (
    <dialog ref={dialog} class="stack" aria-label={title}>
      <div class="bar spread">
        <h2>{title}</h2>
        <form method="dialog">
          <Button type="submit" class="button-quiet" text={closing} />
        </form>
      </div>
      {children}
    </dialog>
  );
}
