import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

interface RovingProps {
  readonly label: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

/** Controls that are one tab stop together: the arrow keys go from one to the next (ARIA Authoring Practices). */
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
    const by = STEPS[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const all = controls();
    const next = Math.min(Math.max(all.indexOf(document.activeElement as HTMLElement) + by, 0), all.length - 1);
    setAt(next);
    all[next]?.focus();
  };
  return (
    <div class={style} role="toolbar" aria-label={label} ref={bar} onKeyDown={step}>
      {children}
    </div>
  );
}
