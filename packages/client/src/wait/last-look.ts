import type { EmailSummary, ServiceSettings } from 'mayfly-protocol/wire';
import { MAX_COUNT, MAX_NAMED, MAX_WAIT_MS, MOST_LIKELY_SECONDS } from './bounds.js';
import type { Calls } from './calls.js';
import { Deadline, leftMs, sleep } from './deadline.js';
import type { MayflyError } from './errors.js';
import type { LastLook, SeenEmail } from './explain.js';
import { isLater, knownMismatches, mismatches, type Wanted } from './filter.js';
import { askWhy, attemptsOf, BEFORE_MS } from './no-mail.js';
import { now } from './real-time.js';
import { receivedEmail } from './received-email.js';
import { retried } from './retry.js';
import { type Found, nullIfGone, type Search } from './search.js';
import { titleOf } from './text.js';

/** How many of this Mayfly object's newest inboxes are searched for missing mail. */
const MAX_OWN_ASKED = 5;
const SILENT_MS = 1_000;

/** How many of the newest emails are read again to suggest a different call, such as `waitForCode`. */
const MAX_INSPECTED = 3;

const MAX_EXPLAINED_BYTES = 2 ** 22;

/** A wait reads the inbox for its error message this long before its end, or at half of its time if that is later. */
const LAST_LOOK_MS = 2_000;

// Exported here, so that the first read of the inbox also loads the code for the error.
export { vainError } from './explain.js';

export interface Looking {
  readonly search: Search;
  readonly calls: Calls;
  readonly wanted: Wanted;
  readonly begunAt: number;
  readonly time: AbortSignal;
}

/** Reads the inbox now and, given `count`, again shortly before the end of the wait. Never rejects. */
export async function lookAround(look: LastLook, looking: Looking, ending: AbortSignal, count?: number): Promise<void> {
  if (!count) return lookOnce(look, looking, ending);
  void lookOnce(look, looking, ending);
  await sleep(Math.max(leftMs(looking.time) - Math.min(LAST_LOOK_MS, timeoutMs(looking) / 2), 0), ending);
  if (!ending.aborted) await lookOnce(look, looking, ending, count);
}

/** Records the inbox's emails. A wait's last read, which passes `count`, also records domains and delivery attempts. */
async function lookOnce(look: LastLook, looking: Looking, ending: AbortSignal, count?: number): Promise<void> {
  const { search, wanted } = looking;
  const { api } = search;
  // Without conditions, any email ends the wait, so there is nothing to record.
  if (!count && Object.keys(wanted.filter).length === 0 && !wanted.condition) return;
  const time = new Deadline(MAX_WAIT_MS, ending);
  const { signal } = time;
  const againMs = Math.max(timeoutMs(looking) - MOST_LIKELY_SECONDS, 0);
  let mostMs = SILENT_MS;
  const again = (ms: number) => (ms > 0 ? time.postpone(ms) : time.end());
  void sleep(MAX_WAIT_MS, looking.time).then(() => again(Math.min(againMs, mostMs)));
  // Searches the inbox, because a delayed stream may not have delivered all of its emails.
  const noteFound = ({ emails }: Found) => {
    if (emails.length > look.found.length) look.found = emails;
  };
  const sought = count && search.find(count, signal).then(noteFound, () => {});
  try {
    // If the service refuses requests, the retries stop when the wait ends.
    note(look, await retried(looking.time, () => api.summaries({ limit: MAX_COUNT }, signal)));
    mostMs = againMs;
    if (looking.time.aborted) again(leftMs(looking.time) + againMs);
    const { seen = [] } = look;
    const asked = count ? ask(look, looking, signal) : undefined;
    if (count && seen.length === 0) {
      const isRight = ({ domains }: ServiceSettings) => Array.isArray(domains);
      look.domains = (await api.transport.json({ path: '/api/settings', signal }, isRight)).domains;
    }
    const unwanted = count ? seen : seen.filter(({ summary }) => isUnwanted(summary, looking));
    await Promise.all(readable(unwanted).map((one) => read(one, look, looking, signal)));
    const lacking = seen.filter((one) => !one.contents && lacksOnlyContents(one, looking.wanted));
    await Promise.all(lacking.slice(0, MAX_INSPECTED).map((one) => inspect(one, signal)));
    // Races the deadline, because loading a module cannot be aborted.
    await Promise.race([asked, sleep(MAX_WAIT_MS, signal)]);
  } catch (error) {
    // If the list was read and only details are missing, the list explains enough.
    if (!look.seen) look.trouble = error as MayflyError;
  }
  await sought;
  time.end();
}

const timeoutMs = ({ time, begunAt }: Looking) => now() - begunAt + leftMs(time);

function note(look: LastLook, summaries: readonly EmailSummary[]): void {
  const known = new Map(look.seen?.map((one) => [one.summary.receivedAt, one]));
  const present = summaries.map((summary): SeenEmail => {
    const { receivedAt } = summary;
    const one = known.get(receivedAt) ?? { summary };
    known.delete(receivedAt);
    return one;
  });
  const gone = [...known.values()].map((one) => Object.assign(one, { isGone: true })).slice(0, MAX_NAMED);
  const at = ({ summary }: SeenEmail) => Date.parse(summary.receivedAt);
  look.seen = [...present, ...gone].sort((one, other) => at(other) - at(one));
  for (const one of look.seen.slice(MAX_NAMED)) {
    delete one.email;
    delete one.contents;
  }
}

/** Whether this email is known not to match. The wait itself reads the emails that may match. */
function isUnwanted(summary: EmailSummary, { search, wanted: { filter, after } }: Looking): boolean {
  const isJudged = search.judged.get(summary.receivedAt) === null;
  return isJudged || !isLater(summary, after) || knownMismatches(filter, summary).length > 0;
}

