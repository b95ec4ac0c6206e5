import { useEffect, useState } from 'preact/hooks';

/** A `receivedAt` as the service writes it. */
const KEY = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/**
 * Which mail is chosen, by its key. It stands in the address behind `#`, so that it survives a reload, and that on a
 * phone "back" leads from the mail to the list.
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

/** What stands behind `#`, where that is a moment; it may come from any page. */
function read(): string | null {
  const written = location.hash.slice(1).replaceAll('%3A', ':');
  return KEY.test(written) && !Number.isNaN(Date.parse(written)) ? written : null;
}
