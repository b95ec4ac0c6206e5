import { useEffect, useState } from 'preact/hooks';

/**
 * Which mail is chosen, by its key. It stands in the address behind `#`, so that it survives a reload, and that on a phone
 * "back" leads from the mail to the list.
 */
export function useSelection(): [string | null, (key: string | null) => void] {
  const [chosen, setChosen] = useState(read);
  useEffect(() => {
    const look = () => setChosen(read());
    addEventListener('popstate', look);
    return () => removeEventListener('popstate', look);
  }, []);
  const choose = (key: string | null) => {
    const address = key === null ? location.pathname : `#${key}`;
    // Going from one mail to the next is no step that somebody wants to take back.
    if (chosen === null && key !== null) history.pushState(null, '', address);
    else history.replaceState(null, '', address);
    setChosen(key);
  };
  return [chosen, choose];
}

function read(): string | null {
  return location.hash === '' ? null : decodeURIComponent(location.hash.slice(1));
}
