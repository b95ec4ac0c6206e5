type Place = 'sessionStorage' | 'localStorage';

/** Storage key of the generated name, which stays the same when this tab is reloaded. */
export const MADE_KEY = 'mayfly-made';

/** What this browser opened last. */
export type Remembered = 'inboxes' | 'runs';

const MAX_REMEMBERED = 5;

/** A stored text, or null. Browsers that block cookies store nothing, but the page works without storage. */
export function kept(place: Place, key: string): string | null {
  try {
    return window[place].getItem(key);
  } catch {
    return null;
  }
}

/** Stores a text, or removes the stored text if the new text is empty. */
export function keep(place: Place, key: string, text: string): void {
  try {
    if (text === '') window[place].removeItem(key);
    else window[place].setItem(key, text);
  } catch {
    // A browser that blocks cookies stores nothing, as in `kept`.
  }
}

export function remember(kind: Remembered, name: string): void {
  const others = remembered(kind).filter((other) => other !== name);
  keep('localStorage', `mayfly-${kind}`, JSON.stringify([name, ...others].slice(0, MAX_REMEMBERED)));
}

/** Most recent first. */
export function remembered(kind: Remembered): string[] {
  try {
    const names: unknown = JSON.parse(kept('localStorage', `mayfly-${kind}`) ?? '[]');
    return Array.isArray(names) ? names.filter((name) => typeof name === 'string').slice(0, MAX_REMEMBERED) : [];
  } catch {
    return [];
  }
}

export function forget(kind: Remembered): void {
  keep('localStorage', `mayfly-${kind}`, '');
}
