import { meantBy } from 'mayfly-protocol/misspelled';
import type { Kind } from '../settings/kinds.js';
import { PLUGIN_API, pluginVersion } from './define.js';

/** Of each table of a plugin. */
const MAX_ROWS = 100;

const MAX_TEXT = 1_000;

const NAME = /^[a-z]{1,30}(?:-[a-z0-9]{1,30}){0,5}$/;

/** Also a flag, a variable and an option: no digits. */
const SETTING_NAME = /^[a-z]{1,30}(?:-[a-z]{1,30}){0,5}$/;

const ENHANCED = /^[45]\.\d{1,3}\.\d{1,3}$/;

type Row = Readonly<Record<string, unknown>>;

/** Whether a value fits, and what is asked of it otherwise. */
type Rule = readonly [fits: (value: never) => boolean, asked: string];

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= MAX_TEXT && !/[\p{Cc}\u2028\u2029]/u.test(value);
const isFunction = (value: unknown) => typeof value === 'function';
const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null;
const isErrorCode = (value: unknown) => Number.isInteger(value) && Number(value) >= 400 && Number(value) <= 599;

const TEXT: Rule = [isText, `a text of one line, at most ${MAX_TEXT} characters long`];
const FUNCTION: Rule = [isFunction, 'a function'];
const ERROR_CODE: Rule = [isErrorCode, 'a whole number from 400 to 599'];
const optionally = ([fits, asked]: Rule): Rule => [(value) => value === undefined || fits(value), asked];

const KIND: Readonly<Record<string, Rule>> = {
  placeholder: [(value) => value === '' || isText(value), 'a text; empty for what is on or off'],
  rule: TEXT,
  parse: FUNCTION,
  why: optionally(FUNCTION),
  shown: optionally(FUNCTION),
  most: optionally(TEXT),
};

const SETTING: Readonly<Record<string, Rule>> = {
  kind: [(value) => isRow(value) && flawOfRow(value, KIND) === null, 'one of "kinds", or of that form'],
  default: [(value) => value === null || typeof value === 'string', 'a text, or null for none'],
  several: [(value) => typeof value === 'boolean', 'true or false'],
  description: TEXT,
  group: optionally(TEXT),
  needs: optionally([
    (value: unknown) => isRow(value) && isText(value.setting) && isText(value.sentence),
    'an object of a "setting" and a "sentence"',
  ]),
};

const HTTP_ERROR: Readonly<Record<string, Rule>> = {
  code: [(value) => typeof value === 'string' && NAME.test(value), 'in lower case, with hyphens'],
  status: ERROR_CODE,
  text: TEXT,
  hint: optionally(TEXT),
  where: TEXT,
};

const SMTP_ERROR: Readonly<Record<string, Rule>> = {
  code: ERROR_CODE,
  enhanced: [(value) => typeof value === 'string' && ENHANCED.test(value), 'an enhanced code, such as 4.7.1'],
  text: [(value) => typeof value === 'string' && /^[ -~]{1,400}$/.test(value), 'at most 400 characters of ASCII'],
  isRehearsed: optionally([(value) => value === true, 'true']),
};

export function isSmtpError(value: unknown): boolean {
  return isRow(value) && flawOfRow(value, SMTP_ERROR) === null;
}

const LIMIT: Readonly<Record<string, Rule>> = {
  setting: TEXT,
  text: TEXT,
  where: TEXT,
  takesBasic: optionally([(value) => typeof value === 'boolean', 'true or false']),
};

const PART: Readonly<Record<string, Rule>> = {
  path: [(value: unknown) => value instanceof RegExp, 'a regular expression'],
  part: TEXT,
  option: TEXT,
};

const PLUGIN: Readonly<Record<string, Rule>> = {
  name: [(value) => typeof value === 'string' && NAME.test(value), 'in lower case, with hyphens'],
  settings: optionally([isRow, 'an object']),
  errors: optionally([isRow, 'an object']),
  limits: optionally([isRow, 'an object']),
  optionalParts: optionally([Array.isArray, 'an array']),
  check: optionally(FUNCTION),
  isOn: optionally(FUNCTION),
  sending: optionally(FUNCTION),
  examine: optionally(FUNCTION),
  tasks: optionally(FUNCTION),
  setUp: FUNCTION,
};

