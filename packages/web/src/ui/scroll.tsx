import type { ComponentChildren } from 'preact';

interface ScrollProps {
  /** Names its content for screen readers. */
  readonly label: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** A part of the page that scrolls by itself, also by the keyboard: there the arrow keys are its own. */
export function Scroll({ label, class: style = '', children }: ScrollProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it, those who have no mouse cannot scroll it in every browser.
    <section class={`scroll ${style}`} aria-label={label} data-scrolls tabIndex={0}>
      {children}
    </section>
  );
}
