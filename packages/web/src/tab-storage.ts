/**
 * What this tab keeps until it is closed. A browser may keep nothing for a page, as with all cookies blocked: then it
 * is lost with a reload, and the page works without.
 */
export function keptInTab(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Keeps a text until the tab is closed, or nothing more where it is empty. */
export function keepInTab(key: string, text: string): void {
  try {
    if (text === '') sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, text);
  } catch {
    // The page goes on with what it knows.
  }
}
