import { nameIn } from './inbox-name.js';
import { isMadeName } from './made-name.js';

export type Fault =
  | { readonly kind: 'refuse'; readonly at: 'rcpt' | 'data'; readonly code: number; readonly times: number }
  | { readonly kind: 'greylist'; readonly ms: number }
  | { readonly kind: 'limit'; readonly count: number; readonly ms: number }
  | { readonly kind: 'lose'; readonly times: number }
  | { readonly kind: 'delay'; readonly ms: number }
  | { readonly kind: 'twice' | 'hold' };

export type Script = readonly Fault[];

/** Precedes each fault in an inbox name. A name that `createInbox` generates without faults does not contain `--`. */
const MARK = '--';

/** Maximum repetitions of a fault, and maximum messages of a `limit`. No application retries more often than this. */
const MAX_TIMES = 100;

/** Mail libraries wait at most a minute (RFC 5321 section 4.5.3.2.6 allows ten), so longer delays have no use. */
const MAX_DELAY_S = 60;

const MAX_WINDOW_S = 600;
const GREYLIST_S = '5';

/** Codes that RFC 5321 section 4.2.1 allows for a rejection. */
const CODE = '[45][0-5][0-9]';

const FAULTS: readonly (readonly [form: RegExp, fault: (numbers: readonly string[]) => Fault | null])[] = [
  [new RegExp(`^(${CODE})(?:x(\\d+))?$`), (numbers) => refusing('rcpt', numbers)],
  [new RegExp(`^data(${CODE})(?:x(\\d+))?$`), (numbers) => refusing('data', numbers)],
  [/^lost250(?:x(\d+))?$/, ([times = '1']) => within(times, MAX_TIMES, (n) => ({ kind: 'lose', times: n }))],
  [/^delay(\d+)s$/, ([s = '']) => within(s, MAX_DELAY_S, (n) => ({ kind: 'delay', ms: n * 1_000 }))],
  [
    /^greylist(?:(\d+)s)?$/,
    ([s = GREYLIST_S]) => within(s, MAX_WINDOW_S, (n) => ({ kind: 'greylist', ms: n * 1_000 })),
  ],
  [/^limit(\d+)per(\d+)s$/, ([count = '', s = '']) => within(count, MAX_TIMES, (most) => limiting(most, s))],
  [/^twice$/, () => ({ kind: 'twice' })],
  [/^hold$/, () => ({ kind: 'hold' })],
];

/** Matches a mistyped fault: `451-x2`, `-451x2`, `delay90m`, `lost251`. A longer number, `4512`, does not match. */
const LOOKS_LIKE_FAULT =
  /^[-_.+]?(?:(?:data[-_.+]?)?[45]\d\d(?![\da-f])|(?:lost|delay|greylist|limit|hold|twice)[-_.+]?\d)/;

/**
 * Parses the faults in an inbox name, which must be in lower case (D1). Returns null for an ordinary name, even if it
 * contains `--`. Returns `broken` if faults are mistyped or mixed with other text, or if a name that `createInbox`
 * generated has only other text after `--`. Delivering that mail would let a test pass without the failure it tests.
 */
export function scriptOf(inbox: string): Script | 'broken' | null {
  const name = nameIn(inbox);
  const start = name.indexOf(MARK);
  if (start < 0) return null;
  const texts = name.slice(start + MARK.length).split(MARK);
  const faults = texts.map(faultOf);
  const script = faults.filter((fault) => fault !== null);
  if (script.length === faults.length && start > 0) return delayOf(script) > MAX_DELAY_S * 1_000 ? 'broken' : script;
  const isMeant = script.length > 0 || texts.some((text) => LOOKS_LIKE_FAULT.test(text));
  return isMeant || isSimulating(inbox) ? 'broken' : null;
}

/** Whether `createInbox({ simulate })` generated a name: only that call appends `--` and text to a generated name. */
export function isSimulating(inbox: string): boolean {
  const name = nameIn(inbox);
  const start = name.indexOf(MARK);
  return start > 0 && isMadeName(name.slice(0, start));
}

/** The total delay of these faults, in milliseconds. */
export function delayOf(faults: Script): number {
  return faults.reduce((sum, fault) => sum + (fault.kind === 'delay' ? fault.ms : 0), 0);
}

export function isFault(text: string): boolean {
  return faultOf(text) !== null;
}

function faultOf(text: string): Fault | null {
  for (const [form, fault] of FAULTS) {
    const match = form.exec(text);
    if (match !== null) return fault(match.slice(1).filter((number) => number !== undefined));
  }
  return null;
}

function limiting(count: number, seconds: string): Fault | null {
  return within(seconds, MAX_WINDOW_S, (n) => ({ kind: 'limit', count, ms: n * 1_000 }));
}

function refusing(at: 'rcpt' | 'data', [code = '', times]: readonly string[]): Fault | null {
  const refuse = (n: number): Fault => ({ kind: 'refuse', at, code: Number(code), times: n });
  return times === undefined ? refuse(Number.POSITIVE_INFINITY) : within(times, MAX_TIMES, refuse);
}

function within(text: string, most: number, fault: (n: number) => Fault | null): Fault | null {
  const n = Number(text);
  return n >= 1 && n <= most ? fault(n) : null;
}
