import type { ComponentChild, ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { demoName } from '../service.js';
import { mayListAll, useSettings } from '../settings.js';
import { remembered } from '../storage.js';
import { useUrl } from '../url.js';
import { Button } from './button.js';
import { Dialog } from './dialog.js';
import { ApiKeyForm } from './field.js';
import { Inboxes, LastOpened, WaitlistForm } from './guide.js';
import { HomeLink, Icon, type IconName } from './icon.js';
import { SmtpGuide } from './smtp-guide.js';
import { Where } from './where.js';

/** An entry under "More", which opens a dialog with `content`, or acts. */
export interface Entry {
  readonly text: string;
  readonly icon: IconName;
  readonly content?: ComponentChild;
  act?(): void;
}

export interface ToolbarProps {
  /** Empty for all mail; undefined if the page shows neither an inbox nor all mail. */
  readonly inbox?: string | undefined;
  readonly title?: string;
  /** The first entries under "More". */
  readonly entries?: readonly Entry[];
  /** The delivery log. */
  readonly log?: ComponentChild;
  /** Where the user is. */
  readonly children?: ComponentChildren;
}

/** The bar above each page leads to all other pages. */
export function Toolbar({ inbox, title, entries = [], log, children }: ToolbarProps) {
  return (
    <header class="toolbar bar gap-12">
      <HomeLink />
      <nav class="bar gap-0" aria-label="Mayfly">
        {mayListAll() && (
          <a class="button button-quiet" href="/" aria-current={title === 'All mail' && 'page'}>
            All mail
          </a>
        )}
        <Menu text="Inboxes">
          <Inboxes />
        </Menu>
        {remembered('runs').length > 0 && (
          <Menu text="Runs">
            <LastOpened of="runs" />
          </Menu>
        )}
      </nav>
      {title && <h1 class="unseen">{title}</h1>}
      {children}
      <Where inbox={inbox} />
      <span class="toolbar-actions bar gap-0">
        {log}
        <More {...{ inbox, entries }} />
      </span>
    </header>
  );
}

/** The menu with what else there is, first `first`. */
export function More({ inbox = '', first = [], entries = [] }: MoreProps) {
  const { settings } = useSettings();
  const [opened, open] = useState<Entry | null>(null);
  const all: readonly (Entry | false | null | undefined)[] = [
    ...first,
    settings && { text: 'Send an email', icon: 'mail', content: <SmtpGuide inbox={inbox || demoName()} /> },
    { text: 'API key', icon: 'key', content: <ApiKeyForm /> },
    ...entries,
    settings?.waitlist && { text: 'Join the waitlist', icon: 'check', content: <WaitlistForm /> },
  ];
  return (
    <>
      <Menu text="More" icon="more">
        {all.map(
          (entry) =>
            entry && (
              <Button
                key={entry.text}
                class="button-quiet"
                icon={entry.icon}
                text={entry.text}
                onClick={({ currentTarget }) => {
                  // Gives the focus back to the menu's button, where a dialog leaves it when it closes.
                  currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();
                  if (entry.act) entry.act();
                  else open(entry);
                }}
              />
            ),
        )}
        <a class="button button-quiet" href="/openapi.json">
          <Icon name="file" />
          API as OpenAPI 3.1
        </a>
      </Menu>
      {opened && (
        <Dialog title={opened.text} onClose={() => open(null)}>
          {opened.content}
        </Dialog>
      )}
    </>
  );
}

interface MoreProps extends Pick<ToolbarProps, 'inbox' | 'entries'> {
  readonly first?: readonly Entry[];
}

interface MenuProps {
  readonly text: string;
  readonly icon?: IconName;
  readonly children: ComponentChildren;
}

/** A button that opens a panel. A dialog closes the panel, and so does another page or email. */
export function Menu({ text, icon, children }: MenuProps) {
  const id = useId();
  const panel = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const { path, fragment } = useUrl();
  useEffect(() => panel.current?.hidePopover(), [path, fragment]);
  return (
    <>
      <Button class="button-quiet" popovertarget={id} aria-label={text} {...{ icon, text }} />
      <div
        ref={panel}
        id={id}
        popover="auto"
        class={`menu boxed stack ${icon ? 'menu-entries' : ''}`}
        onBeforeToggle={({ newState }) => setOpen(newState === 'open')}
      >
        {isOpen && children}
      </div>
    </>
  );
}
