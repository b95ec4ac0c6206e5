import type { Reading } from 'mayfly-mail/internal/message-reading';
import type { SendApiRequest } from 'mayfly-protocol';
import { filterIndex } from '../read/filter.js';
import { messageRecord, rawEncodingOf } from './stored-message.js';
import { summaryRecord } from './summary-record.js';

export interface ReceivedMail {
  readonly raw: Uint8Array;
  readonly envelopeFrom: string;
  /** Used if the message has no Message-ID (D4). */
  readonly generatedId: string;
  /** Bytes of JSON of its longest recipient address in a summary. */
  readonly recipientBytes: number;
  /** The accepted addresses as they were written; null for a single one that equals its email's `to`. */
  readonly recipients: readonly string[] | null;
  readonly sendApi?: SendApiRequest | null;
}

/** Made once of a message, so that no read parses it. */
export type IngestedMail = readonly [index: Uint8Array, record: Uint8Array, summary: Uint8Array];

/** For a message that could not be parsed: it is stored with its raw text. */
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

/** For a message whose parsing failed or took too long (D20). */
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
  const recorded = { id, from, subject, otp, magicLink, body, envelopeFrom, recipients, files, sendApi };
  return [filterIndex(shown), messageRecord(recorded, rawEncodingOf(raw)), summaryRecord(shown, recipientBytes)];
}