function readable(seen: readonly SeenEmail[]): SeenEmail[] {
  let bytes = 0;
  return seen.slice(0, MAX_NAMED).filter(({ summary, isGone }) => {
    bytes += summary.size;
    return bytes <= MAX_EXPLAINED_BYTES && !isGone;
  });
}

/** Reads an email in full. If it matches, which the search may have failed to notice, adds it to the found emails. */
async function read(one: SeenEmail, look: LastLook, looking: Looking, signal: AbortSignal): Promise<void> {
  const { search, calls } = looking;
  const email = one.email ? null : await nullIfGone(search.api.email(one.summary.receivedAt, signal));
  if (!email) return;
  one.email = receivedEmail(email, search.api, calls);
  const wanted = await search.judge(email, signal);
  if (!wanted) return;
  const byTime = new Map([...look.found, wanted].map((email) => [+email.receivedAt, email]));
  look.found = [...byTime.values()].sort((one, other) => +other.receivedAt - +one.receivedAt);
}

async function inspect(one: SeenEmail, signal: AbortSignal): Promise<void> {
  const contents = await nullIfGone(one.email?.load(signal) ?? Promise.resolve(null));
  if (contents) one.contents = contents;
}

function lacksOnlyContents({ email, isGone }: SeenEmail, { filter, condition, after }: Wanted): boolean {
  const { hasOtp, hasMagicLink, ...rest } = filter;
  if (!email || isGone || !isLater(email, after)) return false;
  return Boolean(hasOtp || hasMagicLink || condition) && mismatches(rest, email).length === 0;
}

/** Reads the delivery log and the test's other inboxes, as far as time allows. */
async function ask(look: LastLook, looking: Looking, signal: AbortSignal): Promise<void> {
  const { search, calls, wanted, begunAt } = looking;
  const { api } = search;
  const { address, after } = wanted;
  try {
    const askedAt = Date.now();
    // Measured before the request, because the service may read its clock as soon as the request arrives.
    const timeoutMs = now() - begunAt;
    const answer = await api.attempts(signal);
    const clock = after && { after, askedAt, answeredAt: Date.now() };
    const takenMs = now() - begunAt - timeoutMs;
    const madeMs = begunAt - (calls.own.get(address)?.madeAt ?? Number.NEGATIVE_INFINITY) + takenMs;
    const since = new Date(Date.parse(answer.now) - timeoutMs - Math.min(madeMs, BEFORE_MS));
    const came = await cameToOthers(looking, since, signal);
    const ownKept = came.reduce((sum, { summaries }) => sum + summaries.length, 0);
    const isEmpty = look.seen?.length === 0;
    const isSettled = look.seen?.some(({ summary }) => isLater(summary, after));
    const recipients = isSettled ? [] : recipientsOf(came, look.seen ?? []);
    const elsewhere = recipients.map(({ email, to }) => {
      const which = to.length === 1 ? 'another inbox' : 'other inboxes';
      return `${named(email)} came to ${to.join(' and ')}, ${which} of this ${calls.isOfTest ? 'test' : 'Mayfly object'}.`;
    });
    // Mail in another inbox shows that the application reaches this server, so failed connections explain nothing more.
    const isElsewhere = elsewhere.length > 0 && calls.isOfTest;
    if (isElsewhere) elsewhere.push('Use that inbox, or check which address the test gave the application.');
    if (elsewhere.length > 0) look.attempts = elsewhere.join(' ');
    const told = new Set(recipients.flatMap(({ to }) => to));
    const others = { ...answer, elsewhere: answer.elsewhere.filter(({ to }) => !told.has(to)) };
    const seen = { ...attemptsOf(api), attempts: async () => others };
    const vain = { address, isEmpty: isEmpty && !isElsewhere, timeoutMs, madeMs, ownKept, clock };
    const why = await askWhy(seen, vain, signal);
    look.attempts = [...elsewhere, why].filter(Boolean).join(' ');
  } catch {
    // The error is clear enough without the delivery attempts.
  }
}

interface Came {
  readonly to: string;
  readonly summaries: readonly EmailSummary[];
}

/** The newest email of each other inbox, unless this inbox has it too. Inboxes with the same email share an entry. */
function recipientsOf(came: readonly Came[], seen: readonly SeenEmail[]) {
  const keyOf = ({ id, subject, otp }: EmailSummary) => JSON.stringify([id, subject, otp]);
  const known = new Set(seen.map(({ summary }) => keyOf(summary)));
  const found = new Map<string, { readonly email: EmailSummary; readonly to: string[] }>();
  for (const { to, summaries } of came) {
    const [email] = summaries;
    if (email === undefined || known.has(keyOf(email))) continue;
    const one = found.get(keyOf(email)) ?? { email, to: [] };
    found.set(keyOf(email), one);
    one.to.push(to);
  }
  return [...found.values()];
}

/** Lists mail in the client's newest other inboxes; if tests may share the client, only while it has few inboxes. */
function cameToOthers({ calls, wanted }: Looking, after: Date, signal: AbortSignal): Promise<Came[]> {
  const { own, isOfTest } = calls;
  const query = { after: after.toISOString(), limit: MAX_NAMED };
  const others = [...own].filter(([address]) => address !== wanted.address);
  const asked = isOfTest || others.length <= MAX_OWN_ASKED ? others.slice(-MAX_OWN_ASKED) : [];
  return Promise.all(
    asked.map(async ([to, { api }]) => ({ to, summaries: await api.summaries(query, signal).catch(() => []) })),
  );
}

const named = ({ subject, text, otp }: EmailSummary) => `'${titleOf(subject, text)}'${otp === null ? '' : ` (${otp})`}`;
