/**
 * How emails stand in Redis. All keys of one inbox have one hash tag, so that one script may use them together, and are named to it
 * beforehand. Numbers in members have base 36: short ones stay in Redis's compact form of a sorted set (64 bytes).
 */

import type { StoredEmail } from '../store.js';

const NUMBER_BASE = 36;

/** What is known of a listed email, by which its bytes are found. */
export interface RedisEmail extends StoredEmail {
  /** The delivery that it came with. */
  readonly message: string;
  /** Which of the delivery's recipients it is for, counted from 0. */
  readonly ordinal: number;
  /** What it costs (see `cost.ts`); that of the first recipient has the message in it. */
  readonly cost: number;
  /** How many chunks its content has. */
  readonly chunks: number;
}

/** Something that is due to be forgotten. */
export type Due =
  | {
      readonly kind: 'email';
      readonly member: string;
      readonly message: string;
      readonly ordinal: number;
      readonly retentionMs: number;
      readonly cost: number;
      readonly inbox: string;
    }
  | { readonly kind: 'clearing'; readonly member: string; readonly clearing: string; readonly inbox: string }
  | { readonly kind: 'state'; readonly member: string; readonly emailsKey: string };

/** The keys of all inboxes that share a hash tag. */
export class Keys {
  readonly #prefix: string;
  /** What is to be forgotten, and when. */
  readonly due: string;
  /** How many bytes all of it costs, and how many emails that are. */
  readonly tally: string;

  constructor(tag: string) {
    this.#prefix = `mayfly:{${tag}}:`;
    this.due = `${this.#prefix}due`;
    this.tally = `${this.#prefix}tally`;
  }

  /** The emails of an inbox, and the channel on which its mail is announced. */
  emails(inbox: string): string {
    return `${this.#prefix}z:${inbox}`;
  }

  /** What is known of an inbox beside its emails. */
  state(inbox: string): string {
    return `${this.#prefix}s:${inbox}`;
  }

  /** The state that belongs to the key of an inbox's emails. */
  stateOf(emailsKey: string): string {
    return this.state(this.inboxOf(emailsKey));
  }

  /** The inbox that the key of its emails names. */
  inboxOf(emailsKey: string): string {
    return emailsKey.slice(this.emails('').length);
  }

  /** Emails that were cleared together. */
  cleared(clearing: string): string {
    return `${this.#prefix}x:${clearing}`;
  }

  message(message: string): string {
    return `${this.#prefix}m:${message}`;
  }
}

/** The member of an email in the set of its inbox. */
export function emailMember(
  email: Omit<RedisEmail, 'receivedAt' | 'expiresAt' | 'inbox'>,
  retentionMs: number,
): string {
  const { message, ordinal, cost, indexBytes, summaryBytes, chunks, to } = email;
  const numbers = [retentionMs, cost, indexBytes, summaryBytes, chunks].map((number) => number.toString(NUMBER_BASE));
  return `${message}.${ordinal} ${numbers.join(' ')} ${to}`;
}

/** The email of a member and its score. */
export function emailOf(inbox: string, member: string, receivedAt: number): RedisEmail {
  const [name = '', ...fields] = member.split(' ');
  const [retentionMs = 0, cost = 0, indexBytes = 0, summaryBytes = 0, chunks = 0] = fields.slice(0, 5).map(numberOf);
  const to = fields.slice(5).join(' ');
  const sizes = { indexBytes, summaryBytes, chunks };
  return { inbox, ...messageAndOrdinal(name), to, receivedAt, expiresAt: receivedAt + retentionMs, cost, ...sizes };
}

/** The member of the same email among what is due, from its member in the set of its inbox. */
export function dueMember(inbox: string, member: string): string {
  const [name, retentionMs, cost] = member.split(' ', 3);
  return `e ${name} ${retentionMs} ${cost} ${inbox}`;
}

/** What the members of inboxes among what is due begin with (see append.lua), as Redis matches it. */
export const DUE_INBOXES = 's *';

/** The member among what is due that has what was cleared forgotten. */
export function clearingMember(inbox: string, clearing: string): string {
  return `x ${clearing} ${inbox}`;
}

/** What a member among what is due says. */
export function dueOf(member: string): Due {
  const [kind, name = '', ...rest] = member.split(' ');
  if (kind === 'x') return { kind: 'clearing', member, clearing: name, inbox: rest.join(' ') };
  if (kind === 's') return { kind: 'state', member, emailsKey: [name, ...rest].join(' ') };
  const [retention = '', cost = '', ...inbox] = rest;
  const numbers = { retentionMs: numberOf(retention), cost: numberOf(cost) };
  return { kind: 'email', member, ...messageAndOrdinal(name), ...numbers, inbox: inbox.join(' ') };
}

function messageAndOrdinal(name: string): Pick<RedisEmail, 'message' | 'ordinal'> {
  const dot = name.indexOf('.');
  return { message: name.slice(0, dot), ordinal: Number(name.slice(dot + 1)) };
}

function numberOf(text: string): number {
  return Number.parseInt(text, NUMBER_BASE);
}
