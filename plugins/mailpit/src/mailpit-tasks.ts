import { addressesIn, BadLetterError, composeLetter } from 'mayfly-plugins-shared/compose-letter';
import { letterOf } from './letter.js';
import { mailpitBody, mailpitHeaders, mailpitMessage } from './read-mailpit.js';

export interface SentLetter {
  readonly from: string;
  readonly messageId: string;
  readonly recipients: readonly string[];
}

export type LetterOutcome = (SentLetter & { readonly refused: null }) | { readonly refused: string };

function reading<Details>(read: (raw: Uint8Array, details: Details) => string) {
  return (raw: Uint8Array, details: Details): [found: Uint8Array] => [Buffer.from(read(raw, details))];
}

export const TASKS = {
  mailpitMessage: reading(mailpitMessage),
  mailpitHeaders: reading(mailpitHeaders),
  mailpitBody: reading(mailpitBody),

  /** Composes the message of a send request, or returns an empty message with the reason of the rejection. */
  async letter(
    json: Uint8Array,
    { date, maxRecipients }: { readonly date: number; readonly maxRecipients: number },
  ): Promise<[outcome: Uint8Array, raw: Uint8Array]> {
    try {
      const letter = letterOf(Buffer.from(json.buffer, json.byteOffset, json.length).toString());
      const recipients = addressesIn(letter);
      if (recipients.length === 0) throw new BadLetterError('it has no recipient in To, Cc or Bcc');
      if (recipients.length > maxRecipients) throw new BadLetterError(`it has more than ${maxRecipients} recipients`);
      const { raw, messageId } = await composeLetter(letter, date);
      return [outcomeOf({ from: letter.from.address, messageId, recipients, refused: null }), raw];
    } catch (error) {
      if (error instanceof BadLetterError) return [outcomeOf({ refused: error.message }), new Uint8Array()];
      throw error;
    }
  },
} as const;

function outcomeOf(outcome: LetterOutcome): Uint8Array {
  return Buffer.from(JSON.stringify(outcome));
}
