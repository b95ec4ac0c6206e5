import type { EmailSummary } from 'mayfly-protocol';
import type { Clock } from '../base/clock.js';
import { Turns } from '../limits/event-loop.js';
import type { ListQuery, Store, StoredEmail } from '../store/store.js';
import { adHocIn } from './ad-hoc.js';
import type { Addressee, Addressing, RefusedRecipient } from './addressing.js';
import { isHidden, isUnlisted, openInbox } from './held-back.js';
import type { Inboxes } from './inboxes.js';
import { type KeptFiles, openMessage } from './ingest/stored-message.js';
import { nullIfGone } from './read/read.js';
import { emailAt, type Leaving, select } from './read/selecting.js';

/** Number of store rows per page. Reading them takes some tenths of a millisecond. */
const PAGE_ROWS = 100;

/** A page of the newest emails of all inboxes that may be listed. */
export interface NewestPage {
  readonly emails: readonly StoredEmail[];
  /** Inboxes that hold mail back, one entry for each held email. */
  readonly holding: readonly string[];
  readonly next: string | null;
}

/** The stored values of a message, and the beginning of its bytes. */
export interface EmailRecord {
  readonly id: string;
  readonly subject: string;
  /** The sender in the From header, or else in the envelope. */
  readonly from: string;
  readonly fromName: string;
  /** Address of MAIL FROM; `""` for the null sender. */
  readonly envelopeFrom: string;
  /** All recipients, except those whose inboxes are in no list (see `isUnlisted`). */
  readonly recipients: readonly Addressee[];
  readonly body: string;
  readonly text: string;
  readonly size: number;
  readonly attachments: number;
  readonly files: KeptFiles;
  readonly otp: string | null;
  readonly magicLink: string | null;
  /** The beginning of the message as sent, about 64 KB. */
  readonly beginning: Buffer;
  readonly isWhole: boolean;
}

interface RecordsOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly addressing: Addressing;
  readonly inboxes: Pick<Inboxes, 'changes' | 'clear' | 'messages' | 'heldBack'>;
}

/** All mail, for plugins. Names of inboxes are secrets, so a `Viewer` defines which ones a caller may see. */
export class Records {
  readonly #options: RecordsOptions;
  readonly #turns = new Turns();

  constructor(options: RecordsOptions) {
    this.#options = options;
  }

  /** Lets other work run for a turn, between the steps of a task on many emails. */
  turn(): Promise<void> {
    return this.#turns.next();
  }

  /** Calls back with inboxes in which this process stored or cleared mail. Returns a function that unsubscribes. */
  onChange(listener: (inboxes: ReadonlySet<string>) => void): () => void {
    return this.#options.inboxes.changes.listen(listener);
  }

  /** A page of emails in descending order of expiry. `behind` is the cursor that the previous page returned. */
  async newest(behind: string | null): Promise<NewestPage> {
    const { store, clock } = this.#options;
    await this.turn();
    const { emails, next } = await store.recent({ behind: behind ?? undefined, limit: PAGE_ROWS }, clock.now());
    const holding = emails.flatMap(({ inbox }) => (isHidden(inbox) ? openInbox(inbox) : []));
    return { emails: emails.filter(({ inbox }) => !isUnlisted(inbox)), holding, next };
  }

  /** The emails of an inbox, newest first. Ends early when the client leaves. */
  async of(inbox: string, { after, ...page }: ListQuery = {}, signal: Leaving = { aborted: false }) {
    const look = { inbox, selection: { after }, ...page, signal };
    return select({ ...this.#options, turns: this.#turns }, look);
  }

  async at(inbox: string, receivedAt: number): Promise<StoredEmail | null> {
    // A client may name a held email, which is not listed (D56).
    if (isHidden(inbox)) return null;
    return emailAt(this.#options, inbox, receivedAt);
  }

  /** A key that is equal for all emails of one message. */
  keyOf(email: StoredEmail): number | string {
    return this.#options.store.contentKey(email);
  }

  async read(email: StoredEmail): Promise<EmailRecord | null> {
    const { store } = this.#options;
    try {
      const [summary] = await store.summaries([email]);
      const { json, first, rest } = await openMessage(await store.content(email));
      const value = (name: Parameters<typeof json>[0]) => JSON.parse(json(name).toString());
      const { fromName, size, attachments, text }: EmailSummary = summary
        ? JSON.parse(Buffer.from(summary).toString())
        : NO_SUMMARY;
      return {
        ...{ id: value('id') ?? '', subject: value('subject') ?? '', from: value('from') ?? '', fromName },
        ...{ envelopeFrom: value('envelopeFrom') ?? '', body: value('body') ?? '', text, size, attachments },
        ...{ otp: value('otp'), magicLink: value('magicLink'), files: value('files') ?? NO_FILES },
        recipients: this.#recipientsOf(email, value('recipients') ?? [email.to]),
        beginning: first,
        isWhole: rest === null,
      };
    } catch (error) {
      return nullIfGone(error);
    }
  }

  get messages(): Pick<Inboxes['messages'], 'whole' | 'part' | 'inspect'> {
    return this.#options.inboxes.messages;
  }

  /** Whether mail may appear in an inbox long after it arrived, because a plugin may hold it back. */
  mayHold(inbox: string): boolean {
    return this.#options.inboxes.heldBack.mayHold(inbox);
  }

  async clear(inbox: string, receivedAt?: number): Promise<void> {
    await this.#options.inboxes.clear(inbox, receivedAt);
  }

  recipientOf(address: string, adHoc: string | null): Addressee | RefusedRecipient {
    return this.#options.addressing.recipientOf(address, adHoc);
  }

  phoneRecipient(number: string, adHoc: string | null): Addressee {
    return this.#options.addressing.phoneRecipient(number, adHoc);
  }

  /** The recipient with the address `to` keeps the email's inbox, even if new settings map the address to another. */
  #recipientsOf({ inbox, to }: StoredEmail, addresses: readonly string[]): readonly Addressee[] {
    const recipients = addresses.map((address) => {
      const recipient = this.#options.addressing.acceptedRecipient(address, adHocIn(inbox));
      return recipient.to === to ? { ...recipient, inbox } : recipient;
    });
    return recipients.filter((recipient) => !isUnlisted(recipient.inbox));
  }
}

const NO_FILES: KeptFiles = { names: [], inline: 0 };

/** Replaces the summary of a deleted email. No caller gets it, because reading that email's content rejects. */
const NO_SUMMARY = { fromName: '', size: 0, attachments: 0, text: '' } as EmailSummary;
