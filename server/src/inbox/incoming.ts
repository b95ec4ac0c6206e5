import type { Recipient } from '../store/store.js';
import type { RefusedRecipient } from './address.js';

/** A message as DATA carried it, and what SMTP knew of it. */
export interface IncomingMail {
  /** What stands for the client where clients are counted: reading takes its turn by it. */
  readonly client: string;
  /** Byte for byte what DATA carried, dot-unstuffed (D5). Nobody changes it until `deliver` settles; what is kept has been copied by then. */
  readonly raw: Uint8Array;
  /** Address of MAIL FROM; `""` for the null sender. */
  readonly envelopeFrom: string;
  /** One email comes of each; at least one. */
  readonly recipients: readonly Recipient[];
  /** When DATA had ended, in milliseconds since the epoch. */
  readonly receivedAt: number;
}

/** What became of an incoming message. Anything but `stored` kept nothing of it. */
export type Outcome = 'stored' | 'inbox-full' | 'store-full';

/** What receiving mail needs to know of the inboxes: the way in. */
export interface MailSlot {
  /** Who a recipient address (without its angle brackets) is, or why it is none here. */
  recipientOf(address: string): Recipient | RefusedRecipient;
  /** Keeps a message for all of its recipients or for none; resolves when it is on disk and a read would find it. */
  deliver(mail: IncomingMail): Promise<Outcome>;
}
