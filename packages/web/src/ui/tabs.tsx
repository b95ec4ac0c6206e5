import type { ComponentChild } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { stepped } from './roving.js';

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
