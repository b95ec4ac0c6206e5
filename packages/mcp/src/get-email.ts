import type { EmailParts, ExplainedCandidate, Explanation } from 'mayfly-protocol';
import { MAX_HEADER_CHARS, MAX_PART_CHARS, MAX_SHORT_CHARS } from './bounds.js';
import type { GetEmailInput, GetEmailOutput } from './schemas.js';
import { shown, shownLine, shownUrl } from './shown.js';
import type { Call } from './wait-for-email.js';

/** One part of an email, and whether it was truncated. */
type Part = Partial<GetEmailOutput> & { readonly cut: boolean };

/** Reads one part of an email. Rejects with `ToolError`. */
export async function getEmail(args: GetEmailInput, { mailboxes, signal }: Call): Promise<GetEmailOutput> {
  const { part } = args;
  const inbox = await mailboxes.nameOf(args, signal);
  const receivedAt = new Date(args.received_at).toISOString();
  const email = { inbox, receivedAt };
  const read =
    part === 'explain'
      ? explained(await mailboxes.explanation(email, signal))
      : READERS[part](await mailboxes.contents(email, signal));
  return { received_at: receivedAt, part, ...read };
}

const READERS: Readonly<Record<Exclude<GetEmailInput['part'], 'explain'>, (parts: EmailParts) => Part>> = {
  text: ({ text, incomplete }) => wholeText('text', text, incomplete.includes('text')),
  html: ({ html, incomplete }) => wholeText('html', html, incomplete.includes('html')),
  headers({ headers, incomplete }) {
    const lines = headers.map(({ name, value }) => ({
      name: shownLine(name, MAX_SHORT_CHARS),
      value: shownLine(value, MAX_HEADER_CHARS),
    }));
    const { items, isCut } = fitting(lines);
    return { headers: items, cut: isCut || incomplete.includes('headers') };
  },
  links({ links, incomplete }) {
    // Shows a URL in full or not at all, because a truncated URL leads elsewhere.
    const rows = links.map(({ url, text, place, action }) => {
      return { url: shownUrl(url), text: shownLine(text, MAX_SHORT_CHARS), place, action };
    });
    const { items, isCut } = fitting(rows);
    return { links: items, cut: isCut || incomplete.includes('links') };
  },
  attachments({ parts, incomplete }) {
    const files = parts.filter(({ attachment }) => attachment);
    const rows = files.map(({ filename, type, size, path }) => ({
      name: shownLine(filename ?? `part-${path}`, MAX_SHORT_CHARS),
      type: shownLine(type, MAX_SHORT_CHARS),
      size: size ?? 0,
      path,
    }));
    const { items, isCut } = fitting(rows);
    return { attachments: items, cut: isCut || incomplete.includes('parts') };
  },
};

function wholeText(part: 'text' | 'html', text: string | null, isIncomplete: boolean): Part {
  if (text === null) return { [part]: null, cut: isIncomplete };
  const { text: beginning, isCut } = shown(text, MAX_PART_CHARS);
  return { [part]: beginning, cut: isCut || isIncomplete };
}

function explained(explanation: Explanation): Part {
  const { otp, magicLink, otpThreshold, magicLinkThreshold } = explanation;
  const codes = fitting(explanation.otpCandidates.map(candidate), MAX_PART_CHARS / 4);
  const letters = fitting(explanation.letterCandidates.map(candidate), MAX_PART_CHARS / 4);
  const links = fitting(explanation.magicLinkCandidates.map(candidate), MAX_PART_CHARS / 2);
  return {
    explanation: {
      ...{ otp, otp_threshold: otpThreshold, otp_candidates: codes.items, letter_candidates: letters.items },
      ...{
        magic_link: magicLink && shownUrl(magicLink),
        magic_link_threshold: magicLinkThreshold,
        magic_link_candidates: links.items,
      },
    },
    cut: codes.isCut || letters.isCut || links.isCut,
  };
}

function candidate({ value, verdict, score, reasons, where }: ExplainedCandidate) {
  return {
    ...{ value: shownUrl(value), verdict, score },
    reasons: reasons.map(({ points, text }) => `${points > 0 ? '+' : ''}${points} ${text}`),
    where: shownLine(where, MAX_SHORT_CHARS),
  };
}

/** Returns the first items of a list, as many as fit in `max` characters of JSON. */
function fitting<T>(items: readonly T[], max = MAX_PART_CHARS): { readonly items: T[]; readonly isCut: boolean } {
  let left = max;
  const fit = items.findIndex((item) => {
    left -= JSON.stringify(item).length;
    return left < 0;
  });
  return fit < 0 ? { items: [...items], isCut: false } : { items: items.slice(0, fit), isCut: true };
}
