import { availableParallelism } from 'node:os';
import { mailDomain } from 'mayfly-protocol/inbox-name';
import { type AddressRange, parseRange } from '../limits/client-address.js';
import type { Rate } from '../limits/rate-limiter.js';
import { STORE_SCHEMES } from '../store/open-store.js';

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
const LOG_FORMATS = ['text', 'json'] as const;

export interface Kind<T> {
  readonly placeholder: string;
  /** Ends the sentence "--name: TEXT is not valid: …". */
  readonly rule: string;
  /** The largest value in the operator's notation, if `--help` should mention it. */
  readonly most?: string;
  /** Replaces `rule` in the error if the text itself shows the mistake. */
  why?(text: string): string | undefined;
  /** How an error shows an invalid text that may hold a secret (errors end up in logs); by default, the text itself. */
  shown?(text: string): string;
  /** The value; undefined if the text breaks the rule. */
  parse(text: string): T | undefined;
}

const DURATION_UNITS_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const SIZE_UNITS = { B: 1, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 } as const;

/** Timers count milliseconds in 31 bits. A timer with a longer delay would fire immediately. */
const MAX_DURATION_MS = 2 ** 31 - 1;

const MAX_RATE_COUNT = 1_000_000;

function withUnit(text: string, units: Readonly<Record<string, number>>): number | undefined {
  const [, digits, unit = ''] = /^(\d{1,12})([A-Za-z]{1,3})$/.exec(text) ?? [];
  const factor = Object.hasOwn(units, unit) ? units[unit] : undefined;
  return digits === undefined || factor === undefined ? undefined : Number(digits) * factor;
}

/** A number from `least` to `greatest` that `read` finds in a text. */
function numberKind(
  shape: Pick<Kind<number>, 'placeholder' | 'rule' | 'most'>,
  [least, greatest]: readonly [number, number],
  read: (text: string) => number | undefined,
): Kind<number> {
  return {
    ...shape,
    parse(text) {
      const value = read(text) ?? Number.NaN;
      return value >= least && value <= greatest ? value : undefined;
    },
  };
}

export function durationUpTo(most: string): Kind<number> {
  const greatest = Math.min(withUnit(most, DURATION_UNITS_MS) ?? 0, MAX_DURATION_MS);
  const rule = `use a whole number with the unit ms, s, m, h or d, such as 30m; at most ${most}`;
  return numberKind({ placeholder: 'TIME', rule, most }, [1, greatest], (text) => withUnit(text, DURATION_UNITS_MS));
}

export const duration = durationUpTo('24d');

export function sizeUpTo(most: string): Kind<number> {
  const rule = `use a whole number with the unit B, KiB, MiB or GiB, such as 10KiB; at most ${most}`;
  const greatest = withUnit(most, SIZE_UNITS) ?? 0;
  return numberKind({ placeholder: 'SIZE', rule, most }, [1, greatest], (text) => withUnit(text, SIZE_UNITS));
}

/** An amount and a time with a slash between them; null for `off`. */
function perTime<T>(
  shape: Pick<Kind<T>, 'placeholder' | 'rule'>,
  [amount, time]: readonly [Kind<number>, Kind<number>],
  made: (amount: number, timeMs: number) => T,
): Kind<T | null> {
  return {
    ...shape,
    parse(text) {
      if (text === 'off') return null;
      const [one = '', ...rest] = text.split('/');
      const [count, timeMs] = [amount.parse(one), time.parse(rest.join('/'))];
      return count === undefined || timeMs === undefined ? undefined : made(count, timeMs);
    },
  };
}

export const rate = perTime<Rate>(
  {
    placeholder: 'RATE',
    rule: `use a number per time, such as 20/10s, or off; number at most ${MAX_RATE_COUNT}, time at most 24d`,
  },
  [countUpTo(MAX_RATE_COUNT), duration],
  (count, windowMs) => ({ count, windowMs }),
);

export const speed = perTime(
  { placeholder: 'SPEED', rule: 'use a size per time, such as 16KiB/1m, or off; size at most 1GiB, time at most 1h' },
  [sizeUpTo('1GiB'), durationUpTo('1h')],
  (bytes, periodMs) => ({ bytes, periodMs }),
);

function wholeNumber(text: string): number | undefined {
  return /^\d{1,12}$/.test(text) ? Number(text) : undefined;
}

export function countUpTo(most: number): Kind<number> {
  const rule = `use a whole number from 1 to ${most}`;
  return numberKind({ placeholder: 'NUMBER', rule, most: String(most) }, [1, most], wholeNumber);
}

/** No machine needs more: one thread parses a thousand messages per second. */
const MAX_THREADS = 64;

/** `auto` leaves one processor for everything else. */
export const threads = numberKind(
  { ...countUpTo(MAX_THREADS), rule: `use a whole number from 1 to ${MAX_THREADS}, or auto` },
  [1, MAX_THREADS],
  (text) => (text === 'auto' ? Math.min(Math.max(availableParallelism() - 1, 1), MAX_THREADS) : wholeNumber(text)),
);

export const port = numberKind(
  { placeholder: 'PORT', rule: 'use a port from 0 to 65535; 0 picks a free port' },
  [0, 65_535],
  wholeNumber,
);

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** A port of this machine, or of an address (IPv6 in brackets). */
export const listenAddress: Kind<ListenAddress> = {
  placeholder: '[HOST:]PORT',
  rule: 'use a port, or an address and a port such as 0.0.0.0:9464 or [::1]:9464',
  parse(text) {
    const [, bracketed, bare, digits = ''] =
      /^(?:(?:\[([0-9A-Fa-f:.]{2,45})\]|([A-Za-z0-9._-]{1,255})):)?(\d{1,5})$/.exec(text) ?? [];
    const parsed = port.parse(digits);
    return parsed === undefined ? undefined : { host: bracketed ?? bare ?? '127.0.0.1', port: parsed };
  },
};

