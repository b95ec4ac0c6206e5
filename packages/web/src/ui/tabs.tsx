import type { ComponentChild } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

interface TabsProps {
  readonly label: string;
  /** What each tab shows, by its name. */
  readonly tabs: Readonly<Record<string, ComponentChild>>;
  readonly chosen: string;
  onChoose(name: string): void;
}

/**
 * Tabs as in the ARIA Authoring Practices: the arrow keys go from one to the next. A tab that was opened once stays
 * loaded behind the others.
 */
export function Tabs({ label, tabs, chosen, onChoose }: TabsProps) {
  const bar = useRef<HTMLDivElement>(null);
  const [opened, setOpened] = useState([chosen]);
  if (!opened.includes(chosen)) setOpened([...opened, chosen]);
  const names = Object.keys(tabs);
  useEffect(() => {
    bar.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [chosen]);
  const step = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = {
      ArrowLeft: -1,
      ArrowRight: 1,
      Home: -names.length,
      End: names.length,
    };
    const by = steps[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const at = Math.min(Math.max(names.indexOf(chosen) + by, 0), names.length - 1);
    onChoose(names[at] as string);
    bar.current?.querySelectorAll('button')[at]?.focus();
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} ref={bar} onKeyDown={step}>
        {names.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={tabId(name)}
            aria-selected={name === chosen}
            aria-controls={panelId(name)}
            tabIndex={name === chosen ? 0 : -1}
            onClick={() => onChoose(name)}
          >
            {name}
          </button>
        ))}
      </div>
      {names.map((name) => (
        <div
          key={name}
          class="panel"
          role="tabpanel"
          id={panelId(name)}
          aria-labelledby={tabId(name)}
          hidden={name !== chosen}
        >
          {opened.includes(name) && tabs[name]}
        </div>
      ))}
    </>
  );
}

function tabId(name: string): string {
  return `tab-${slug(name)}`;
}

function panelId(name: string): string {
  return `panel-${slug(name)}`;
}

function slug(name: string): string {
  return name.toLowerCase().replace(/[^a-z]+/g, '-');
}
