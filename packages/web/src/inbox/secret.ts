import { isPrivateName } from 'mayfly-protocol/private-name';
import { useState } from 'preact/hooks';
import { keep, kept } from '../storage.js';

/** Before the name of the inbox: where its secret is kept, in this tab, until it is closed. */
const STORAGE_PREFIX = 'mayfly-secret ';

/** What a bearer credential may contain, as the service takes it. */
const SECRET = /^[\w.~+/-]{16,512}=*$/;

export function isSecret(text: string): boolean {
  return SECRET.test(text);
}

/** The secret of a private inbox, null without one, and how to change it. */
export function useSecret(name: string): [string | null, (secret: string) => void] {
  const [secret, setSecret] = useState(() => {
    if (!isPrivateName(name)) return null;
    return takenFromAddress(name) ?? kept('sessionStorage', STORAGE_PREFIX + name);
  });
  const change = (changed: string) => {
    keep('sessionStorage', STORAGE_PREFIX + name, changed);
    setSecret(changed);
  };
  return [secret, change];
}

/** The address must not go on showing the secret: a screenshot may be public. */
function takenFromAddress(name: string): string | null {
  const given = location.hash.slice(1);
  // A moment of a chosen email has colons.
  if (!isSecret(given)) return null;
  keep('sessionStorage', STORAGE_PREFIX + name, given);
  history.replaceState(null, '', location.pathname);
  return given;
}
