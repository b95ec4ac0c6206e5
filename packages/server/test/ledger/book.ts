/** A mail of the load: it may be sent several times, until somebody says that it is taken. */
export interface Mail {
  /** Stands in its subject and its text, and nowhere else. */
  readonly id: string;
  readonly inboxes: readonly string[];
  /** What its text is. */
  readonly text: string;
  /** When it was sent for the first time, in milliseconds of `performance.now()`, as all times here. */
  readonly begunAt: number;
  /** When it was taken; null as long as nobody has said so. */
  acknowledgedAt: number | null;
  /** How often all of it was sent, its final dot included: there may be so many copies. */
  finished: number;
  /** How often its sender left before the final dot. */
  cut: number;
  /** How often its sender left behind the final dot, without the answer. */
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

/** All mails of the load. */
export class Book {
  readonly mails = new Map<string, Mail>();

  /** Writes down a mail that is about to be sent; its text is of this size. */
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
