import { type Reply, textsOf } from './replies.js';
import { type Due, dueMember, dueOf, emailOf, type Keys, type RedisEmail } from './rows.js';

/** How many emails one step forgets at most. */
const STEP_EMAILS = 250;

/** What one step forgets: what has expired up to the next clearing, or some of what was cleared together. */
export type NextDue =
  | { readonly cleared: null; readonly dues: readonly Due[] }
  | {
      readonly cleared: { readonly member: string; readonly clearing: string };
      readonly emails: readonly { readonly email: RedisEmail; readonly member: string }[];
    };

type Command = (...args: string[]) => Promise<Reply>;

/** Looks for what was due at `now`, that of longest ago first; null when there is nothing. */
export async function nextDue(command: Command, keys: Keys, now: number): Promise<NextDue | null> {
  const range = ['-inf', `${now}`, 'BYSCORE', 'LIMIT', '0', `${STEP_EMAILS}`];
  const dues = textsOf(await command('ZRANGE', keys.due, ...range)).map(dueOf);
  const [first] = dues;
  if (first === undefined) return null;
  if (first.kind !== 'clearing') {
    const end = dues.findIndex(({ kind }) => kind === 'clearing');
    return { cleared: null, dues: end < 0 ? dues : dues.slice(0, end) };
  }
  const { clearing, member, inbox } = first;
  const rows = textsOf(await command('ZRANGE', keys.cleared(clearing), '0', `${STEP_EMAILS - 1}`, 'WITHSCORES'));
  const emails = rows.flatMap((row, i) => {
    return i % 2 === 0 ? [{ email: emailOf(inbox, row, Number(rows[i + 1])), member: row }] : [];
  });
  return { cleared: { member, clearing }, emails };
}

/** Keys and arguments of the script that forgets it (forget.lua). */
export function forgetting(keys: Keys, next: NextDue, until: number, graceMs: number) {
  const entries = next.cleared === null ? next.dues.flatMap((due) => dueEntry(keys, due)) : clearedEntries(keys, next);
  const cleared = next.cleared === null ? keys.due : keys.cleared(next.cleared.clearing);
  return {
    keys: [keys.due, keys.tally, cleared, ...entries.flatMap((entry) => entry.keys)],
    args: [`${until}`, `${graceMs}`, next.cleared?.member ?? '', ...entries.flatMap((entry) => entry.args)],
  };
}

/** One thing that is to be forgotten, as the script takes it. */
interface Entry {
  readonly keys: readonly [string, string];
  readonly args: readonly [kind: string, member: string, ordinal: string, cost: string, clearedMember: string];
}

function dueEntry(keys: Keys, due: Due): Entry[] {
  if (due.kind === 'email') {
    const { member, message, ordinal, cost, inbox } = due;
    return [{ keys: [keys.message(message), keys.emails(inbox)], args: ['e', member, `${ordinal}`, `${cost}`, ''] }];
  }
  if (due.kind === 'clearing') return [];
  return [{ keys: [due.emailsKey, keys.stateOf(due.emailsKey)], args: ['s', due.member, '', '', ''] }];
}

function clearedEntries(keys: Keys, { cleared, emails }: NextDue & { readonly cleared: object }): Entry[] {
  return emails.map(({ email, member }) => ({
    keys: [keys.message(email.message), keys.cleared(cleared.clearing)],
    args: ['c', dueMember(email.inbox, member), `${email.ordinal}`, `${email.cost}`, member],
  }));
}
