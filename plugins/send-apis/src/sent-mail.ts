import type { Reader, Request, Service } from 'mayfly-inbox/plugin';
import { type AllInboxes, allInboxes, type Head, type Message } from 'mayfly-plugins-shared/all-inboxes';
import type { EmailParts } from 'mayfly-protocol';
import { timeOf } from './order.js';

/** A mail is stored at most this long after its id was made, the wait for a slow store, unless it was held. */
const NEAR_MS = 60_000;

type EmailOf = Message['emails'][number];

export interface FoundMail {
  readonly message: Message;
  readonly head: Head;
  readonly receivedAt: number;
  readonly contents: EmailParts;
}

type Host = Pick<Service, 'records' | 'clock' | 'access' | 'viewers' | 'task'>;

/**
 * Finds messages by the provider's id, which is in their Message-ID. Every recipient reads that, so the caller sees
 * only recipients whose inboxes it may open.
 */
export class SentMail {
  readonly #host: Host;
  readonly #all: AllInboxes;
  readonly #keyOf: (request: Request) => string | null;

  constructor(host: Host, keyOf: (request: Request) => string | null) {
    this.#host = host;
    this.#all = allInboxes(host.records, host.clock);
    this.#keyOf = keyOf;
  }

  /** A message by its Message-ID, which contains this timed UUID; null if the caller may open none of its inboxes. */
  async message(request: Request, uuid: string, messageId: string): Promise<{ message: Message; head: Head } | null> {
    const time = timeOf(uuid);
    if (time === null) return null;
    const { access, records, viewers } = this.#host;
    const viewer = viewers.viewerOf(request);
    const whole = { ...viewer, mayOpen: () => true, seesAll: true };
    const listed = await this.#all.list(whole, { isWhole: true });
    const near = listed.filter(({ emails }) =>
      emails.some(
        ({ inbox, receivedAt }) => receivedAt >= time && (receivedAt <= time + NEAR_MS || records.mayHold(inbox)),
      ),
    );
    const sent = await this.#all.matching(near, ({ id }) => id === messageId, whole);
    const isShown = ({ inbox }: EmailOf) => viewer.mayOpen(inbox);
    // Keys of other services are no guesses while nothing is hidden from them.
    if (!sent.every(({ emails }) => emails.every(isShown))) await access.tryProviderKey(request, this.#keyOf(request));
    for (const { key, emails } of sent) {
      const message = { key, emails: emails.filter(isShown) };
      const head = message.emails.length === 0 ? null : await this.#all.head(message, viewer);
      if (head !== null) return { message, head };
    }
    return null;
  }

  /** The same with its contents. */
  async find(request: Request, uuid: string, messageId: string, by: Reader): Promise<FoundMail | null> {
    const found = await this.message(request, uuid, messageId);
    if (found === null) return null;
    const contents = await this.#all.read(found.message, 'contents', by);
    if (contents === null) return null;
    const receivedAt = found.message.emails[0]?.receivedAt ?? 0;
    return { ...found, receivedAt, contents: JSON.parse(Buffer.from(contents).toString()) };
  }

  /** Its source as a text in JSON; an empty text once it is deleted. */
  async source({ message }: FoundMail, by: Reader): Promise<Uint8Array> {
    const json = await this.#all.read(message, this.#host.task('source', null), by);
    return json ?? Buffer.from('""');
  }
}
