import type { StoredEmail } from '../../../server/dist/store/seam.js';

/** Emails in Redis. An inbox's keys share a hash tag. Base 36 keeps members within compact sorted sets (64 bytes). */

const NUMBER_BASE = 36;

export interface RedisEmail extends StoredEmail {
  readonly message: string;
  /** Its recipient's position in the delivery, from 0. */
  readonly ordinal: number;
  /** What it costs (see `admission.ts`); the first recipient's includes the message. */
  readonly cost: number;
  readonly chunks: number;
}

export class Keys {
  readonly #prefix: string;
  readonly expiryIndex: string;
  readonly tally: string;

  constructor(tag: string) {
    this.#prefix = `mayfly:{${tag}}:`;
    this.expiryIndex = `${this.#prefix}due`;
    this.tally = `${this.#prefix}tally`;
  }

  /** An inbox's emails, and the channel that announces its mail. */
  emails(inbox: string): string {
    return `${this.#prefix}z:${inbox}`;
  }

  state(inbox: string): string {
    return `${this.#prefix}s:${inbox}`;
  }

  /** The last `receivedAt` that an inbox shows; there only while some emails are hidden. */
  shown(inbox: string): string {
    return `${this.#prefix}h:${inbox}`;
  }

  stateOf(emailsKey: string): string {
    return this.state(this.inboxOf(emailsKey));
  }

  inboxOf(emailsKey: string): string {
    return emailsKey.slice(this.emails('').length);
  }

  cleared(clearing: string): string {
    return `${this.#prefix}x:${clearing}`;
  }

  message(message: string): string {
    return `${this.#prefix}m:${message}`;
  }
}

export function emailMember(
  email: Omit<RedisEmail, 'receivedAt' | 'expiresAt' | 'inbox'>,
  retentionMs: number,
): string {
  const { message, ordinal, cost, indexBytes, summaryBytes, chunks, to } = email;
  const numbers = [retentionMs, cost, indexBytes, summaryBytes, chunks].map((number) => number.toString(NUMBER_BASE));
  return `${message}.${ordinal} ${numbers.join(' ')} ${to}`;
}

export function emailOf(inbox: string, member: string, receivedAt: number): RedisEmail {
  const [name = '', ...fields] = member.split(' ');
  const [retentionMs = 0, cost = 0, indexBytes = 0, summaryBytes = 0, chunks = 0] = fields.slice(0, 5).map(numberOf);
  const to = fields.slice(5).join(' ');
  const sizes = { indexBytes, summaryBytes, chunks };
  return { inbox, ...messageAndOrdinal(name), to, receivedAt, expiresAt: receivedAt + retentionMs, cost, ...sizes };
}

/** The message and recipient in the first word of an email's member. */
export function messageAndOrdinal(name: string): Pick<RedisEmail, 'message' | 'ordinal'> {
  const dot = name.indexOf('.');
  return { message: name.slice(0, dot), ordinal: Number(name.slice(dot + 1)) };
}

export function numberOf(text: string): number {
  return Number.parseInt(text, NUMBER_BASE);
}
