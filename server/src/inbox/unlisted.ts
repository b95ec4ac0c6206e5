import { isPrivateName } from 'mayfly-client/private-name';
import { isHidden } from './held-back.js';

/** Whether a list of all inboxes leaves one out, for every caller: it holds mail back, or only a secret opens it. */
export function isUnlisted(inbox: string): boolean {
  return isHidden(inbox) || isPrivateName(inbox);
}
