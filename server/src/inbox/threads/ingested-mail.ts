import type { SendApiRequest } from 'mayfly-client';
import type { Reading } from '../../mail/message-reading.js';
import { messageRecord, rawEncodingOf } from '../ingest/stored-message.js';
import { summaryRecord } from '../ingest/summary-record.js';
import { filterIndex } from '../read/filter.js';

export interface ReceivedMail {
  readonly raw: Uint8Array;
  readonly envelopeFrom: string;
  /** The id where the message has no Message-ID (D4). */
  readonly generatedId: string;
  /** What the longest of its recipients' addresses takes in a summary, in bytes of JSON. */
  readonly recipientBytes: number;
  /** The addresses that it was accepted for, as they were written; null where that is one, as its email shows it. */
  readonly recipients: readonly string[] | null;
  /** The request that sent it, where that was one to a send API. */
  readonly sendApi?: SendApiRequest | null;
}

/** What is made of a message once, so that no read has to read it again. */
export interface IngestedMail {
  readonly index: Uint8Array;
  /** Its values (see `stored-message.ts`). */
  readonly record: Uint8Array;
  /** What a list shows (see `summary-record.ts`). */
  readonly summary: Uint8Array;
}

/** What is said of a message that could not be read: it is stored with its raw text all the same. */
const UNREAD: Reading = {
  messageId: null,
  from: null,
  fromName: '',
  subject: '',
  body: '',
  attachments: 0,
  fileNames: [],
  inlineFiles: 0,
  otp: null,
  magicLink: null,
  code: null,
  action: false,
};

/** What is kept of a message whose reading failed or took too long (D20). */
export function ingestUnread(mail: ReceivedMail): IngestedMail {
  return ingestReading(UNREAD, mail);
}

export function ingestReading(reading: Reading, mail: ReceivedMail): IngestedMail {
  const { raw, envelopeFrom, generatedId, recipientBytes, recipients, sendApi = null } = mail;
  const { fromName, subject, otp, magicLink, code, action, body, attachments, fileNames, inlineFiles } = reading;
  const files = fileNames.length + inlineFiles > 0 ? { names: fileNames, inline: inlineFiles } : null;
  const id = reading.messageId ?? generatedId;
  const from = reading.from ?? envelopeFrom;
  const found = { otp, magicLink, code, action };
  const shown = { id, from, fromName, subject, ...found, size: raw.length, attachments, body };
  return {
    index: filterIndex(shown),
    record: messageRecord(
      { id, from, subject, otp, magicLink, body, envelopeFrom, recipients, files, sendApi },
      rawEncodingOf(raw),
    ),
    summary: summaryRecord(shown, recipientBytes),
  };
}
