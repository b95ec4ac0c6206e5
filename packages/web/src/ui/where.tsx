import { changeApiKey, credentials, forgetSecret, secretOf, workspaceName } from '../credentials.js';
import { privateUrl } from '../service.js';
import { useSettings } from '../settings.js';
import { toast } from './announce.js';
import { CopyButton } from './button.js';
import { Icon } from './icon.js';
import type { ToolbarProps } from './toolbar.js';

/** Names the private inbox, or else the workspace, whose mail or key the page uses, with a button to leave it. */
export function Where({ inbox }: Pick<ToolbarProps, 'inbox'>) {
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
