import { CLIENT_COMMANDS, UsageError } from 'mayfly-cli';
import { describe, expect, test } from 'vitest';
import { type Command, readArguments } from '../../src/commands/command.js';
import { extract } from '../../src/commands/extract.js';
import { healthy } from '../../src/commands/running-service.js';
import { serve } from '../../src/commands/serve.js';
import { waitlist } from '../../src/commands/store.js';
import '../../src/plugin/installed.js';
import { readSettings, SettingsError, settingsOfEnvironment } from '../../src/settings/reading.js';

describe('boolean options of the command line', () => {
  test.each([
    [[], {}, { page: true, zerodrop: false }],
    [['--no-page'], {}, { page: false }],
    [['--page'], {}, { page: true }],
    [['--page=false'], {}, { page: false }],
    [['--zerodrop'], {}, { zerodrop: true }],
    [['--no-failure-simulation'], {}, { 'failure-simulation': false }],
    [['--failure-simulation'], {}, { 'failure-simulation': true }],
    [[], {}, { 'failure-simulation': null }],
    [[], { MAYFLY_PAGE: 'false' }, { page: false }],
    [['--page'], { MAYFLY_PAGE: 'false' }, { page: true }],
  ])('the arguments %j in the environment %j result in %j', (args, environment: Record<string, string>, expected) => {
    const { settings } = readArguments(serve, args);
    expect(readSettings(settings, settingsOfEnvironment(environment))).toMatchObject(expected);
  });

  test.each([[['--no-zerodrop']], [['--no-page=true']], [['--no-host']], [['--no-page', '--no-page']]])(
    '%j is rejected with an explanation',
    (args) => {
      const refused = args.length > 1 ? SettingsError : UsageError;
      expect(() => readSettings(readArguments(serve, args).settings, new Map())).toThrow(refused);
    },
  );
});

test.each<[string[], string, Command]>([
  [['a.eml', 'b.eml'], '"mayfly extract" does not take "b.eml"', extract],
  [['all'], '"mayfly waitlist" does not take "all"', waitlist],
  [['--json=yes'], '--json takes no value.', extract],
  [['--no-page=false'], '--no-page takes no value.', serve],
  [['--http-prot', '1'], '--http-prot is not an option of "mayfly serve". Did you mean --http-port?', serve],
  [['--httpPort=1'], 'Did you mean --http-port?', serve],
  [['--no-failure-simulations'], 'Did you mean --no-failure-simulation?', serve],
  [['--no-pages'], 'Did you mean --no-page?', serve],
  [['--port', '80'], 'Did you mean --http-port, --smtp-port or --smtps-port?', serve],
  [['--limit', '80'], '--limit is not an option of "mayfly serve". Try --help.', serve],
  [['--hlep'], 'Did you mean --help?', serve],
  [['--no-zerodrop'], '--no-zerodrop is not an option of "mayfly serve". Try --help.', serve],
  [['--subjetc', 'a'], 'Did you mean --subject?', CLIENT_COMMANDS.wait],
  [['--jsno'], 'Did you mean --json?', extract],
  [['--subject', 'a', '--subject', 'b'], '--subject is given twice', CLIENT_COMMANDS.wait],
  [['--subject'], '--subject needs a value', CLIENT_COMMANDS.wait],
])('%j is rejected: %s', (args, sentence, command) => {
  expect(() => readArguments(command, args)).toThrow(sentence);
});

test.each<Command>([serve, ...Object.values(CLIENT_COMMANDS), extract, waitlist, healthy])(
  'the usage line $usage includes every option',
  ({ usage, settings = [], switches, options = {} }) => {
    const all = [...settings, ...Object.keys(switches), ...Object.keys(options)];
    if (!usage.includes('[OPTIONS]')) for (const name of all) expect(usage).toContain(`[--${name}`);
  },
);
