import { StoreAwayError } from '../store.js';
import { newClient } from './client.js';
import { pause } from './delays.js';
import type { Reply } from './replies.js';

/** How long a server may take to be connected to and to say one thing. */
const ASK_ONCE_MS = 2_000;

/** Asks a server one thing over a connection of its own. Rejects where it cannot be reached, refuses, or does not answer in time. */
export async function askOnce(url: string, ...args: readonly string[]): Promise<Reply> {
  const client = newClient(url, { isKept: false });
  const error = new Promise<never>((_resolve, reject) => {
    client.on('error', reject);
  });
  const late = pause(ASK_ONCE_MS).then(() => Promise.reject(new StoreAwayError('nothing came')));
  try {
    const answer = client.connect().then(() => client.sendCommand<Reply>(args));
    return await Promise.race([answer, error, late]);
  } finally {
    late.catch(() => {});
    if (client.isOpen) client.destroy();
  }
}
