import { useState } from 'preact/hooks';
import { Service } from './service.js';
import { keep, kept } from './storage.js';

/** Where the API key is kept: in this tab, until it is closed. */
const STORAGE_KEY = 'mayfly-api-key';

/** The API key of this tab, empty without one, and how to change it. */
export function useApiKey(): [string, (apiKey: string) => void] {
  const [apiKey, setApiKey] = useState(() => {
    const written = kept('sessionStorage', STORAGE_KEY) ?? '';
    // What another version or another page of this address has kept must not keep this one from being shown.
    return isApiKey(written) ? written : '';
  });
  const change = (changed: string) => {
    keep('sessionStorage', STORAGE_KEY, changed);
    setApiKey(changed);
  };
  return [apiKey, change];
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
