import { expect, test } from 'vitest';
import {
  environmentName,
  readSettings,
  SettingsError,
  settingNames,
  type WrittenSettings,
} from '../../src/settings/reading.js';
import { readStartOptions } from '../../src/settings/start-options.js';
import { NEEDS, SETTINGS, type Setting, type SettingName } from '../../src/settings/table.js';

const NONE: WrittenSettings = new Map();

/** A value of each setting that needs another one, or is needed. */
const TEXTS: Partial<Record<SettingName, string>> = {
  'drop-in': 'mailpit',
  'drop-in-callers': '10.0.0.0/8',
  'drop-in-root': '/x',
  'drop-in-limit': '5/1s',
  workspace: 'acme=key-of-16-letters',
  'workspace-limit': '5/1s',
  spaces: 'true',
  'space-budget': '1MiB',
  'space-limit': '5/1s',
  'store-replicas': '1',
  'store-replicas-on-disk': 'true',
  'tls-cert': 'c.pem',
  'tls-key': 'k.pem',
};

const written = (...names: SettingName[]): WrittenSettings =>
  new Map(names.map((name) => [name, [TEXTS[name] ?? 'missing in TEXTS']]));

const REDIS: WrittenSettings = new Map([['store', ['redis://localhost']]]);

test.each(NEEDS)('$setting without $needed is refused, and taken with it', ({ setting, needed }) => {
  const named = new RegExp(`--${setting}\\b.*--${needed}\\b|--${needed}\\b.*--${setting}\\b`);
  expect(() => readSettings(written(setting), REDIS)).toThrow(SettingsError);
  expect(() => readSettings(written(setting), REDIS)).toThrow(named);
  const environment = new Map([...REDIS, ...written(setting)]);
  expect(() => readSettings(NONE, environment)).toThrow(environmentName(setting));
  expect(() => readSettings(written(setting, needed), REDIS)).not.toThrow();
  expect(() => readSettings(written(needed, setting), environment)).not.toThrow();
});

test('the default, written out, needs what any other value needs; what asks for nothing needs nothing', () => {
  expect(() => readSettings(new Map([['drop-in-limit', ['600/10s']]]), NONE)).toThrow('--drop-in-limit requires');
  expect(() => readSettings(new Map([['store-replicas-on-disk', ['false']]]), NONE)).not.toThrow();
});

test('options of a program are called as it calls them', () => {
  expect(() => readStartOptions({ dropInRoot: '/x' })).toThrow('dropInRoot requires dropIn: set both');
});

/** Settings that are about another one by their names, and do something without it. */
const ALONE: readonly SettingName[] = ['smtp-proxy-lazy'];

test('every setting that is named after one that is off by default needs it, or stands alone', () => {
  const off = settingNames().filter((name) => (SETTINGS[name] as Setting).default === null);
  const after = settingNames().filter((name) => off.some((base) => name.startsWith(`${base}-`)));
  expect(after.length).toBeGreaterThan(4);
  for (const name of after) {
    const needs = NEEDS.some(({ setting, needed }) => setting === name && name.startsWith(`${needed}-`));
    expect([name, needs]).toEqual([name, !ALONE.includes(name)]);
  }
});
