import { readMessageHead } from 'mayfly-mail/internal/message-head';
import type { NamedAddress } from 'mayfly-mail/internal/mime/sender';
import type { EmailSummary } from 'mayfly-protocol';
import { BoundedMap } from '../../base/bounded-map.js';
import { type MaybePromise, withAnswer } from '../../base/maybe-promise.js';
import type { ContentKey, Store, StoredEmail } from '../../store/store.js';
import type { Addressee, Addressing } from '../addressing.js';
import { isUnlisted } from '../held-back.js';
import { type KeptFiles, openMessage, type StoredMessage } from '../ingest/stored-message.js';
import { spaceIn } from '../spaces/space.js';
import type { Message } from './message-list.js';

export interface Head {
  readonly id: string;
  readonly subject: string;
  /** Of the From header, or else MAIL FROM. */
  readonly from: NamedAddress;
  readonly to: readonly NamedAddress[];
  readonly cc: readonly NamedAddress[];
  /** Of a Bcc header, then recipients that no header names. */
  readonly bcc: readonly NamedAddress[];
  readonly replyTo: readonly NamedAddress[];
  /** Address of MAIL FROM; `""` for the null sender. */
  readonly envelopeFrom: string;
  readonly recipients: readonly Addressee[];
  readonly xTags: string;
  readonly text: string;
  readonly size: number;
  readonly attachments: number;
  readonly fileNames: readonly string[];
  readonly inlineFiles: number;
  readonly otp: string | null;
  readonly magicLink: string | null;
}

/** With all recipients whose inboxes are listed; `headFor` limits them to a viewer's. */
export interface WholeHead extends Head {
  /** The recipients at the end of `bcc` that no header names. */
  readonly unnamed: readonly Addressee[];
}

/** Without recipients whose inboxes the viewer may not open (D15). All of them saw the header. */
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

/** Of all kept heads together. */
const MAX_KEPT_CHARS = 16 * 1024 * 1024;

const HEAD_CHARS = 400;

/** Reads heads and keeps the latest: a client that waits for one message asks for the others again. */
export class Heads {
  readonly #store: Store;
  readonly #addressing: Addressing;
  readonly #kept = new BoundedMap<ContentKey, { readonly head: WholeHead; readonly chars: number }>(
    MAX_KEPT_CHARS,
    ({ chars }) => chars,
  );

  constructor(store: Store, addressing: Addressing) {
    this.#store = store;
    this.#addressing = addressing;
  }

  known({ key }: Message): WholeHead | undefined {
    return this.#kept.get(key)?.head;
  }

  /** Throws `EmailGoneError`, or rejects with it, for a deleted email. */
  of(message: Message): MaybePromise<WholeHead> {
    const known = this.known(message);
    if (known !== undefined) return known;
    const email = message.emails[0] as StoredEmail;
    return withAnswer(this.#store.summaries([email]), ([summary]) =>
      withAnswer(this.#store.content(email), (content) =>
        withAnswer(openMessage(content), (stored) => {
          const seen = summary ? JSON.parse(Buffer.from(summary).toString()) : NO_SUMMARY;
          const head = headOf(stored, seen, this.#recipientsOf(email, stored));
          this.#kept.set(message.key, { head, chars: charsOf(head) });
          return head;
        }),
      ),
    );
  }

  /** An email's own recipient is in the inbox that it is stored in, whatever the settings were then. */
  #recipientsOf({ inbox, to }: StoredEmail, message: StoredMessage): readonly Addressee[] {
    const addresses: readonly string[] = jsonOf(message, 'recipients') ?? [to];
    const recipients = addresses.map((address) => {
      const recipient = this.#addressing.acceptedRecipient(address, spaceIn(inbox));
      return recipient.to === to ? { ...recipient, inbox } : recipient;
    });
    return recipients.filter((recipient) => !isUnlisted(recipient.inbox));
  }
}

const NO_FILES: KeptFiles = { names: [], inline: 0 };

type Summary = Pick<EmailSummary, 'fromName' | 'size' | 'attachments' | 'text'>;

/** For an email that was just deleted: reading its content rejects. */
const NO_SUMMARY: Summary = { fromName: '', size: 0, attachments: 0, text: '' };

function jsonOf(message: StoredMessage, name: Parameters<StoredMessage['json']>[0]) {
  return JSON.parse(message.json(name).toString());
}

function headOf(
  message: StoredMessage,
  { fromName, size, attachments, text }: Summary,
  recipients: readonly Addressee[],
): WholeHead {
  const value = (name: Parameters<StoredMessage['json']>[0]) => jsonOf(message, name);
  const { from, to, cc, bcc, replyTo, xTags } = readMessageHead(message.first);
  const { names: fileNames, inline: inlineFiles }: KeptFiles = value('files') ?? NO_FILES;
  const seen = new Set([...to, ...cc, ...bcc].map(({ address }) => address.toLowerCase()));
  const unnamed = recipients.filter(({ to }) => !seen.has(to) && seen.add(to));
  return {
    id: value('id') ?? '',
    subject: value('subject') ?? '',
    from: from[0] ?? { name: fromName, address: value('from') ?? '' },
    to,
    cc,
    bcc: [...bcc, ...unnamed.map(addressAlone)],
    replyTo,
    envelopeFrom: value('envelopeFrom') ?? '',
    recipients,
    unnamed,
    xTags,
    text,
    size,
    attachments,
    fileNames,
    inlineFiles,
    otp: value('otp'),
    magicLink: value('magicLink'),
  };
}

function charsOf(head: WholeHead): number {
  const { id, subject, from, to, cc, bcc, replyTo, recipients, text, magicLink, xTags, fileNames } = head;
  const people = [from, ...to, ...cc, ...bcc, ...replyTo].reduce(
    (sum, one) => sum + 50 + one.name.length + one.address.length,
    0,
  );
  const addresses = recipients.reduce((sum, { to, written = '' }) => sum + 60 + 2 * to.length + written.length, 0);
  const texts = [id, subject, text, magicLink ?? '', xTags, ...fileNames];
  return HEAD_CHARS + people + addresses + texts.reduce((sum, { length }) => sum + length, 0);
}
