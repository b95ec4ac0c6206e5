/** Where something is kept: in this tab, until it is closed, or in this browser. */
type Place = 'sessionStorage' | 'localStorage';

/** Where the names of the inboxes that this browser opened last are kept, as a JSON array, the last one first. */
const INBOXES_KEY = 'mayfly-inboxes';

/** So many of them are offered. */
const MAX_INBOXES = 5;

/** What is kept, or null. A browser may keep nothing for a page, as with all cookies blocked: the page works without. */
export function kept(place: Place, key: string): string | null {
  try {
    return window[place].getItem(key);
  } catch {
    return null;
  }
}

/** Keeps a text, or nothing more where it is empty. */
export function keep(place: Place, key: string, text: string): void {
  try {
    if (text === '') window[place].removeItem(key);
    else window[place].setItem(key, text);
  } catch {
    // The page goes on with what it knows.
  }
}

/** Notes that an inbox was opened. */
export function rememberInbox(name: string): void {
  const others = rememberedInboxes().filter((other) => other !== name);
  keep('localStorage', INBOXES_KEY, JSON.stringify([name, ...others].slice(0, MAX_INBOXES)));
}

/** The inboxes that this browser opened last, the last one first. */
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
