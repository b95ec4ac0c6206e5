import type { ComponentChild } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ScrollProps } from './scroll.js';

/**
 * The position to which an arrow key, Home or End moves in a toolbar or a tab list (ARIA Authoring Practices). Prevents
 * the default action of these keys. Null for any other key.
 */
function stepped(event: KeyboardEvent, at: number, count: number): number | null {
  const positions: Readonly<Record<string, number>> = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: count };
  const to = positions[event.key];
  if (to === undefined) return null;
  event.preventDefault();
  return Math.min(Math.max(to, 0), count - 1);
}

/** Controls that share one tab stop. The arrow keys move between them. */
export function Roving({ label, class: style = '', children }: ScrollProps) {
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

interface TabsProps {
  readonly label: string;
  /** The content of each tab, by its name. */
  readonly tabs: Readonly<Record<string, ComponentChild>>;
  readonly chosen: string;
  onChoose(name: string): void;
}

/** Tabs (ARIA Authoring Practices). A tab that was opened once stays loaded. */
export function Tabs({ label, tabs, chosen, onChoose }: TabsProps) {
  const bar = useRef<HTMLDivElement>(null);
  const id = useId();
  const [opened, setOpened] = useState([chosen]);
  if (!opened.includes(chosen)) setOpened([...opened, chosen]);
  const names = Object.keys(tabs);
  useEffect(() => {
    bar.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [chosen]);
  const step = (event: KeyboardEvent) => {
    const at = stepped(event, names.indexOf(chosen), names.length);
    if (at === null) return;
    onChoose(names[at] as string);
    bar.current?.querySelectorAll('button')[at]?.focus();
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} ref={bar} onKeyDown={step}>
        {names.map((name, at) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-tab-${at}`}
            aria-selected={name === chosen}
            aria-controls={`${id}-panel-${at}`}
            tabIndex={name === chosen ? 0 : -1}
            onClick={() => onChoose(name)}
          >
            {name}
          </button>
        ))}
      </div>
      {names.map((name, at) => (
        <div
          key={name}
          class="panel column gap-8"
          role="tabpanel"
          id={`${id}-panel-${at}`}
          aria-labelledby={`${id}-tab-${at}`}
          hidden={name !== chosen}
        >
          {opened.includes(name) && tabs[name]}
        </div>
      ))}
    </>
  );
}
