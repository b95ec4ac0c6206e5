import type { ComponentChildren, RefObject } from 'preact';

interface DialogProps {
  /** Its `showModal` opens the dialog; the browser keeps the focus inside and gives it back. */
  readonly dialog: RefObject<HTMLDialogElement | null>;
  readonly title: string;
  /** The text of the button that closes it; `Cancel` by default. */
  readonly closing?: string;
  readonly children: ComponentChildren;
}

/** A question in front of the page. */
export function Dialog({ dialog, title, closing = 'Cancel', children }: DialogProps) {
  return (
    <dialog ref={dialog} aria-label={title}>
      <div class="dialog-head">
        <h2>{title}</h2>
        <form method="dialog">
          <button type="submit" class="button button-quiet">
            {closing}
          </button>
        </form>
      </div>
      {children}
    </dialog>
  );
}
