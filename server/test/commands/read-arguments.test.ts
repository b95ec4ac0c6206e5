import { describe, expect, test } from 'vitest';
import { readArguments } from '../../src/commands/command.js';
import { serve } from '../../src/commands/serve.js';
import { readSettings, SettingsError, settingsOfEnvironment } from '../../src/settings/reading.js';

describe('what is on or off', () => {
  test.each([
    [[], {}, { page: true, compat: false }],
    [['--no-page'], {}, { page: false }],
    [['--page'], {}, { page: true }],
    [['--page=false'], {}, { page: false }],
    [['--compat'], {}, { compat: true }],
    [[], { MAYFLY_PAGE: 'false' }, { page: false }],
    [['--page'], { MAYFLY_PAGE: 'false' }, { page: true }],
  ])('%j with %j is %j', (args, environment: Record<string, string>, expected) => {
    const { settings } = readArguments(serve, args);
    expect(readSettings(settings, settingsOfEnvironment(environment))).toMatchObject(expected);
  });

  test.each([[['--no-compat']], [['--no-page=true']], [['--no-host']], [['--no-page', '--no-page']]])(
    '%j is refused with a sentence',
    (args) => {
      expect(() => readSettings(readArguments(serve, args).settings, new Map())).toThrow(SettingsError);
    },
  );
});
