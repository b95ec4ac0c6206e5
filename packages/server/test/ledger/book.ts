/** A message of the load. Its sender repeats it until the service acknowledges it. */
export interface Mail {
  /** Unique. It is the message's subject, and the text of the message repeats it. */
  readonly id: string;
  readonly inboxes: readonly string[];
  readonly text: string;
  /** When the message was first sent, in milliseconds of `performance.now()`. */
  readonly begunAt: number;
  /** When the service acknowledged the message, on the same clock; null until then. */
  acknowledgedAt: number | null;
  /** How often the final dot was sent, which is the maximum number of copies in each inbox. */
  finished: number;
  /** How often the sender disconnected before the final dot. */
  cut: number;
  /** How often the sender disconnected after the final dot without waiting for the reply. */
  left: number;
}

/** An email that was found in an inbox or read by a follower. */
export interface Found {
  readonly id: string;
  readonly receivedAt: number;
  /** Whether the email's text equals the text of the sent message. */
  readonly isWhole: boolean;
}

/** An email that a follower of an inbox has read. */
export interface Read extends Found {
  /** When the follower requested the email, in milliseconds of `performance.now()`. */
  readonly askedAt: number;
}

/** All messages of the load. */
export class Book {
  readonly mails = new Map<string, Mail>();

  /** Records a message with a text of this size before it is sent. */
  begin(inboxes: readonly string[], bytes: number): Mail {
    const id = `mail-${this.mails.size + 1}-`;
    const begunAt = performance.now();
    const text = id.repeat(Math.ceil(bytes / id.length));
    const mail = { id, inboxes, text, begunAt, acknowledgedAt: null, finished: 0, cut: 0, left: 0 };
    this.mails.set(id, mail);
    return mail;
  }

  /** Converts an email from the HTTP interface. */
  found({ subject, rawBody, receivedAt }: { subject: string; rawBody: string; receivedAt: string }): Found {
    const text = rawBody.slice(rawBody.indexOf('\r\n\r\n')).replaceAll('\r\n', '');
    const isWhole = text === this.mails.get(subject)?.text;
    return { id: subject, receivedAt: Date.parse(receivedAt), isWhole };
  }
}
