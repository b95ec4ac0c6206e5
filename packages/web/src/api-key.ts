import { useState } from 'preact/hooks';
import { Service } from './service.js';
import { keepInTab, keptInTab } from './tab-storage.js';

/** Where the API key is kept: in this tab, until it is closed. */
const STORAGE_KEY = 'mayfly-api-key';

/** The API key of this tab, empty without one, and how to change it. */
export function useApiKey(): [string, (apiKey: string) => void] {
  const [apiKey, setApiKey] = useState(() => {
    const kept = keptInTab(STORAGE_KEY) ?? '';
    // What another version or another page of this address has kept must not keep this one from being shown.
    return isApiKey(kept) ? kept : '';
  });
  const keep = (changed: string) => {
    keepInTab(STORAGE_KEY, changed);
    setApiKey(changed);
  };
  return [apiKey, keep];
}

/** Whether a text can be an API key, or the pair of a space; an empty one stands for none. */
export function isApiKey(text: string): boolean {
  try {
    new Service(text);
    return true;
  } catch {
    return false;
  }
}
