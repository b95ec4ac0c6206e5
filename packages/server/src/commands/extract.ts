import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { jsonText } from 'mayfly-cli';
import type { ExplainedCandidate, Explanation } from 'mayfly-mail/internal/extract/explain';
import type { ListedCode, ListedLink } from 'mayfly-mail/internal/extract/listing';
import { SettingsError } from '../settings/reading.js';
import { whyUnreadable } from '../settings/resources.js';
import type { Command, Invocation } from './command.js';

/** How a message begins: with a header field's name (RFC 5322 section 2.2), or the `From ` line of a mailbox file. */
const MESSAGE_BEGINNING = /^(?:From |[!-9;-~]+[ \t]*:)/;

const BEGINNING_BYTES = 1_000;

/** Mayfly would not have accepted a larger file as a message. */
const MAX_FILE_BYTES = 100 * 1024 * 1024;

export const extract: Command = {
  usage: 'extract [FILE] [OPTIONS]',
  summary: 'Shows the otp and magicLink of a message, and why.',
  description:
    'Reads one message (an .eml file, or standard input) and prints the otp (a code of 4 to 8 digits) and the ' +
    'magicLink that Mayfly would extract from it, or null. --explain and --json also list codes with letters and ' +
    'other links. No service is needed.',
  settings: [],
  switches: {
    explain:
      'Prints every number and link that was considered, with its score and the reasons, then all codes (also ' +
      'with letters), all links, and the action link.',
    json: 'Prints the result as JSON, with all codes (also with letters) and links of the message.',
  },
  maxOperands: 1,
  run: extractFrom,
};

async function extractFrom({ switches, operands }: Invocation): Promise<number> {
  const [file = '-'] = operands;
  const message = await read(file === '-' ? process.stdin : createReadStream(file), file);
  // Imported on use, because these modules load the word lists, which would slow down all other commands.
  const [{ explain }, { listCodesAndLinks }, { parseMessage }] = await Promise.all([
    import('mayfly-mail/internal/extract/explain'),
    import('mayfly-mail/internal/extract/listing'),
    import('mayfly-mail/internal/mime/parse'),
  ]);
  const parts = parseMessage(message);
  const explanation = explain(parts);
  const { otp, magicLink } = explanation;
  if (otp === null && magicLink === null) hintAt(message, file);
  if (switches.has('json') || switches.has('explain')) {
    const { codes, links } = listCodesAndLinks(parts);
    const found = switches.has('explain') ? explanation : { otp, magicLink };
    const text = `${explanationTable(explanation)}\n${listingTable(codes.items, links.items)}`;
    print(switches.has('json') ? jsonText({ ...found, codes: codes.items, links: links.items }) : text);
  } else {
    print(`otp: ${otp}\nmagicLink: ${magicLink}`);
  }
  return 0;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function hintAt(message: Buffer, file: string): void {
  if (MESSAGE_BEGINNING.test(message.toString('latin1', 0, BEGINNING_BYTES))) return;
  const input = file === '-' ? 'standard input' : file;
  const reason = message.length === 0 ? 'is empty' : 'does not begin with an email header';
  process.stderr.write(`mayfly: ${input} ${reason}. Provide a complete message, such as an .eml file.\n`);
}

async function read(stream: Readable, file: string): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of stream) {
      pieces.push(piece);
      bytes += piece.length;
      if (bytes > MAX_FILE_BYTES) throw new Error(`it is larger than ${MAX_FILE_BYTES} bytes`);
    }
  } catch (error) {
    throw new SettingsError(`${file} cannot be read: ${whyUnreadable(error)}.`);
  }
  return Buffer.concat(pieces, bytes);
}

const MAX_VALUE_CHARS = 72;

export function explanationTable(explanation: Explanation): string {
  const { otp, otpThreshold, otpCandidates, magicLink, magicLinkThreshold, magicLinkCandidates } = explanation;
  const rejected = explanation.letterCandidates.filter(({ verdict }) => verdict !== 'chosen');
  const lines = [
    ...section('otp', otp, otpThreshold, otpCandidates, 'number'),
    ...(rejected.length === 0 ? [] : ['', 'rejected candidates with letters:', ...rejected.flatMap(candidateLines)]),
    '',
    ...section('magicLink', magicLink, magicLinkThreshold, magicLinkCandidates, 'link'),
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

function listingTable(codes: readonly ListedCode[], links: readonly ListedLink[]): string {
  const shownLinks = links.map(({ url, action, text, place, ...rest }) => {
    return { ...rest, value: action ? `-> ${url}` : url, where: text === url ? place : text };
  });
  return [
    ...list(
      'codes, letters included',
      codes.map(({ place, ...rest }) => ({ ...rest, where: place })),
    ),
    '',
    ...list('links, and the action link', shownLinks),
  ].join('\n');
}

function list(title: string, found: readonly Omit<ExplainedCandidate, 'verdict'>[]): string[] {
  return found.length === 0 ? [`${title}: none`] : [`${title}:`, ...found.flatMap(candidateLines)];
}

type Candidate = Omit<ExplainedCandidate, 'verdict'> & Partial<Pick<ExplainedCandidate, 'verdict'>>;

function candidateLines({ value, verdict, score, where, reasons }: Candidate): string[] {
  const points = verdict === 'excluded' ? [] : [`${score} points`];
  const place = where === '' ? '' : ` (${oneLine(where)})`;
  const judged = [...points, ...(verdict === undefined ? [] : [verdict])].join(', ');
  return ['', `  ${shortened(oneLine(value))}${place}: ${judged}`, ...reasons.map(reasonLine)];
}

function reasonLine({ rule, points, text }: ExplainedCandidate['reasons'][number]): string {
  const signed = points > 0 ? `+${points}` : points === 0 ? '' : String(points);
  return `    ${signed.padStart(4)}  ${text}  [${rule}]`;
}

function shortened(value: string): string {
  return value.length <= MAX_VALUE_CHARS ? value : `${value.slice(0, MAX_VALUE_CHARS - 1)}…`;
}

function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
}
