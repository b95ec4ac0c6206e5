type Place = 'sessionStorage' | 'localStorage';

/** Storage key of the generated name, which stays the same when this tab is reloaded. */
export const MADE_KEY = 'mayfly-made';

const INBOXES_KEY = 'mayfly-inboxes';

const MAX_INBOXES = 5;

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

export function rememberInbox(name: string): void {
  const others = rememberedInboxes().filter((other) => other !== name);
  keep('localStorage', INBOXES_KEY, JSON.stringify([name, ...others].slice(0, MAX_INBOXES)));
}

/** The inboxes that this browser opened last, most recent first. */
export function rememberedInboxes(): string[] {
  try {
    const names: unknown = JSON.parse(kept('localStorage', INBOXES_KEY) ?? '[]');
    return Array.isArray(names) ? names.filter((name) => typeof name === 'string').slice(0, MAX_INBOXES) : [];
  } catch {
    return [];
  }
}

export function forgetInboxes(): void {
  keep('localStorage', INBOXES_KEY, '');
}
