import { useEffect, useRef } from 'preact/hooks';
import { announce } from '../ui/announce.js';
import { Button } from '../ui/button.js';

export type Connection = 'connecting' | 'live' | 'away' | 'limited' | 'resting';

const TEXTS: Readonly<Record<Connection, string>> = {
  connecting: 'Opening',
  live: 'Live',
  away: 'Mayfly cannot be reached. Trying again…',
  limited: 'Too many requests from your address. Continuing in a moment…',
  resting: 'Paused until you come back',
};

/** Shows the state of the connection to the service. With `retry`, also shows a button to reconnect now. */
export function ConnectionState({ connection, retry }: { connection: Connection; retry?: () => void }) {
  const isTrouble = connection === 'away' || connection === 'limited';
  return (
    <span class="connection bar soft text-14" data-state={connection} data-trouble={isTrouble}>
      {TEXTS[connection]}
      {isTrouble && retry && <Button class="button-small" text="Try now" onClick={retry} />}
    </span>
  );
}

/** Announces when the service goes away, and when it is back. */
export function useConnectionNews(connection: Connection): void {
  const before = useRef(connection);
  useEffect(() => {
    const { current } = before;
    before.current = connection;
    if (connection === 'away' && current !== 'away') announce('Mayfly cannot be reached. Trying again.');
    if (connection === 'live' && current === 'away') announce('Mayfly is back.');
  }, [connection]);
}
