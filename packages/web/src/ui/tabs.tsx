import type { ComponentChild } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ScrollProps } from './scroll.js';

interface RovingProps extends ScrollProps {
  readonly role?: 'toolbar' | 'tablist';
  /** The position of the control with the tab stop; by default, that of the last control that a key moved to. */
  readonly stop?: number;
  onMove?(position: number): void;
}

/** Controls that share one tab stop. Arrow keys, Home and End move between them (ARIA Authoring Practices). */
export function Roving({ label, class: style = '', role = 'toolbar', stop, onMove, children }: RovingProps) {
  const bar = useRef<HTMLDivElement>(null);
  const [last, setLast] = useState(0);
  const controls = () => [...(bar.current?.querySelectorAll<HTMLElement>('a, button') ?? [])];
  useLayoutEffect(() => {
    const all = controls();
    const at = Math.min(stop ?? last, all.length - 1);
    for (const [position, control] of all.entries()) control.tabIndex = position === at ? 0 : -1;
  });
  const step = (event: KeyboardEvent) => {
    const all = controls();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const end = all.length - 1;
    const positions: Readonly<Record<string, number>> = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: end };
    const to = positions[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = Math.min(Math.max(to, 0), end);
    setLast(next);
    onMove?.(next);
    all[next]?.focus();
  };
  return (
    // biome-ignore lint/a11y: the role is one of two that allow a label and keys.
    <div class={style} role={role} aria-label={label} ref={bar} onKeyDown={step}>
      {children}
    </div>
  );
}

interface TabsProps {
  readonly label: string;
  /** Identifies what the tabs show. A change unloads the tabs that are not chosen. */
  readonly of: string;
  /** The content of each tab, by its name. */
  readonly tabs: Readonly<Record<string, ComponentChild>>;
  /** What a tab shows after its name, by that name. */
  readonly badges?: Readonly<Record<string, ComponentChild>>;
  readonly chosen: string;
  onChoose(name: string): void;
}

/** Tabs (ARIA Authoring Practices). A tab that was opened once stays loaded. */
export function Tabs({ label, of, tabs, badges, chosen, onChoose }: TabsProps) {
  const id = useId();
  const [last, setLast] = useState({ of, opened: [chosen] });
  const opened = last.of === of ? last.opened : [];
  if (!opened.includes(chosen)) setLast({ of, opened: [...opened, chosen] });
  const names = Object.keys(tabs);
  const stop = names.indexOf(chosen);
  useEffect(() => {
    document.getElementById(`${id}-tab-${stop}`)?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [stop]);
  return (
    <>
      <Roving class="tabs" role="tablist" label={label} stop={stop} onMove={(at) => onChoose(names[at] as string)}>
        {names.map((name, at) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-tab-${at}`}
            aria-selected={name === chosen}
            aria-controls={`${id}-panel-${at}`}
            onClick={() => onChoose(name)}
          >
            {name}
            {badges?.[name]}
          </button>
        ))}
      </Roving>
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
