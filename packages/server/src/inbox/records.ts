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
export interface EmailRecord
  extends Pick<EmailSummary, 'fromName' | 'text' | 'size' | 'attachments' | 'otp' | 'magicLink'> {
  readonly id: string;
  readonly subject: string;
  /** The sender in the From header, or else in the envelope. */
  readonly from: string;
  /** Address of MAIL FROM; `""` for the null sender. */
  readonly envelopeFrom: string;
  /** All recipients, except those whose inboxes are in no list (see `isUnlisted`). */
  readonly recipients: readonly Addressee[];
  readonly body: string;
  readonly files: KeptFiles;
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

export type Records = ReturnType<typeof recordsOf>;

/** All mail, for plugins. Names of inboxes are secrets, so a `Viewer` defines which ones a caller may see. */
export function recordsOf({ store, clock, addressing, inboxes }: RecordsOptions) {
  const shelf = { store, clock, turns: new Turns() };
  /** Lets other work run for a turn, between the steps of a task on many emails. */
  const turn = (): Promise<void> => shelf.turns.next();
  return {
    turn,
    messages: inboxes.messages as Pick<Inboxes['messages'], 'whole' | 'part' | 'inspect'>,

    /** Calls back with inboxes in which this process stored or cleared mail. Returns a function that unsubscribes. */
    onChange: (listener: (inboxes: ReadonlySet<string>) => void): (() => void) => inboxes.changes.listen(listener),

    /** A page of emails in descending order of expiry. `behind` is the cursor that the previous page returned. */
    async newest(behind: string | null): Promise<NewestPage> {
      await turn();
      const { emails, next } = await store.recent({ behind: behind ?? undefined, limit: PAGE_ROWS }, clock.now());
      const holding = emails.flatMap(({ inbox }) => (isHidden(inbox) ? openInbox(inbox) : []));
      return { emails: emails.filter(({ inbox }) => !isUnlisted(inbox)), holding, next };
    },

    /** The emails of an inbox, newest first. Ends early when the client leaves. */
    of: (inbox: string, { after, ...page }: ListQuery = {}, signal: Leaving = { aborted: false }) =>
      select(shelf, { inbox, selection: { after }, ...page, signal }),

    /** Resolves to null for a held email, which a client may name but no list shows (D56). */
    at: async (inbox: string, receivedAt: number): Promise<StoredEmail | null> =>
      isHidden(inbox) ? null : emailAt(shelf, inbox, receivedAt),

    /** A key that is equal for all emails of one message. */
    keyOf: (email: StoredEmail): number | string => store.contentKey(email),

    /** The values of an email; null for a deleted email. */
    read: (email: StoredEmail): Promise<EmailRecord | null> => recordOf(email, store, addressing).catch(nullIfGone),

    /** Whether mail may appear in an inbox long after it arrived, because a plugin may hold it back. */
    mayHold: (inbox: string): boolean => inboxes.heldBack.mayHold(inbox),

    clear: async (inbox: string, receivedAt?: number): Promise<void> => void (await inboxes.clear(inbox, receivedAt)),

    recipientOf: (address: string, adHoc: string | null): Addressee | RefusedRecipient =>
      addressing.recipientOf(address, adHoc),

    phoneRecipient: (number: string, adHoc: string | null): Addressee => addressing.phoneRecipient(number, adHoc),
  };
}

async function recordOf(email: StoredEmail, store: Store, addressing: Addressing): Promise<EmailRecord> {
  const [summary] = await store.summaries([email]);
  const { json, first, rest } = await openMessage(await store.content(email));
  const value = (name: Parameters<typeof json>[0]) => JSON.parse(json(name).toString());
  const { fromName, size, attachments, text }: EmailSummary = summary
    ? JSON.parse(Buffer.from(summary).toString())
    : NO_SUMMARY;
  const addresses: readonly string[] = value('recipients') ?? [email.to];
  const recipients = addresses.map((address) => {
    const recipient = addressing.acceptedRecipient(address, adHocIn(email.inbox));
    // The recipient with this address keeps the email's inbox, even if new settings map the address to another.
    return recipient.to === email.to ? { ...recipient, inbox: email.inbox } : recipient;
  });
  return {
    ...{ id: value('id') ?? '', subject: value('subject') ?? '', from: value('from') ?? '', fromName },
    ...{ envelopeFrom: value('envelopeFrom') ?? '', body: value('body') ?? '', text, size, attachments },
    ...{ otp: value('otp'), magicLink: value('magicLink'), files: value('files') ?? NO_FILES },
    recipients: recipients.filter(({ inbox }) => !isUnlisted(inbox)),
    beginning: first,
    isWhole: rest === null,
  };
}

const NO_FILES: KeptFiles = { names: [], inline: 0 };

/** Replaces the summary of a deleted email. No caller gets it, because reading that email's content rejects. */
const NO_SUMMARY = { fromName: '', size: 0, attachments: 0, text: '' } as EmailSummary;
