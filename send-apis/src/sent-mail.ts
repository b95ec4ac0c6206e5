import type { EmailParts } from 'mayfly-client';
import {
  type ExtensionHost,
  type Head,
  type Message,
  mayHold,
  type Reader,
  type Request,
} from '../../server/dist/extension/extension.js';
import { timeOf } from './timed-id.js';

/** A mail is stored at most this long after its id was made, the wait for a slow store, unless it was held. */
const NEAR_MS = 60_000;

export interface FoundMail {
  readonly message: Message;
  readonly head: Head;
  readonly receivedAt: number;
  readonly contents: EmailParts;
}

const NOT_LEFT = { aborted: false };

/** Finds mail by the provider's id. It cannot be guessed: a client that knows it has sent the mail or may read it. */
export class SentMail {
  readonly #openAll: ExtensionHost['openAll'];

  readonly #spaceOf: (request: Request) => string | null;

  constructor({ openAll, access }: Pick<ExtensionHost, 'openAll' | 'access'>) {
    this.#openAll = openAll;
    this.#spaceOf = (request) => access.spaceOf(request);
  }

  /** Finds a mail by its Message-ID, which contains this timed UUID; null if there is none. */
  async message(request: Request, uuid: string, messageId: string): Promise<{ message: Message; head: Head } | null> {
    const time = timeOf(uuid);
    if (time === null) return null;
    const all = await this.#openAll();
    const viewer = { mayOpen: () => true, seesAll: true, space: this.#spaceOf(request), leaving: NOT_LEFT };
    const listed = await all.list(viewer, { isWhole: true });
    const near = listed.filter(({ emails }) =>
      emails.some(({ inbox, receivedAt }) => receivedAt >= time && (receivedAt <= time + NEAR_MS || mayHold(inbox))),
    );
    const [message] = await all.matching(near, ({ id }) => id === messageId, viewer);
    const head = message === undefined ? null : await all.head(message, viewer);
    return message === undefined || head === null ? null : { message, head };
  }

  /** The same with its contents. */
  async find(request: Request, uuid: string, messageId: string, by: Reader): Promise<FoundMail | null> {
    const found = await this.message(request, uuid, messageId);
    if (found === null) return null;
    const all = await this.#openAll();
    const contents = await all.contents(found.message, by);
    if (contents === null) return null;
    const receivedAt = found.message.emails[0]?.receivedAt ?? 0;
    return { ...found, receivedAt, contents: JSON.parse(Buffer.from(contents).toString()) };
  }

  /** Its source as a text in JSON; an empty text once it is deleted. */
  async source({ message }: FoundMail, by: Reader): Promise<Uint8Array> {
    const all = await this.#openAll();
    const json = await all.read(message, { extension: 'send-apis', task: 'source', details: null }, by);
    return json ?? Buffer.from('""');
  }
}
