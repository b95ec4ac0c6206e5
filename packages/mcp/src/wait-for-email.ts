import type { EmailParts, EmailSummary } from 'mayfly-protocol';
import {
  DETAILS_MS,
  MAX_ARRIVED,
  MAX_CODES,
  MAX_SENDER_CHARS,
  MAX_SHORT_CHARS,
  MAX_SUBJECT_CHARS,
  MAX_WHY_CHARS,
  PREVIEW_CHARS,
} from './bounds.js';
import type { Given } from './given.js';
import { type BriefEmail, type Mailboxes, ToolError, type Wanted } from './mailboxes.js';
import { type Report, reportProgress } from './progress.js';
import type { WaitInput, WaitOutput } from './schemas.js';
import { shown, shownLine, shownUrl } from './shown.js';

/** The context of a call. */
export interface Call {
  readonly mailboxes: Mailboxes;
  readonly given: Given;
  /** Aborts when the result is no longer needed. */
  readonly signal: AbortSignal;
  /** Reports the progress of the call; null if the host did not request it. */
  readonly report: Report | null;
}

/** Waits for an email. Resolves with `found: false` at a timeout. Rejects with `ToolError`. */
export async function waitForEmail(args: WaitInput, call: Call): Promise<WaitOutput> {
  const { mailboxes, given, signal } = call;
  const wanted = wantedBy(args);
  const endsAt = performance.now() + args.timeout_seconds * 1000;
  const inbox = await mailboxes.nameOf(args, signal);
  const endProgress = call.report && reportProgress(call.report, args.timeout_seconds);
  try {
    const email = await nextNotGiven(inbox, wanted, endsAt, call);
    if (email === null) return notFound(inbox, args, await whatArrived(inbox, wanted, args.timeout_seconds, call));
    const details = await detailsOf(inbox, email, call);
    // If the client canceled the call, it has not seen the email, so a later wait returns it.
    if (!signal.aborted) given.add(inbox, email.receivedAt);
    return found(email, details);
  } finally {
    endProgress?.();
  }
}

function wantedBy({ after, from, subject, body, require_otp, require_magic_link }: WaitInput): Wanted {
  // Normalized to the format of `receivedAt`.
  const time = after && new Date(after).toISOString();
  return {
    ...{ after: time, from, subject, body },
    ...{ hasOtp: require_otp || undefined, hasMagicLink: require_magic_link || undefined },
  };
}

/**
 * The newest matching email that no earlier wait returned. Emails older than a returned email are ignored, because only
 * the newest code is valid.
 */
async function nextNotGiven(
  inbox: string,
  wanted: Wanted,
  endsAt: number,
  { mailboxes, given, signal }: Call,
): Promise<BriefEmail | null> {
  let { after } = wanted;
  for (;;) {
    signal.throwIfAborted();
    const timeoutMs = Math.ceil(endsAt - performance.now());
    if (timeoutMs <= 0) return null;
    const email = await mailboxes.next(inbox, { ...wanted, after }, { timeoutMs, signal });
    if (email === null || !given.has(inbox, email.receivedAt)) return email;
    after = email.receivedAt;
  }
}

/** Reads the email's details. If that fails, resolves to a sentence, so that the email is still returned. */
function detailsOf(inbox: string, { receivedAt }: BriefEmail, call: Call): Promise<EmailParts | string> {
  return inTime(call, (signal) => call.mailboxes.contents({ inbox, receivedAt }, signal));
}

/** Resolves to the result of `read`, which gets a separate timeout, or to a sentence if `read` fails. */
async function inTime<T>(call: Call, read: (signal: AbortSignal) => Promise<T>): Promise<T | string> {
  const time = AbortSignal.timeout(DETAILS_MS);
  try {
    return await read(AbortSignal.any([call.signal, time]));
  } catch (error) {
    call.signal.throwIfAborted();
    if (time.aborted) return 'Reading the inbox took too long.';
    if (error instanceof ToolError) return error.message;
    throw error;
  }
}

function found(email: BriefEmail, details: EmailParts | string): WaitOutput {
  const isRead = typeof details !== 'string';
  return {
    found: true,
    otp: email.otp,
    magic_link: email.magicLink && shownUrl(email.magicLink),
    action_link: isRead ? actionLinkOf(details) : null,
    codes: isRead ? details.codes.slice(0, MAX_CODES).map(({ value }) => value) : [],
    from: shownLine(email.from, MAX_SENDER_CHARS),
    subject: shownLine(email.subject, MAX_SUBJECT_CHARS),
    received_at: email.receivedAt,
    body_preview: shown(email.body, PREVIEW_CHARS).text,
    next_after: email.receivedAt,
    ...(isRead ? {} : { advice: `codes and action_link could not be read: ${details} get_email returns the links.` }),
  };
}

