import type { Reader, Request, Service } from 'mayfly-inbox/plugin';
import type { EmailParts } from 'mayfly-protocol';
import { allInboxes, type Message } from '../all-inboxes.js';
import { timeOf } from './order.js';

/** Maximum time from creating a message's ID to storing the message in a slow store. Does not apply to held mail. */
const NEAR_MS = 60_000;

export type SentMail = ReturnType<typeof sentMail>;
export type FoundMail = NonNullable<Awaited<ReturnType<SentMail['find']>>>;

/**
 * Finds messages by the provider's ID, which is in their Message-ID. Every recipient can read the Message-ID, so the
 * caller sees only recipients whose inboxes it may open.
 */
export function sentMail(host: Service, keyOf: (request: Request) => string | null) {
  const { access, clock, records, task, viewers } = host;
  const all = allInboxes(records, clock);

  /** Finds a message by the timed UUID in its Message-ID; null if the caller may not open any of its inboxes. */
  async function message(request: Request, uuid: string, messageId: string) {
    const time = timeOf(uuid);
    if (time === null) return null;
    const viewer = viewers.viewerOf(request);
    const whole = { ...viewer, mayOpen: () => true, seesAll: true };
    const listed = await all.list(whole, { isWhole: true });
    const near = listed.filter(({ emails }) =>
      emails.some(
        ({ inbox, receivedAt }) => receivedAt >= time && (receivedAt <= time + NEAR_MS || records.mayHold(inbox)),
      ),
    );
    const sent = await all.matching(near, ({ id }) => id === messageId, whole);
    const isShown = ({ inbox }: Message['emails'][number]) => viewer.mayOpen(inbox);
    // Counts an unknown key as a guess only if the caller would see more mail with the right key.
    if (!sent.every(({ emails }) => emails.every(isShown))) await access.tryProviderKey(request, keyOf(request));
    for (const { key, emails } of sent) {
      const message = { key, emails: emails.filter(isShown) };
      const head = message.emails.length === 0 ? null : await all.head(message, viewer);
      if (head !== null) return { message, head };
    }
    return null;
  }

  return {
    all,
    message,

    async find(request: Request, uuid: string, messageId: string, by: Reader) {
      const found = await message(request, uuid, messageId);
      if (found === null) return null;
      const json = await all.read(found.message, 'contents', by);
      if (json === null) return null;
      const contents: EmailParts = JSON.parse(Buffer.from(json).toString());
      return { ...found, receivedAt: found.message.emails[0]?.receivedAt ?? 0, contents };
    },

    /** The message's source as a JSON text; empty if it was deleted. */
    async source({ message }: { readonly message: Message }, by: Reader): Promise<Uint8Array> {
      return (await all.read(message, task('source', null), by)) ?? Buffer.from('""');
    },
  };
}
