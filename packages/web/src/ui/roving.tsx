import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

interface RovingProps {
  readonly label: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/**
 * The position that a key of a toolbar or a tab list leads to (ARIA Authoring Practices); null for any other key, which
 * keeps its meaning.
 */
export function stepped(event: KeyboardEvent, at: number, count: number): number | null {
  const positions: Readonly<Record<string, number>> = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: count };
  const to = positions[event.key];
  if (to === undefined) return null;
  event.preventDefault();
  return Math.min(Math.max(to, 0), count - 1);
}

/** Controls with one tab stop. */
export function Roving({ label, class: style = '', children }: RovingProps) {
  const bar = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState(0);
  const controls = () => [...(bar.current?.querySelectorAll<HTMLElement>('a, button') ?? [])];
  useLayoutEffect(() => {
    const all = controls();
    const stop = Math.min(at, all.length - 1);
    for (const [position, control] of all.entries()) control.tabIndex = position === stop ? 0 : -1;
  });
  const step = (event: KeyboardEvent) => {
    const all = controls();
    const next = stepped(event, all.indexOf(document.activeElement as HTMLElement), all.length);
    if (next === null) return;
    setAt(next);
    all[next]?.focus();
  };
  return (
    <div class={style} role="toolbar" aria-label={label} ref={bar} onKeyDown={step}>
      {children}
    </div>
  );
}
