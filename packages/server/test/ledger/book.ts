/** A message of the load. Its sender repeats it until it is acknowledged. */
export interface Mail {
  /** Unique to its subject and text. */
  readonly id: string;
  readonly inboxes: readonly string[];
  /** What its text is. */
  readonly text: string;
  /** When it was sent for the first time, in milliseconds of `performance.now()`, as all times here. */
  readonly begunAt: number;
  /** When it was acknowledged; null before. */
  acknowledgedAt: number | null;
  /** How often it was sent up to the final dot, and so the largest number of copies. */
  finished: number;
  /** How often its sender left before the final dot. */
  cut: number;
  /** How often its sender left after the final dot without waiting for the reply. */
  left: number;
}

/** An email as it was found in an inbox, or read by who follows one. */
export interface Found {
  readonly id: string;
  readonly receivedAt: number;
  /** Whether its text is that of the mail. */
  readonly isWhole: boolean;
}

/** An email as who follows an inbox has read it. */
export interface Read extends Found {
  /** When it was asked for. */
  readonly askedAt: number;
}

/** All messages of the load. */
export class Book {
  readonly mails = new Map<string, Mail>();

  /** Records a message that is about to be sent, with a text of this size. */
  begin(inboxes: readonly string[], bytes: number): Mail {
    const id = `mail-${this.mails.size + 1}-`;
    const begunAt = performance.now();
    const text = id.repeat(Math.ceil(bytes / id.length));
    const mail = { id, inboxes, text, begunAt, acknowledgedAt: null, finished: 0, cut: 0, left: 0 };
    this.mails.set(id, mail);
    return mail;
  }

  /** An email of the interface, as far as the book is asked about it. */
  found({ subject, rawBody, receivedAt }: { subject: string; rawBody: string; receivedAt: string }): Found {
    const text = rawBody.slice(rawBody.indexOf('\r\n\r\n')).replaceAll('\r\n', '');
    const isWhole = text === this.mails.get(subject)?.text;
    return { id: subject, receivedAt: Date.parse(receivedAt), isWhole };
  }
}