function actionLinkOf({ links }: EmailParts): string | null {
  const link = links.find(({ action }) => action);
  return link === undefined ? null : shownUrl(link.url);
}

/** The newest emails, or why they could not be listed. */
type Arrived =
  | { readonly summaries: readonly EmailSummary[]; readonly reasons: readonly string[]; readonly attempts: string }
  | string;

function whatArrived(inbox: string, wanted: Wanted, seconds: number, call: Call): Promise<Arrived> {
  return inTime(call, async (signal) => {
    const page = { after: wanted.after, limit: MAX_ARRIVED };
    const summaries = await call.mailboxes.summaries(inbox, page, signal);
    const reasons = summaries.map((one) => reasonOf(wanted, one, call.given.has(inbox, one.receivedAt)));
    const inVain = { isEmpty: summaries.length === 0, timeoutMs: seconds * 1000 };
    // The explanation is optional, so a failure to fetch it only omits it.
    const attempts = await call.mailboxes.whyNothing(inbox, inVain, signal).catch(() => '');
    return { summaries, reasons, attempts: shown(attempts, MAX_WHY_CHARS).text };
  });
}

/** Why an email does not match. */
function reasonOf(wanted: Wanted, { from, subject, otp, magicLink, cut }: EmailSummary, isGiven: boolean): string {
  if (isGiven) return 'an earlier wait_for_email returned it';
  const reasons: string[] = [];
  if (lacks(wanted.from, from)) reasons.push('its sender does not match "from"');
  if (lacks(wanted.subject, subject) && !cut.includes('subject')) reasons.push('its subject does not match "subject"');
  if (wanted.hasOtp && otp === null) {
    reasons.push('it has no code of 4 to 8 digits (without require_otp, "codes" also lists codes with letters)');
  }
  if (wanted.hasMagicLink && magicLink === null && !cut.includes('magicLink')) {
    reasons.push('it has no verification or reset link (omit require_magic_link if any "action_link" will do)');
  }
  if (reasons.length > 0) return reasons.join('; ');
  if (wanted.body !== undefined) return 'its text does not match "body"';
  return 'it arrived at the last moment, or is older than an email that an earlier wait_for_email returned';
}

function lacks(part: string | undefined, text: string | null): boolean {
  return part !== undefined && text !== null && !text.toLowerCase().includes(part.toLowerCase());
}

function notFound(inbox: string, { after, timeout_seconds }: WaitInput, arrived: Arrived): WaitOutput {
  const again =
    after === undefined
      ? 'To keep waiting, call again with the same arguments.'
      : `To keep waiting, call again with after="${after}".`;
  return {
    ...{ found: false, otp: null, magic_link: null, action_link: null, codes: [] },
    ...{ from: null, subject: null, received_at: null, body_preview: null },
    next_after: after ?? null,
    arrived:
      typeof arrived === 'string' ? [] : arrived.summaries.map((one, i) => arrivedEmail(one, arrived.reasons[i])),
    advice: `${whatCame(inbox, timeout_seconds, arrived)} ${again}`,
  };
}

function arrivedEmail({ receivedAt, from, subject }: EmailSummary, reason = '') {
  return {
    received_at: receivedAt,
    from: shownLine(from ?? '', MAX_SENDER_CHARS),
    subject: shownLine(subject, MAX_SHORT_CHARS),
    why_not: reason,
  };
}

function whatCame(inbox: string, seconds: number, arrived: Arrived): string {
  if (typeof arrived === 'string') return `No matching email arrived at ${inbox} in ${seconds} s. ${arrived}`;
  const { summaries, attempts } = arrived;
  if (summaries.length > 0) {
    return `No matching email arrived at ${inbox} in ${seconds} s; see "arrived". ${attempts}`.trim();
  }
  if (attempts !== '') return `No email arrived at ${inbox} in ${seconds} s. ${attempts}`;
  return `No email arrived at ${inbox} in ${seconds} s: was it sent to this address, through the SMTP server that create_inbox returned?`;
}
