import { type Reply, textsOf } from '../connection/client.js';
import { emailOf, type Keys, messageAndOrdinal, numberOf, type RedisEmail } from './rows.js';

const NAMES_PAGE = 1_000;

const STEP_EMAILS = 250;

export type ExpiryEntry =
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

export function expiryMember(inbox: string, member: string): string {
  const [name, retentionMs, cost] = member.split(' ', 3);
  return `e ${name} ${retentionMs} ${cost} ${inbox}`;
}

/** The members of inboxes (see append.lua), as a pattern for Redis. */
const STATE_MEMBERS = 's *';

export function clearingMember(inbox: string, clearing: string): string {
  return `x ${clearing} ${inbox}`;
}

export function expiryEntryOf(member: string): ExpiryEntry {
  const [kind, name = '', ...rest] = member.split(' ');
  if (kind === 'x') return { kind: 'clearing', member, clearing: name, inbox: rest.join(' ') };
  if (kind === 's') return { kind: 'state', member, emailsKey: [name, ...rest].join(' ') };
  const [retention = '', cost = '', ...inbox] = rest;
  const numbers = { retentionMs: numberOf(retention), cost: numberOf(cost) };
  return { kind: 'email', member, ...messageAndOrdinal(name), ...numbers, inbox: inbox.join(' ') };
}

/** What one step purges: what has expired up to the next clearing, or some of what was cleared together. */
export type NextExpired =
  | { readonly cleared: null; readonly entries: readonly ExpiryEntry[] }
  | {
      readonly cleared: { readonly member: string; readonly clearing: string };
      readonly emails: readonly { readonly email: RedisEmail; readonly member: string }[];
    };

type Command = (...args: string[]) => Promise<Reply>;

/** What had expired at `now`, the oldest first; null for nothing. */
export async function nextExpired(command: Command, keys: Keys, now: number): Promise<NextExpired | null> {
  const range = ['-inf', `${now}`, 'BYSCORE', 'LIMIT', '0', `${STEP_EMAILS}`];
  const entries = textsOf(await command('ZRANGE', keys.expiryIndex, ...range)).map(expiryEntryOf);
  const [first] = entries;
  if (first === undefined) return null;
  if (first.kind !== 'clearing') {
    const end = entries.findIndex(({ kind }) => kind === 'clearing');
    return { cleared: null, entries: end < 0 ? entries : entries.slice(0, end) };
  }
  const { clearing, member, inbox } = first;
  const rows = textsOf(await command('ZRANGE', keys.cleared(clearing), '0', `${STEP_EMAILS - 1}`, 'WITHSCORES'));
  const emails = rows.flatMap((row, i) => {
    return i % 2 === 0 ? [{ email: emailOf(inbox, row, Number(rows[i + 1])), member: row }] : [];
  });
  return { cleared: { member, clearing }, emails };
}

export function purging(keys: Keys, next: NextExpired, until: number, graceMs: number) {
  const entries =
    next.cleared === null ? next.entries.flatMap((entry) => scriptEntries(keys, entry)) : clearedEntries(keys, next);
  const cleared = next.cleared === null ? keys.expiryIndex : keys.cleared(next.cleared.clearing);
  return {
    keys: [keys.expiryIndex, keys.tally, cleared, ...entries.flatMap((entry) => entry.keys)],
    args: [`${until}`, `${graceMs}`, next.cleared?.member ?? '', ...entries.flatMap((entry) => entry.args)],
  };
}

interface ScriptEntry {
  readonly keys: readonly [string, string];
  readonly args: readonly [kind: string, member: string, ordinal: string, cost: string, clearedMember: string];
}

function scriptEntries(keys: Keys, entry: ExpiryEntry): ScriptEntry[] {
  if (entry.kind === 'email') {
    const { member, message, ordinal, cost, inbox } = entry;
    return [{ keys: [keys.message(message), keys.emails(inbox)], args: ['e', member, `${ordinal}`, `${cost}`, ''] }];
  }
  if (entry.kind === 'clearing') return [];
  return [{ keys: [entry.emailsKey, keys.stateOf(entry.emailsKey)], args: ['s', entry.member, '', '', ''] }];
}

function clearedEntries(keys: Keys, { cleared, emails }: NextExpired & { readonly cleared: object }): ScriptEntry[] {
  return emails.map(({ email, member }) => ({
    keys: [keys.message(email.message), keys.cleared(cleared.clearing)],
    args: ['c', expiryMember(email.inbox, member), `${email.ordinal}`, `${email.cost}`, member],
  }));
}

/** The names of a shard's inboxes with mail, each once: the expiry index has an entry for the state of each. */
export async function* inboxNames(keys: Keys, read: (...args: string[]) => Promise<Reply>): AsyncGenerator<string> {
  // ZSCAN may return a name several times.
  const named = new Set<string>();
  let cursor = '0';
  do {
    const answer = await read('ZSCAN', keys.expiryIndex, cursor, 'MATCH', STATE_MEMBERS, 'COUNT', `${NAMES_PAGE}`);
    const [next, found] = answer as [Buffer, Buffer[]];
    for (const member of textsOf(found)) {
      const entry = expiryEntryOf(member);
      if (entry.kind !== 'state') continue;
      const inbox = keys.inboxOf(entry.emailsKey);
      if (named.has(inbox)) continue;
      named.add(inbox);
      yield inbox;
    }
    cursor = String(next);
  } while (cursor !== '0');
}