/** What is wrong with a plugin from outside, as the end of a sentence that begins with its file; null for nothing. */
export function flawIn(value: unknown): string | null {
  const version = pluginVersion(value);
  if (version === null) return 'is not a plugin: its default export must come from definePlugin of mayfly-inbox/plugin';
  if (version !== PLUGIN_API) {
    return `is for version ${version} of the plugin API, but this Mayfly has version ${PLUGIN_API}: install versions that belong together`;
  }
  const plugin = value as Row;
  const flaw = flawOfRow(plugin, PLUGIN) ?? flawOfTables(plugin);
  return flaw === null ? null : `is not a valid plugin: ${flaw}`;
}

function flawOfTables({ settings = {}, errors = {}, limits = {}, optionalParts = [] }: Row): string | null {
  const { http = {}, smtp = {}, ...others } = errors as Row;
  const [other] = Object.keys(others);
  if (other !== undefined) return `"errors" has "${other}", but takes only "http" and "smtp"`;
  const rows = settings as Readonly<Record<string, Row>>;
  const odd = Object.keys(rows).find((name) => !SETTING_NAME.test(name));
  if (odd !== undefined) return `the setting "${odd}" must have a name of lower-case letters and hyphens`;
  return (
    flawOfTable('settings', rows, SETTING) ??
    flawOfDefaults(rows) ??
    flawOfTable('errors.http', http, HTTP_ERROR) ??
    flawOfTable('errors.smtp', smtp, SMTP_ERROR) ??
    flawOfTable('limits', limits, LIMIT) ??
    flawOfLimits(limits as Readonly<Record<string, Row>>, rows) ??
    flawOfTable('optionalParts', optionalParts, PART)
  );
}

function flawOfLimits(limits: Readonly<Record<string, Row>>, settings: Readonly<Record<string, Row>>): string | null {
  for (const name of Object.values(limits).map(({ setting }) => String(setting))) {
    if (!Object.hasOwn(settings, name)) return `a limit names the setting "${name}", which the plugin does not have`;
    const { kind, default: standard } = settings[name] as Row & { readonly kind: Kind<unknown> };
    const rate = standard === null ? null : kind.parse(String(standard));
    const isRate = rate === null || (isRow(rate) && Number(rate.count) > 0 && Number(rate.windowMs) > 0);
    if (!isRate) return `a limit names the setting "${name}", which must be of kinds.rate`;
  }
  return null;
}

function flawOfTable(title: string, table: unknown, rules: Readonly<Record<string, Rule>>): string | null {
  if (!isRow(table)) return `"${title}" must be an object`;
  const rows = Object.entries(table);
  if (rows.length > MAX_ROWS) return `"${title}" has more than ${MAX_ROWS} rows`;
  for (const [name, row] of rows) {
    const flaw = isRow(row) ? flawOfRow(row, rules) : 'it must be an object';
    if (flaw !== null) return `"${name}" in "${title}": ${flaw}`;
  }
  return null;
}

function flawOfRow(row: Row, rules: Readonly<Record<string, Rule>>): string | null {
  for (const name of Object.keys(row)) {
    if (Object.hasOwn(rules, name)) continue;
    const meant = meantBy(name, Object.keys(rules));
    return `"${name}" is unknown${meant === null ? '' : ` (did you mean "${meant}"?)`}`;
  }
  for (const [name, [fits, asked]] of Object.entries(rules)) {
    if (!fits(row[name] as never)) return `"${name}" must be ${asked}`;
  }
  return null;
}

/** A default that its own kind refuses would stop every start. */
function flawOfDefaults(settings: Readonly<Record<string, Row>>): string | null {
  for (const [name, { default: standard, several, kind }] of Object.entries(settings)) {
    if (standard === null) continue;
    const texts = several ? String(standard).split(',') : [String(standard)];
    const { parse } = kind as { readonly parse: (text: string) => unknown };
    if (texts.some((text) => parse(text.trim()) === undefined))
      return `the default of the setting "${name}" is not valid`;
  }
  return null;
}
