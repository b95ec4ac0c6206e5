import { changeApiKey, forgetSecret, secretOf, workspaceName } from '../credentials.js';
import { toast } from './announce.js';
import { Icon } from './icon.js';

/** Names the private inbox, or else the workspace, whose mail the page shows, with a button to leave it. */
export function Where({ inbox = '' }: { inbox?: string }) {
  const workspace = workspaceName();
  const isPrivate = secretOf(inbox) !== null;
  if (!isPrivate && workspace === '') return null;
  const [name, text] = isPrivate ? ['the private inbox', 'Private inbox'] : [`workspace ${workspace}`, 'Workspace'];
  const leave = () => {
    if (isPrivate) forgetSecret(inbox);
    else changeApiKey('');
    toast(`Left ${name}.`);
  };
  return (
    <span class="where bar gap-4 text-14">
      <span class="cut">
        {text} {!isPrivate && <strong>{workspace}</strong>}
      </span>
      <button type="button" class="bar" aria-label={`Leave ${name}`} title={`Leave ${name}`} onClick={leave}>
        <Icon name="close" />
      </button>
    </span>
  );
}
