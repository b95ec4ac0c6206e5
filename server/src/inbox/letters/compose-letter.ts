import { BadLetterError, type Letter, letterOf } from './letter.js';

export interface LetterDetails {
  readonly date: number;
  readonly maxRecipients: number;
}

/** What was made of a request to send: a mail, or the reason why there is none. */
export type LetterOutcome =
  | {
      readonly from: string;
      readonly recipients: readonly string[];
      /** Message-ID as it stands. */
      readonly messageId: string;
      readonly refused: null;
    }
  | { readonly refused: string };

/** Makes a message of the JSON of a request to send. Returns the outcome as JSON, and the message, which is empty where there is none. */
export async function composeLetter(
  json: Uint8Array,
  { date, maxRecipients }: LetterDetails,
): Promise<[outcome: Uint8Array, raw: Uint8Array]> {
  try {
    const letter = letterOf(Buffer.from(json.buffer, json.byteOffset, json.length).toString());
    const recipients = [...letter.to, ...letter.cc, ...letter.bcc].map(({ address }) => address);
    if (recipients.length === 0) throw new BadLetterError('it has no recipient in To, Cc or Bcc');
    if (recipients.length > maxRecipients) throw new BadLetterError(`it has more than ${maxRecipients} recipients`);
    const { messageId, raw } = await messageOf(letter, date);
    return [outcome({ from: letter.from.address, recipients, messageId, refused: null }), raw];
  } catch (error) {
    if (error instanceof BadLetterError) return [outcome({ refused: error.message }), new Uint8Array()];
    throw error;
  }
}

function outcome(value: LetterOutcome): Uint8Array {
  return Buffer.from(JSON.stringify(value));
}

/** A letter as a message. Nothing is read from files or from the web for it. */
async function messageOf(letter: Letter, date: number): Promise<{ messageId: string; raw: Buffer }> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  const { bcc: _bcc, replyTo, headers, text, html, attachments, ...rest } = letter;
  const composer = new MailComposer({
    ...rest,
    to: [...letter.to],
    cc: [...letter.cc],
    replyTo: [...replyTo],
    text,
    ...(html === '' ? {} : { html }),
    headers: Object.fromEntries(headers),
    attachments: attachments.map(({ content, filename, contentType, cid }) => ({
      content,
      filename: filename || false,
      ...(contentType === '' ? {} : { contentType }),
      ...(cid === '' ? {} : { cid }),
    })),
    date: new Date(date),
    disableFileAccess: true,
    disableUrlAccess: true,
    newline: '\r\n',
  });
  const message = composer.compile();
  // Whoever asks for it first has it made.
  return { messageId: message.messageId(), raw: await message.build() };
}
