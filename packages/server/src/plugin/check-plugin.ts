import { meantBy } from 'mayfly-protocol/misspelled';
import type { Kind } from '../settings/kinds.js';
import { PLUGIN_API, pluginVersion } from './define.js';

const MAX_TEXT = 1_000;

const NAME = /^[a-z]{1,30}(?:-[a-z0-9]{1,30}){0,5}$/;

/** The name is also a flag, a variable and an option in camel case, so it has only letters and hyphens. */
const SETTING_NAME = /^[a-z]{1,30}(?:-[a-z]{1,30}){0,5}$/;

const ENHANCED = /^[45]\.\d{1,3}\.\d{1,3}$/;

type Row = Readonly<Record<string, unknown>>;

/** For each member of an object, a test of its value, and the requirement that the error states. */
type Rules = Readonly<Record<string, Rule>>;
type Rule = readonly [fits: (value: never) => boolean, asked: string];

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= MAX_TEXT && !/[\p{Cc}\u2028\u2029]/u.test(value);
const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null;
const isErrorCode = (value: unknown) => Number.isInteger(value) && Number(value) >= 400 && Number(value) <= 599;
const matching = (form: RegExp) => (value: unknown) => typeof value === 'string' && form.test(value);

const TEXT: Rule = [isText, `a string of one line and at most ${MAX_TEXT} characters`];
const FUNCTION: Rule = [(value) => typeof value === 'function', 'a function'];
const BOOLEAN: Rule = [(value) => typeof value === 'boolean', 'true or false'];
const OBJECT: Rule = [isRow, 'an object'];
const ERROR_CODE: Rule = [isErrorCode, 'a whole number from 400 to 599'];
const optionally = ([fits, asked]: Rule): Rule => [(value) => value === undefined || fits(value), asked];

const KIND: Rules = {
  placeholder: [(value) => value === '' || isText(value), 'a string, which is empty for a setting of true or false'],
  rule: TEXT,
  parse: FUNCTION,
  why: optionally(FUNCTION),
  shown: optionally(FUNCTION),
  most: optionally(TEXT),
};

const SETTING: Rules = {
  kind: [(value) => isRow(value) && flawsOfRow(value, KIND).next().done === true, 'kinds.NAME or an object like it'],
  default: [(value) => value === null || typeof value === 'string', 'a string, or null for no default'],
  several: BOOLEAN,
  description: TEXT,
  group: optionally(TEXT),
  formerly: optionally([matching(SETTING_NAME), 'lower-case letters and hyphens']),
  needs: optionally([
    (value: unknown) => isRow(value) && isText(value.setting) && isText(value.sentence),
    'an object with "setting" and "sentence"',
  ]),
};

const HTTP_ERROR: Rules = {
  code: [matching(NAME), 'in lower case, with hyphens'],
  status: ERROR_CODE,
  text: TEXT,
  hint: optionally(TEXT),
  where: TEXT,
};

const SMTP_ERROR: Rules = {
  code: ERROR_CODE,
  enhanced: [matching(ENHANCED), 'an enhanced code, such as 4.7.1'],
  text: [matching(/^[ -~]{1,400}$/), 'at most 400 characters of ASCII'],
  isRehearsed: optionally([(value) => value === true, 'true']),
};

export function isSmtpError(value: unknown): boolean {
  return isRow(value) && flawsOfRow(value, SMTP_ERROR).next().done === true;
}

const LIMIT: Rules = {
  setting: TEXT,
  text: TEXT,
  where: TEXT,
  takesBasic: optionally(BOOLEAN),
};

const PART: Rules = {
  path: [(value: unknown) => value instanceof RegExp, 'a regular expression'],
  part: TEXT,
  option: TEXT,
};

