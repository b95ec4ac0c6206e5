import { useState } from 'preact/hooks';
import { keyOf } from '../service.js';
import { keep, kept } from '../storage.js';
import { toast } from '../ui/announce.js';
import { Switch } from '../ui/button.js';
import { writtenOut } from '../ui/visible.js';
import { type Mail, senderOf } from './mail.js';

/** All tabs of this browser share the choice. */
const KEY = 'mayfly-notifications';

const MAX_SENDER_CHARS = 100;

/** Chrome on Android has no notifications for pages, although it has their API. */
const MISSING = 'This browser shows no notifications for this page. Most browsers need HTTPS or localhost.';

/** Why the browser cannot show notifications; empty if it can. */
function obstacle(): string {
  if (!isSecureContext || !('Notification' in window)) return MISSING;
  return Notification.permission === 'denied' ? 'The browser blocks notifications. Allow them in its settings.' : '';
}

function areOn(): boolean {
  return obstacle() === '' && Notification.permission === 'granted' && kept('localStorage', KEY) !== null;
}

/** Lets the user turn notifications on. Only then asks the browser for permission. */
export function Notifications() {
  const [isOn, setOn] = useState(areOn());
  const [problem, setProblem] = useState(obstacle());
  const turn = async (isWanted: boolean) => {
    const isAllowed = isWanted && obstacle() === '' && (await Notification.requestPermission()) === 'granted';
    keep('localStorage', KEY, isAllowed ? 'on' : '');
    setOn(isAllowed);
    setProblem(obstacle());
  };
  return (
    <div class="stack">
      <p>
        While this tab is hidden, a notification announces new email. It shows the sender and the code, unless the email
        needs a key. Others may see it on a locked or shared screen.
      </p>
      <Switch label="Show notifications" isOn={isOn} onTurn={turn} />
      <p class="problem" role="alert">
        {problem}
      </p>
    </div>
  );
}

/** Notifies of new mail while the tab is hidden. A key stays in its tab, so nothing that it protects leaves the tab. */
export function notify(inbox: string, mail: Mail, count: number): void {
  if (!document.hidden || !areOn()) return;
  const code = mail.code === null ? '' : `, code ${mail.code}`;
  const body = keyOf(inbox) === null ? `${writtenOut(senderOf(mail).slice(0, MAX_SENDER_CHARS))}${code}` : '';
  try {
    // A notification with the same tag replaces the last one.
    const shown = new Notification(count === 1 ? 'New email' : `${count} new emails`, { body, tag: KEY });
    shown.onclick = () => {
      focus();
      shown.close();
    };
  } catch {
    toast(MISSING);
  }
}
