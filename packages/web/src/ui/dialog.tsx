import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Button } from './button.js';

/** A modal dialog, open while it is rendered. The browser keeps the focus inside until `onClose`, then restores it. */
export function Dialog({ title, onClose, children }: { title: string; onClose(): void; children: ComponentChildren }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
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
