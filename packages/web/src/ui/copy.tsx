import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { toast } from './announce.js';
import { Icon } from './icon.js';
import { later, useUntil } from './until.js';

/** How long a button says that it has copied. */
const COPIED_MS = 1_500;

interface CopyButtonProps {
  /** What goes into the clipboard. */
  readonly text: string;
  /** What that is, as in "Copy code". */
  readonly what: string;
  readonly class?: string;
  readonly tabIndex?: number;
  /** Stands beside the picture; the words when left out. */
  readonly children?: ComponentChildren;
}

/** A button that copies a text with one click. */
export function CopyButton({ text, what, class: style = 'button', tabIndex, children }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false);
  useUntil([isCopied], (signal) => isCopied && later(COPIED_MS, signal, () => setCopied(false)));
  const copy = () => copyAloud(text, what).then(setCopied);
  return (
    <button
      type="button"
      class={style}
      data-copied={isCopied}
      aria-label={`${isCopied ? 'Copied' : 'Copy'} ${what}`}
      onClick={copy}
      tabIndex={tabIndex ?? 0}
    >
      {children ?? (isCopied ? 'Copied' : 'Copy')}
      <Icon name={isCopied ? 'check' : 'copy'} />
    </button>
  );
}

/** Copies a text, says so, and resolves to whether it worked. */
function copyAloud(text: string, what: string): Promise<boolean> {
  return copyText(text).then(
    () => {
      toast(`Copied ${what}.`);
      return true;
    },
    (error: Error) => {
      toast(error.message);
      return false;
    },
  );
}

/** Puts a text into the clipboard. Rejects when the browser does not let it. */
async function copyText(text: string): Promise<void> {
  // Browsers have no clipboard for pages that come over plain HTTP from another machine.
  if (isSecureContext) return navigator.clipboard.writeText(text);
  const field = document.createElement('textarea');
  field.value = text;
  field.setAttribute('readonly', '');
  field.className = 'unseen';
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (!isCopied) throw new Error('The browser does not let this page use the clipboard.');
}
