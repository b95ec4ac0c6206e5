import type { ComponentChildren } from 'preact';
import { CopyButton } from './copy.js';

interface ScrollProps {
  readonly label: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** A region with its own scroll bar, which the arrow keys scroll. */
export function Scroll({ label, class: style = '', children }: ScrollProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: otherwise keyboard users cannot scroll it in every browser.
    <section class={`scroll ${style}`} aria-label={label} data-scrolls tabIndex={0}>
      {children}
    </section>
  );
}

interface CommandProps {
  readonly label: string;
  readonly command: string;
  /** The text that the button copies; the label by default. */
  readonly what?: string;
}

/** A command with a button that copies it. */
export function Command({ label, command, what = label }: CommandProps) {
  return (
    <div class="command">
      <Scroll label={label}>
        <code>{command}</code>
      </Scroll>
      <CopyButton text={command} what={what} />
    </div>
  );
}
