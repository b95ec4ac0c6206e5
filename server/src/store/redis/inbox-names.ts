import { type Reply, textsOf } from './replies.js';
import { DUE_INBOXES, dueOf, type Keys } from './rows.js';

/** How many things that are due are gone through at once. */
const PAGE = 1_000;

/** The names of a bucket's inboxes that have mail, each once; by the list of what is due, which has the state of each. */
export async function* inboxNames(keys: Keys, read: (...args: string[]) => Promise<Reply>): AsyncGenerator<string> {
  // Redis may name one several times.
  const named = new Set<string>();
  let cursor = '0';
  do {
    const [next, found] = (await read('ZSCAN', keys.due, cursor, 'MATCH', DUE_INBOXES, 'COUNT', `${PAGE}`)) as [
      Buffer,
      Buffer[],
    ];
    for (const member of textsOf(found)) {
      const due = dueOf(member);
      if (due.kind !== 'state') continue;
      const inbox = keys.inboxOf(due.emailsKey);
      if (named.has(inbox)) continue;
      named.add(inbox);
      yield inbox;
    }
    cursor = String(next);
  } while (cursor !== '0');
}
