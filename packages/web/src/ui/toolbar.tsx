import type { ComponentChild, ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { changeApiKey, credentials, forgetSecret, secretOf, workspaceName } from '../credentials.js';
import { demoName, privateUrl } from '../service.js';
import { mayListAll, useSettings } from '../settings.js';
import { remembered } from '../storage.js';
import { useUrl } from '../url.js';
import { toast } from './announce.js';
import { Button, CopyButton } from './button.js';
import { Dialog } from './dialog.js';
import { ApiKeyForm } from './field.js';
import { Inboxes, LastOpened, WaitlistForm } from './guide.js';
import { HomeLink, Icon, type IconName } from './icon.js';
import { SmtpGuide } from './smtp-guide.js';

/** An entry under "More", which opens a dialog with `content`, or acts. */
export interface Entry {
  readonly text: string;
  readonly icon: IconName;
  readonly content?: ComponentChild;
  act?(): void;
}

interface ToolbarProps {
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
      <span class="toolbar-actions push bar gap-0">
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
                  // Returns the focus to the menu's button, where a dialog leaves it when it closes.
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

/** A button that opens a panel. A dialog closes the panel, and so does another page or email. */
export function Menu({ text, icon, children }: { text: string; icon?: IconName; children: ComponentChildren }) {
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

/** Names the private inbox, or else the workspace, whose mail or key the page uses, with a button to leave it. */
function Where({ inbox }: Pick<ToolbarProps, 'inbox'>) {
  const { settings } = useSettings();
  const workspace = workspaceName();
  // The key of a configured workspace also opens mail outside of the workspace.
  const isOutside = inbox === '' ? settings?.allMail === true : inbox?.startsWith(`${workspace}-`) !== true;
  const isPrivate = inbox !== undefined && secretOf(inbox) !== null;
  if (!isPrivate && workspace === '') return null;
  const name = isPrivate ? 'the private inbox' : `workspace ${workspace}`;
  const leave = () => {
    if (isPrivate) forgetSecret(inbox);
    else changeApiKey('');
    toast(`Left ${name}.`);
  };
  return (
    <span class="where bar gap-4 text-14">
      {isPrivate ? (
        <CopyButton class="bar gap-4" text={privateUrl(inbox)} what="link to the private inbox">
          Private inbox
        </CopyButton>
      ) : (
        <span class="cut">
          {isOutside && credentials.adHoc === '' ? 'Key of workspace' : 'Workspace'} <strong>{workspace}</strong>
        </span>
      )}
      <button type="button" class="bar" aria-label={`Leave ${name}`} title={`Leave ${name}`} onClick={leave}>
        <Icon name="close" />
      </button>
    </span>
  );
}
