import type { EmailSummary } from 'mayfly-client';
import { readMessageHead } from '../../mail/message-head.js';
import type { NamedAddress } from '../../mail/mime/sender.js';
import { type Soon, withAnswer } from '../../soon.js';
import type { ContentKey, Store, StoredEmail } from '../../store/store.js';
import { openMessage, type StoredMessage } from '../stored-message.js';
import type { Message } from './listing.js';

/** What a list of messages shows of one. */
export interface Head {
  /** Message-ID as it stands. */
  readonly id: string;
  readonly subject: string;
  /** Who wrote it: of the From header, or else of MAIL FROM. */
  readonly from: NamedAddress;
  readonly to: readonly NamedAddress[];
  readonly cc: readonly NamedAddress[];
  /** Those of a Bcc header, and whoever it was accepted for without being named in any header. */
  readonly bcc: readonly NamedAddress[];
  readonly replyTo: readonly NamedAddress[];
  /** Address of MAIL FROM; `""` for the null sender. */
  readonly envelopeFrom: string;
  /** Whom it was accepted for, in the order of the transaction. */
  readonly recipients: readonly string[];
  /** The beginning of its text. */
  readonly text: string;
  readonly size: number;
  readonly attachments: number;
  readonly otp: string | null;
  readonly magicLink: string | null;
}

/** How much the heads take that are kept, put as characters. */
const MAX_KEPT_CHARS = 16 * 1024 * 1024;

/** What a head takes beside its texts. */
const HEAD_CHARS = 400;

/** Reads the heads of messages, and keeps those read last: a message never changes, and who waits for one asks for the others again. */
export class Heads {
  readonly #store: Store;
  readonly #kept = new Map<ContentKey, { readonly head: Head; readonly chars: number }>();
  #chars = 0;

  constructor(store: Store) {
    this.#store = store;
  }

  /** The head of a message that was read and is kept. */
  known({ key }: Message): Head | undefined {
    return this.#kept.get(key)?.head;
  }

  /** The head of a message. Throws `EmailGoneError`, or rejects with it, once the email is deleted that it is read from. */
  of(message: Message): Soon<Head> {
    const known = this.known(message);
    if (known !== undefined) return known;
    const email = message.emails[0] as StoredEmail;
    return withAnswer(this.#store.summaries([email]), ([summary]) =>
      withAnswer(this.#store.content(email), (content) =>
        withAnswer(openMessage(content), (stored) => {
          const head = headOf(email, stored, summary ? JSON.parse(Buffer.from(summary).toString()) : NO_SUMMARY);
          this.#keep(message.key, head);
          return head;
        }),
      ),
    );
  }

  #keep(key: ContentKey, head: Head): void {
    const chars = charsOf(head);
    if (chars > MAX_KEPT_CHARS || this.#kept.has(key)) return;
    this.#kept.set(key, { head, chars });
    this.#chars += chars;
    for (const [oldest, { chars }] of this.#kept) {
      if (this.#chars <= MAX_KEPT_CHARS) return;
      this.#kept.delete(oldest);
      this.#chars -= chars;
    }
  }
}

/** What is kept of a message for lists. */
type Summary = Pick<EmailSummary, 'fromName' | 'size' | 'attachments' | 'text'>;

/** Of an email that is deleted this very moment: its content says so. */
const NO_SUMMARY: Summary = { fromName: '', size: 0, attachments: 0, text: '' };

function headOf(email: StoredEmail, message: StoredMessage, { fromName, size, attachments, text }: Summary): Head {
  const value = (name: Parameters<StoredMessage['json']>[0]) => JSON.parse(message.json(name).toString());
  const { from, to, cc, bcc, replyTo } = readMessageHead(message.first);
  const recipients: string[] = value('recipients') ?? [email.to];
  const named = new Set([...to, ...cc, ...bcc].map(({ address }) => address.toLowerCase()));
  const unnamed = [...new Set(recipients)].filter((recipient) => !named.has(recipient));
  return {
    id: value('id') ?? '',
    subject: value('subject') ?? '',
    from: from[0] ?? { name: fromName, address: value('from') ?? '' },
    to,
    cc,
    bcc: [...bcc, ...unnamed.map((address) => ({ name: '', address }))],
    replyTo,
    envelopeFrom: value('envelopeFrom') ?? '',
    recipients,
    text,
    size,
    attachments,
    otp: value('otp'),
    magicLink: value('magicLink'),
  };
}

function charsOf({ id, subject, from, to, cc, bcc, replyTo, recipients, text, magicLink }: Head): number {
  const people = [from, ...to, ...cc, ...bcc, ...replyTo].reduce(
    (sum, one) => sum + 50 + one.name.length + one.address.length,
    0,
  );
  const addresses = recipients.reduce((sum, address) => sum + 20 + address.length, 0);
  return HEAD_CHARS + people + addresses + id.length + subject.length + text.length + (magicLink?.length ?? 0);
}
