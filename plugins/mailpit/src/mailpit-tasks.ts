import { BadLetterError, composeLetter } from 'mayfly-plugins-shared/compose-letter';
import { letterOf } from './letter.js';
import { mailpitBody, mailpitHeaders, mailpitMessage } from './read-mailpit.js';

type Composed = Omit<Awaited<ReturnType<typeof composeLetter>>, 'raw'> & { readonly from: string };

export type LetterOutcome = (Composed & { readonly refused: null }) | { readonly refused: string };

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
    details: Parameters<typeof composeLetter>[1],
  ): Promise<[outcome: Uint8Array, raw: Uint8Array]> {
    try {
      const letter = letterOf(Buffer.from(json.buffer, json.byteOffset, json.length).toString());
      const { raw, ...composed } = await composeLetter(letter, details);
      return [outcomeOf({ from: letter.from.address, ...composed, refused: null }), raw];
    } catch (error) {
      if (error instanceof BadLetterError) return [outcomeOf({ refused: error.message }), new Uint8Array()];
      throw error;
    }
  },
} as const;

function outcomeOf(outcome: LetterOutcome): Uint8Array {
  return Buffer.from(JSON.stringify(outcome));
}
