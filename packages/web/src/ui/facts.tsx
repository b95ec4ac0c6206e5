import type { ComponentChildren } from 'preact';

/** Names beside what they name, each in a line. */
export function Facts({ facts }: { facts: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {facts.map(([name, value], position) => (
        <>
          <dt key={position}>{name}</dt>
          <dd>{value}</dd>
        </>
      ))}
    </dl>
  );
}
