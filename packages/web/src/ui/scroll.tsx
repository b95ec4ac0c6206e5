import { type ComponentChildren, Fragment } from 'preact';
import type { CommandText } from '../commands.js';
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

/** A command with its secrets masked. The button and a selection of the whole command copy them. */
export function Command({ label, command, what = label }: { label: string; command: CommandText; what?: string }) {
  const { shown, copied } = command;
  const unmask = (event: ClipboardEvent) => {
    if (getSelection()?.toString().trim() !== shown) return;
    event.clipboardData?.setData('text/plain', copied);
    event.preventDefault();
  };
  return (
    <div class="command flow gap-12">
      <Scroll label={label}>
        <code onCopy={unmask}>{shown}</code>
      </Scroll>
      <CopyButton text={copied} what={what} />
    </div>
  );
}

/** A name with its value, and perhaps the class of the value. */
export type Fact = readonly [ComponentChildren, ComponentChildren, string?];

/** Names with their values, one pair on each line. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
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
