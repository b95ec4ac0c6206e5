import { expect, test } from 'vitest';
import '../../src/plugin/installed.js';
import {
  allNeeds,
  environmentName,
  readSettings,
  SettingsError,
  type WrittenSettings,
} from '../../src/settings/reading.js';

const NONE: WrittenSettings = new Map();

/** A value for each setting that requires another setting or is required by one. */
const TEXTS: Record<string, string> = {
  'compat-api': 'mailpit',
  'compat-api-callers': '10.0.0.0/8',
  'compat-api-root': '/x',
  'compat-api-limit': '5/1s',
  workspace: 'acme=key-of-16-letters',
  'workspace-limit': '5/1s',
  'ad-hoc-workspaces': 'true',
  'ad-hoc-quota': '1MiB',
  'ad-hoc-limit': '5/1s',
  'store-replicas': '1',
  'store-replicas-on-disk': 'true',
  'tls-cert': 'c.pem',
  'tls-key': 'k.pem',
};

const written = (...names: string[]): WrittenSettings =>
  new Map(names.map((name) => [name, [TEXTS[name] ?? 'missing in TEXTS']]));

const REDIS: WrittenSettings = new Map([['store', ['redis://localhost']]]);

test.each(allNeeds())('$setting is rejected without $needed and accepted with it', ({ setting, needed }) => {
  const named = new RegExp(`--${setting}\\b.*--${needed}\\b|--${needed}\\b.*--${setting}\\b`);
  expect(() => readSettings(written(setting), REDIS)).toThrow(SettingsError);
  expect(() => readSettings(written(setting), REDIS)).toThrow(named);
  const environment = new Map([...REDIS, ...written(setting)]);
  expect(() => readSettings(NONE, environment)).toThrow(environmentName(setting));
  expect(() => readSettings(written(setting, needed), REDIS)).not.toThrow();
  expect(() => readSettings(written(needed, setting), environment)).not.toThrow();
});
