/** Where the names of the inboxes that this browser opened last are kept, as a JSON array, the last one first. */
const INBOXES_KEY = 'mayfly-inboxes';

/** So many of them are offered. */
const MAX_INBOXES = 5;

/** Where the name that the start page made up is kept: in this tab, so that a reload makes no other. */
const MADE_KEY = 'mayfly-made';

/** Notes that an inbox was opened. */
export function rememberInbox(name: string): void {
  const others = rememberedInboxes().filter((other) => other !== name);
  write(() => localStorage.setItem(INBOXES_KEY, JSON.stringify([name, ...others].slice(0, MAX_INBOXES))));
}

/** The inboxes that this browser opened last, the last one first. */
export function rememberedInboxes(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(INBOXES_KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter((name) => typeof name === 'string').slice(0, MAX_INBOXES) : [];
  } catch {
    return [];
  }
}

export function forgetInboxes(): void {
  write(() => localStorage.removeItem(INBOXES_KEY));
}

/** The name that was made up in this tab, or null. */
export function madeName(): string | null {
  try {
    return sessionStorage.getItem(MADE_KEY);
  } catch {
    return null;
  }
}

export function rememberMade(name: string): void {
  write(() => sessionStorage.setItem(MADE_KEY, name));
}

/** A browser may keep nothing for a page, and then there is nothing to remember. */
function write(keep: () => void): void {
  try {
    keep();
  } catch {
    // Nothing depends on it.
  }
}