export const host: Kind<string> = {
  placeholder: 'HOST',
  rule: 'use an IP address or a host name',
  parse: (text) => (/^[A-Za-z0-9.:_-]{1,255}$/.test(text) ? text : undefined),
};

/** RFC 1035 section 2.3.4: a label has at most 63 bytes, and a name 255, two of which are not part of its text. */
const MAX_DOMAIN_LENGTH = 253;
const DOMAIN_LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/i;

/** A domain as `mailDomain` writes it; `*` for any. */
export const domain: Kind<string> = {
  placeholder: 'DOMAIN',
  rule: 'use a domain name such as inbox.example.com, or * for any',
  parse(text) {
    if (text === '*') return text;
    const name = mailDomain(text) ?? '';
    const isName = name.length <= MAX_DOMAIN_LENGTH && name.split('.').every((label) => DOMAIN_LABEL.test(label));
    return isName ? name : undefined;
  },
};

/** Refused, because shells do not expand this `~`, and deleting a folder named `~` may delete the home folder. */
const UNEXPANDED_HOME = /^lmdb:~(?:\/|$)/;

const STORE_FORMS = STORE_SCHEMES.map((scheme) => scheme.form).join(' or ');

export const store: Kind<string> = {
  placeholder: 'STORE',
  rule: `use ${STORE_FORMS}; for ~ in DIR, write $HOME`,
  why(text) {
    const isPath = /^(?:[A-Za-z]:[\\/]|[^:\s]+$)/.test(text);
    const meant = text === 'memory' ? 'memory:' : `lmdb:${text.replace(/^~(?=\/|$)/, '$HOME')}`;
    return isPath ? `did you mean ${meant}? Use ${STORE_FORMS}` : undefined;
  },
  // A URL may contain a password, even with a misspelt scheme.
  shown: (text) => text.replace(/^([^/]*\/\/).*@/, '$1…@'),
  parse: (text) => {
    const isKnown = STORE_SCHEMES.some((scheme) => scheme.pattern.test(text));
    return isKnown && !UNEXPANDED_HOME.test(text) ? text : undefined;
  },
};

export const cidr: Kind<AddressRange> = {
  placeholder: 'CIDR',
  rule: 'use an IP address or a range such as 10.0.0.0/8',
  parse: (text) => parseRange(text) ?? undefined,
};

/** An origin in the form that browsers send (RFC 6454); `*` for any. */
export const origin: Kind<string> = {
  placeholder: 'ORIGIN',
  rule: 'use an origin such as https://app.example.com (scheme and host, no path), or *',
  parse(text) {
    if (text === '*') return text;
    return URL.canParse(text) && /^https?:/.test(text) && new URL(text).origin === text ? text : undefined;
  },
};

export interface WorkspaceKey {
  readonly workspace: string;
  readonly key: string;
}

/** Minimum length of a key in characters, so that no key can be guessed (D15). */
const MIN_KEY_LENGTH = 16;
const MAX_KEY_LENGTH = 512;

/** Whether a text can be a key: long enough, and a valid bearer credential (RFC 6750 section 2.1). */
export function isApiKey(text: string): boolean {
  // Checks the length first, to bound a client's text before the expression reads it.
  return text.length >= MIN_KEY_LENGTH && text.length <= MAX_KEY_LENGTH && /^[A-Za-z0-9._~+/-]+=*$/.test(text);
}

export const workspaceKey: Kind<WorkspaceKey> = {
  placeholder: 'NAME=KEY',
  rule: `use NAME=KEY; the name has at most 32 characters of a-z and 0-9 with single hyphens, the key ${MIN_KEY_LENGTH} to ${MAX_KEY_LENGTH} letters, digits and -._~+/`,
  shown: (text) => `${text.split('=', 1)[0]}=…`,
  parse(text) {
    const [, workspace, key = ''] = /^([a-z0-9](?:-?[a-z0-9]){0,31})=(.*)$/.exec(text) ?? [];
    return workspace === undefined || !isApiKey(key) ? undefined : { workspace, key };
  },
};

const pathOf = (placeholder: string, what: string): Kind<string> => ({
  placeholder,
  rule: `use the path of a ${what}`,
  parse: (text) => (text === '' ? undefined : text),
});

export const file = pathOf('FILE', 'file');
export const folder = pathOf('DIR', 'folder');
export const plugin = pathOf('FILE-OR-PACKAGE', 'JavaScript file, or the name of an installed package');

export function oneOf<Word extends string>(
  placeholder: string,
  words: readonly Word[],
  rule = `use one of ${words.join(', ')}`,
): Kind<Word> {
  return { placeholder, rule, parse: (text) => words.find((word) => word === text) };
}

/** The part of an address that names an inbox (D64). */
export const inboxBy = oneOf('PART', ['address', 'name'], 'use address or name');

export const ownTls = oneOf('TLS', ['off', 'self-signed'], 'use off or self-signed');

export const toggle: Kind<boolean> = {
  placeholder: '',
  rule: 'use true or false',
  parse: (text) => ({ true: true, false: false })[text],
};

export const logLevel = oneOf('LEVEL', LOG_LEVELS);

export const logFormat = oneOf('FORMAT', LOG_FORMATS);
