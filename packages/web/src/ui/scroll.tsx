import { type ComponentChildren, Fragment } from 'preact';
import { CopyButton } from './button.js';

export interface ScrollProps {
  readonly label: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** A region with its own scroll bar. When the region has the focus, the arrow keys scroll it. */
export function Scroll({ label, class: style = '', children }: ScrollProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: otherwise keyboard users cannot scroll it in some browsers.
    <section class={`scroll ${style}`} aria-label={label} data-scrolls tabIndex={0}>
      {children}
    </section>
  );
}

export function Command({ label, command, what = label }: { label: string; command: string; what?: string }) {
  return (
    <div class="command flow gap-12">
      <Scroll label={label}>
        <code>{command}</code>
      </Scroll>
      <CopyButton text={command} what={what} />
    </div>
  );
}

/** Names with their values, one pair on each line. */
export function Facts({ facts }: { facts: readonly (readonly [ComponentChildren, ComponentChildren, string?])[] }) {
  return (
    <dl class="facts">
      {facts.map(([name, value, style], position) => (
        <Fragment key={position}>
          <dt>{name}</dt>
          <dd class={style}>{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