const PLUGIN: Rules = {
  name: [matching(NAME), 'in lower case, with hyphens'],
  settings: optionally(OBJECT),
  errors: optionally(OBJECT),
  limits: optionally(OBJECT),
  optionalParts: optionally([Array.isArray, 'an array']),
  check: optionally(FUNCTION),
  isOn: optionally(FUNCTION),
  sending: optionally(FUNCTION),
  examine: optionally(FUNCTION),
  tasks: optionally(FUNCTION),
  setUp: FUNCTION,
};

/** The fault of an external plugin, as the end of a sentence that begins with its file; null if it is valid. */
export function flawIn(value: unknown): string | null {
  const version = pluginVersion(value);
  if (version === null) return 'is not a plugin: its default export must come from definePlugin of mayfly-inbox/plugin';
  if (version !== PLUGIN_API) {
    return `is for version ${version} of the plugin API, but this Mayfly has version ${PLUGIN_API}: install versions that match`;
  }
  const [flaw] = flawsOf(value as Row);
  return flaw === undefined ? null : `is not a valid plugin: ${flaw}`;
}

function* flawsOf(plugin: Row): Generator<string> {
  yield* flawsOfRow(plugin, PLUGIN);
  const { settings = {}, errors = {}, limits = {}, optionalParts = [] } = plugin;
  const { http = {}, smtp = {}, ...others } = errors as Row;
  const rows = settings as Readonly<Record<string, Row & { readonly kind: Kind<unknown> }>>;
  for (const other of Object.keys(others)) yield `"errors" has "${other}", but takes only "http" and "smtp"`;
  for (const name of Object.keys(rows).filter((one) => !SETTING_NAME.test(one)))
    yield `the setting "${name}" must have a name of lower-case letters and hyphens`;
  yield* flawsOfTable('settings', rows, SETTING);
  for (const [name, { default: standard, several, kind }] of Object.entries(rows)) {
    const texts = several ? String(standard).split(',') : [String(standard)];
    // An invalid default would stop every start.
    if (standard !== null && texts.some((text) => kind.parse(text.trim()) === undefined))
      yield `the default of the setting "${name}" is not valid`;
  }
  yield* flawsOfTable('errors.http', http, HTTP_ERROR);
  yield* flawsOfTable('errors.smtp', smtp, SMTP_ERROR);
  yield* flawsOfTable('limits', limits, LIMIT);
  for (const { setting } of Object.values(limits as Readonly<Record<string, Row>>)) {
    const row = Object.hasOwn(rows, String(setting)) ? rows[String(setting)] : undefined;
    if (row === undefined) yield `a limit names the setting "${setting}", which the plugin does not have`;
    else if (!isRate(row)) yield `a limit names the setting "${setting}", whose kind must be kinds.rate`;
  }
  yield* flawsOfTable('optionalParts', optionalParts, PART);
}

function isRate({ kind, default: standard }: Row & { readonly kind: Kind<unknown> }): boolean {
  const rate = standard === null ? null : kind.parse(String(standard));
  return rate === null || (isRow(rate) && Number(rate.count) > 0 && Number(rate.windowMs) > 0);
}

function* flawsOfTable(title: string, table: unknown, rules: Rules): Generator<string> {
  if (!isRow(table)) return yield `"${title}" must be an object`;
  for (const [name, row] of Object.entries(table)) {
    const [flaw] = isRow(row) ? flawsOfRow(row, rules) : ['it must be an object'];
    if (flaw !== undefined) yield `"${name}" in "${title}": ${flaw}`;
  }
}

function* flawsOfRow(row: Row, rules: Rules): Generator<string> {
  for (const name of Object.keys(row).filter((one) => !Object.hasOwn(rules, one))) {
    const meant = meantBy(name, Object.keys(rules));
    yield `"${name}" is unknown${meant === null ? '' : ` (did you mean "${meant}"?)`}`;
  }
  for (const [name, [fits, asked]] of Object.entries(rules)) {
    if (!fits(row[name] as never)) yield `"${name}" must be ${asked}`;
  }
}
