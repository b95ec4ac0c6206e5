import { readMail } from '../mail/read-mail.js';
import type { Reading } from '../mail/reading.js';
import { emailTail, rawEncodingOf } from './email-json.js';
import { filterIndex } from './filter.js';

/** A message that is to become what the store keeps of it. */
export interface Composition {
  readonly raw: Uint8Array;
  readonly envelopeFrom: string;
  /** The id where the message has no Message-ID (design D4). */
  readonly generatedId: string;
  /** Whether to repeat `rawBody` as `raw` (design D16). */
  readonly compat: boolean;
}

/** What all recipients' emails share, as the store's seam wants it. */
export interface Composed {
  readonly index: Uint8Array;
  readonly content: readonly Uint8Array[];
}

/** What is said of a message that could not be read: it is stored with its raw text all the same. */
const UNREAD: Reading = { messageId: null, from: null, subject: '', body: '', otp: null, magicLink: null };

/** Reads a message and makes its JSON: all the work that a read will not have to do. */
export function compose(composition: Composition): Composed {
  return composeFrom(readMail(composition.raw), composition);
}

/** The same for a message whose reading failed or took too long (design D20). */
export function composeUnread(composition: Composition): Composed {
  return composeFrom(UNREAD, composition);
}

function composeFrom(reading: Reading, { raw, envelopeFrom, generatedId, compat }: Composition): Composed {
  return {
    index: filterIndex(reading, reading.from ?? envelopeFrom, rawEncodingOf(raw)),
    content: emailTail({ reading, generatedId, envelopeFrom, raw, compat }),
  };
}
