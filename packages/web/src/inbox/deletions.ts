import { useEffect } from 'preact/hooks';
import type { Service } from '../service.js';
import type { BoxEvent } from './box.js';

/** What a tab tells the others of this browser: the keys of deleted emails, or up to when an inbox was emptied. */
type Deletion = { readonly keys: readonly string[] } | { readonly upTo: number };

/** Tells the other tabs of an inbox what this one has deleted: no stream does. */
export function shareDeletion(service: Service, inbox: string, deletion: Deletion): void {
  const channel = new BroadcastChannel(channelOf(service, inbox));
  channel.postMessage(deletion);
  channel.close();
}

/** Hears what other tabs delete. After an inbox was emptied, `retry` lists it again for mail that came meanwhile. */
export function useDeletions(
  service: Service,
  inbox: string,
  tell: (event: BoxEvent) => void,
  retry: () => void,
): void {
  useEffect(() => {
    const channel = new BroadcastChannel(channelOf(service, inbox));
    channel.onmessage = ({ data }: MessageEvent<Deletion>) => {
      if ('keys' in data) return tell({ type: 'deleted', keys: data.keys });
      tell({ type: 'emptied', upTo: data.upTo });
      retry();
    };
    return () => channel.close();
  }, [service, inbox]);
}

/**
 * Only pages of this origin hear it: mail is shown in an origin of its own. Inboxes of two spaces have the same names,
 * and no inbox name has a slash.
 */
function channelOf({ space }: Service, inbox: string): string {
  return `mayfly-inbox-${inbox}/${space}`;
}
