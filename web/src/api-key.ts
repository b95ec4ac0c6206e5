import { useState } from 'preact/hooks';

/** Where the API key is kept: in this tab, until it is closed. */
const STORAGE_KEY = 'mayfly-api-key';

/** The API key of this tab, empty without one, and how to change it. */
export function useApiKey(): [string, (apiKey: string) => void] {
  const [apiKey, setApiKey] = useState(() => sessionStorage.getItem(STORAGE_KEY) ?? '');
  const keep = (changed: string) => {
    if (changed === '') sessionStorage.removeItem(STORAGE_KEY);
    else sessionStorage.setItem(STORAGE_KEY, changed);
    setApiKey(changed);
  };
  return [apiKey, keep];
}
