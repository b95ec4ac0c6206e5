import { type Addressee, BoundedMap, type EmailRecord, type Records, type StoredEmail } from 'mayfly-inbox/plugin';
import { readMessageHead } from 'mayfly-mail/internal/message-head';
import type { NamedAddress } from 'mayfly-mail/internal/mime/sender';
import type { Message } from './newest.js';

/** The head of a message. Its `bcc` also has recipients that the header does not name. */
export interface Head
  extends Pick<EmailRecord, 'id' | 'subject' | 'envelopeFrom' | 'text' | 'size' | 'attachments' | 'otp' | 'magicLink'>,
    Pick<ReturnType<typeof readMessageHead>, 'to' | 'cc' | 'bcc' | 'replyTo' | 'xTags'> {
  /** From the From header, or otherwise from MAIL FROM. */
  readonly from: NamedAddress;
  readonly recipients: readonly Addressee[];
  readonly fileNames: readonly string[];
  readonly inlineFiles: number;
}

/** A head with every recipient whose inbox a list may show. `headFor` limits these to one viewer's inboxes. */
export interface WholeHead extends Head {
  /** The recipients at the end of `bcc` that the header does not name. */
  readonly unnamed: readonly Addressee[];
}

/** Removes recipients whose inboxes the viewer may not open (D15). Fields copied from the header still name them. */
export function headFor(head: WholeHead, mayOpen: (inbox: string) => boolean): Head {
  const isShown = ({ inbox }: Addressee) => mayOpen(inbox);
  if (head.recipients.every(isShown)) return head;
  const inHeader = head.bcc.slice(0, head.bcc.length - head.unnamed.length);
  const bcc = [...inHeader, ...head.unnamed.filter(isShown).map(addressAlone)];
  return { ...head, bcc, recipients: head.recipients.filter(isShown) };
}

function addressAlone({ to, written = to }: Addressee): NamedAddress {
  return { name: '', address: written };
}

/** Maximum size of all cached heads together. */
const MAX_KEPT_CHARS = 16 * 1024 * 1024;

/** Approximate size of a head without its texts. */
const HEAD_CHARS = 400;

/** Reads heads and caches the latest, because a client that polls for one message lists all others each time. */
export class Heads {
  readonly #records: Records;
  readonly #kept = new BoundedMap<Message['key'], { readonly head: WholeHead; readonly chars: number }>(
    MAX_KEPT_CHARS,
    ({ chars }) => chars,
  );

  constructor(records: Records) {
    this.#records = records;
  }

  known({ key }: Message): WholeHead | undefined {
    return this.#kept.get(key)?.head;
  }

  async of(message: Message): Promise<WholeHead | null> {
    const known = this.known(message);
    if (known !== undefined) return known;
    const record = await this.#records.read(message.emails[0] as StoredEmail);
    if (record === null) return null;
    const head = headOf(record);
    this.#kept.set(message.key, { head, chars: HEAD_CHARS + JSON.stringify(head).length });
    return head;
  }
}

function headOf(record: EmailRecord): WholeHead {
  const { id, subject, envelopeFrom, beginning, recipients, text, size, attachments, files, otp, magicLink } = record;
  const { from, to, cc, bcc, replyTo, xTags } = readMessageHead(beginning);
  const seen = new Set([...to, ...cc, ...bcc].map((one) => one.address.toLowerCase()));
  const unnamed = recipients.filter((one) => !seen.has(one.to) && seen.add(one.to));
  return {
    ...{ id, subject, envelopeFrom, text, size, attachments, otp, magicLink },
    from: from[0] ?? { name: record.fromName, address: record.from },
    ...{ to, cc, replyTo, xTags, recipients, unnamed },
    bcc: [...bcc, ...unnamed.map(addressAlone)],
    fileNames: files.names,
    inlineFiles: files.inline,
  };
}
