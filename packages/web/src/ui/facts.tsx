import { type ComponentChildren, Fragment } from 'preact';

/** Names with their values, one pair on each line. */
export function Facts({ facts }: { facts: readonly (readonly [string, ComponentChildren, string?])[] }) {
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
