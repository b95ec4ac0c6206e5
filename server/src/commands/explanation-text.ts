import type { ExplainedCandidate, Explanation } from '../mail/extract/explain.js';
import type { ListedCode, ListedLink } from '../mail/extract/listing.js';

const MAX_VALUE_CHARS = 72;

/** An explanation as a table for the terminal: lines of text, each ended by a line break. */
export function explanationTable(explanation: Explanation): string {
  const lines = [
    ...section('otp', explanation.otp, explanation.otpThreshold, explanation.otpCandidates, 'number'),
    ...rejectedLetters(explanation.letterCandidates),
    '',
    ...section(
      'magicLink',
      explanation.magicLink,
      explanation.magicLinkThreshold,
      explanation.magicLinkCandidates,
      'link',
    ),
  ];
  return `${lines.join('\n')}\n`;
}

/** What a message holds beyond its code and its link: all codes, and all links with the one to follow. */
export function listingTable(codes: readonly ListedCode[], links: readonly ListedLink[]): string {
  const lines = [
    ...list('codes, letters included', codes, ({ value }) => value),
    '',
    ...list('links, and the one to follow', links, ({ url, action }) => (action ? `-> ${url}` : url)),
  ];
  return `${lines.join('\n')}\n`;
}

function section(
  field: string,
  result: string | null,
  threshold: number,
  candidates: readonly ExplainedCandidate[],
  kind: string,
): string[] {
  const title = `${field}: ${result === null ? 'null' : oneLine(result)}`;
  if (candidates.length === 0) return [title, `  The message contains no ${kind} that qualifies.`];
  return [title, `  ${threshold} points are needed.`, ...candidates.flatMap(candidateLines)];
}

function rejectedLetters(candidates: readonly ExplainedCandidate[]): string[] {
  const rejected = candidates.filter(({ verdict }) => verdict !== 'chosen');
  return rejected.length === 0 ? [] : ['', 'letters that are not a code:', ...rejected.flatMap(candidateLines)];
}

function list<T extends ListedCode | ListedLink>(
  title: string,
  found: readonly T[],
  name: (one: T) => string,
): string[] {
  if (found.length === 0) return [`${title}: none`];
  const lines = found.flatMap((one) => {
    const where = 'text' in one && one.text !== one.url ? one.text : one.place;
    return [
      '',
      `  ${shortened(oneLine(name(one)))} (${oneLine(where)}): ${one.score} points`,
      ...one.reasons.map(reasonLine),
    ];
  });
  return [`${title}:`, ...lines];
}

function candidateLines({ value, verdict, score, where, reasons }: ExplainedCandidate): string[] {
  const points = verdict === 'excluded' ? '' : `${score} points, `;
  const place = where === '' ? '' : ` (${oneLine(where)})`;
  return ['', `  ${shortened(oneLine(value))}${place}: ${points}${verdict}`, ...reasons.map(reasonLine)];
}

function reasonLine({ rule, points, text }: ExplainedCandidate['reasons'][number]): string {
  const signed = points > 0 ? `+${points}` : points === 0 ? '' : String(points);
  return `    ${signed.padStart(4)}  ${text}  [${rule}]`;
}

function shortened(value: string): string {
  return value.length <= MAX_VALUE_CHARS ? value : `${value.slice(0, MAX_VALUE_CHARS - 1)}…`;
}

/** Text of a message on one line, without what could move a terminal's cursor. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
}
