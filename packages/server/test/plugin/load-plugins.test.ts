import { afterAll, describe, expect, test } from 'vitest';
import { flawIn } from '../../src/plugin/check-plugin.js';
import { installedPlugins, loadPlugins } from '../../src/plugin/installed.js';
import { readSettings, SettingsError } from '../../src/settings/reading.js';
import { runMayfly } from '../service/process.js';
import { pluginFolder, pluginText } from './plugin-folder.js';

const folder = await pluginFolder();

afterAll(() => folder.remove());

/** Loads a plugin of this source, and resolves to the error message, with FILE in place of the plugin's file name. */
async function refusal(text: string, file = 'plugin.js'): Promise<string> {
  refusal.count += 1;
  const name = await folder.file(`${refusal.count}/${file}`, text);
  const error = await loadPlugins([name]).then(
    () => new Error('loaded'),
    (reason) => reason,
  );
  expect(error).toBeInstanceOf(SettingsError);
  return error.message.replaceAll(name, 'FILE');
}
refusal.count = 0;

const row = (text: string) => pluginText('rows', `settings: { 'row-url': ${text} }`);
const formerly = (name: string) => row(`{ ...optional(kinds.port, 'a'), formerly: '${name}' }`);
const setting = (name: string) => pluginText('x', `settings: { '${name}': optional(kinds.file, 'b') }`);
const httpError = (text: string) => pluginText('rows', `errors: { http: { row: ${text} } }`);

test('the plugins that the mayfly-inbox package contains are valid', () => {
  const ours = installedPlugins().filter(({ from }) => from === null);
  expect(ours.map(({ plugin }) => flawIn(plugin))).toEqual(ours.map(() => null));
});

describe('the start with a plugin', () => {
  test.each([
    ['that is not JavaScript', 'export default {', /^--plugin: FILE cannot be loaded: .*Correct the plugin/],
    ['that throws', '\nthrow new Error("no database.")', 'loaded: no database (FILE, line 2). Correct the plugin'],
    [
      'that uses an undefined variable',
      '\n\ntea.pour();',
      'loaded: tea is not defined (FILE, line 3). Correct the plugin',
    ],
    ['that throws a value other than an Error', 'throw "tea"', 'FILE cannot be loaded: tea. Correct'],
    [
      'that imports a package that is not installed',
      'import "not-installed"',
      /FILE cannot be loaded: Cannot find package 'not-installed'/,
    ],
    ['without a default export', 'export const name = 1;', 'FILE is not a plugin: its default export must come from'],
    ['of another form', 'export default { name: "x" };', 'FILE is not a plugin: its default export must come from'],
    [
      'for another version of the API',
      'export default { [Symbol.for("mayfly-inbox/plugin")]: 2 };',
      'FILE is for version 2 of the plugin API, but this Mayfly has version 1',
    ],
    ['with a misspelled member', pluginText('x', 'setup() {}'), '"setup" is unknown (did you mean "setUp"?)'],
    ['without setUp', pluginText('x', 'setUp: undefined'), '"setUp" must be a function'],
    ['with a name in capitals', pluginText('Webhook'), '"name" must be in lower case, with hyphens'],
    ['with the name of another plugin', pluginText('mailpit'), 'FILE has the name mailpit, which another plugin has'],
    ['with a setting of Mayfly', pluginText('x', "settings: { host: one(kinds.host, 'a', 'b') }"), 'a setting host'],
    ['with a setting of another plugin', setting('compat-api'), 'compat-api'],
    ['with the variable of the client', setting('url'), 'a setting url'],
    ['with a setting that begins with no-', setting('no-page'), 'no-page'],
    ['with digits in a setting', setting('url2'), '"url2"'],
    ['with an invalid setting', row('5'), '"row-url" in "settings": it must be an object'],
    [
      'with a setting without a kind',
      row("{ ...optional(kinds.file, 'b'), kind: {} }"),
      '"kind" must be kinds.NAME or an object like it',
    ],
    ['with a description of two lines', row("optional(kinds.file, 'a\\nb')"), 'must be a string of one line'],
    ['with an invalid default', row("one(kinds.port, '65536', 'b')"), 'the default of the setting "row-url"'],
    ['with a bad status', httpError("{ code: 'a', status: 200, text: 'b', where: 'c' }"), '"status" must be a whole'],
    [
      'with the code of an error of Mayfly',
      httpError("{ code: 'not-found', status: 404, text: 'b', where: 'c' }"),
      'an error code not-found, which is in use',
    ],
    [
      'with an SMTP text of two lines',
      pluginText('x', "errors: { smtp: { row: { code: 550, enhanced: '5.0.0', text: 'a\\r\\n250 b' } } }"),
      '"text" must be at most 400 characters of ASCII',
    ],
    [
      'with a limit without a setting',
      pluginText('x', "limits: { a: { setting: 'b', text: 'c', where: 'd' } }"),
      '"b"',
    ],
    ['with an invalid limit', pluginText('x', 'limits: { a: null }'), '"a" in "limits": it must be an object'],
    [
      'with a limit whose setting is not a rate',
      pluginText(
        'x',
        "settings: { 'x-port': one(kinds.port, '5', 'b') }, limits: { a: { setting: 'x-port', text: 'c', where: 'd' } }",
      ),
      'a limit names the setting "x-port", whose kind must be kinds.rate',
    ],
    ['with the name of a setting as an old name', formerly('host'), 'with the old name host, but that name is in use'],
    ['with the old name of a setting as an old name', formerly('look-limit'), 'with the old name look-limit'],
    ['with a variable of the client as an old name', formerly('api-key'), 'with the old name api-key'],
    ['with an old name of another form', formerly('Row URL'), '"formerly" must be lower-case letters and hyphens'],
    ['that cannot be read', 'export default new Proxy({}, { has() { throw new Error("no") } })', 'cannot be read: no'],
  ])('is refused for a plugin %s', async (_, text, sentence) => {
    expect(await refusal(text)).toMatch(sentence);
  });

  test('is refused for a plugin that is listed twice', async () => {
    const name = await folder.file('twice.js', pluginText('twice'));
    await expect(loadPlugins([name, name])).rejects.toThrow(`--plugin: ${name} is given twice. Give it once.`);
  });

  test('is refused for a plugin that does not exist', async () => {
    await expect(loadPlugins([`${folder.path}/none.js`])).rejects.toThrow(/there is no file .*none\.js/);
    await expect(loadPlugins([folder.path])).rejects.toThrow('is a folder. Give the path of a file in it.');
    await expect(loadPlugins(['mayfly-plugin-none'])).rejects.toThrow('there is no package mayfly-plugin-none in');
    await expect(loadPlugins(['https://plugins.example/a'])).rejects.toThrow('is neither the path of a file nor');
    await expect(loadPlugins(['node:fs'])).rejects.toThrow(SettingsError);
  });
});

test('a plugin that cannot be loaded makes mayfly exit with 2 and one sentence that names the file', async () => {
  const file = await folder.file('broken.js', 'throw new Error("no database")');
  const { exitCode, stdout, stderr } = await runMayfly(['serve', '--plugin', file]);
  expect(stderr).toBe(
    `mayfly: --plugin: ${file} cannot be loaded: no database (${file}, line 1). Correct the plugin, or start without it.\n`,
  );
  expect([exitCode, stdout]).toEqual([2, '']);
});

test.each(['./index.js', { import: './index.js' }, { '.': { node: { import: './index.js' } } }])(
  'a package with the exports %j can be loaded',
  async (exports) => {
    const name = `mayfly-plugin-${JSON.stringify(exports).length}`;
    const base = `node_modules/${name}`;
    await folder.file(`${base}/package.json`, JSON.stringify({ name, type: 'module', exports }));
    await folder.file(`${base}/index.js`, pluginText(name));
    const { stdout } = await runMayfly(['serve', '--help', '--plugin', name], {}, { cwd: folder.path });
    expect(stdout).toContain('--plugin FILE-OR-PACKAGE');
  },
);

test("a plugin's settings are parsed, shown in the help and checked for typos like those of the service", async () => {
  const settings =
    "settings: { 'shop-time': one(kinds.duration, '5s', 'How long.'), 'shop-word': optional(kinds.file, 'A word.') }";
  const file = await folder.file('shop.js', pluginText('shop', settings));
  await loadPlugins([file]);
  const read = (name: string, text: string) => readSettings(new Map([[name, [text]]]), new Map());
  expect(readSettings(new Map(), new Map())).toMatchObject({ 'shop-time': 5_000, 'shop-word': null });
  expect(read('shop-time', '2m')).toMatchObject({ 'shop-time': 120_000 });
  expect(() => read('shop-time', '2')).toThrow('--shop-time: "2" is not valid: use a whole number with the unit');
  const help = await runMayfly(['serve', '--plugin', file, '--help']);
  expect(help.stdout).toContain(
    'Plugin shop:\n  --shop-time TIME\n      How long. At most 24d. Default: 5s. [MAYFLY_SHOP_TIME]\n',
  );
  const slip = await runMayfly(['serve', `--plugin=${file}`, '--shop-tim', '5s']);
  expect(slip.stderr).toContain('--shop-tim is not an option of "mayfly serve". Did you mean --shop-time?');
  const variable = await runMayfly(['doctor'], { MAYFLY_PLUGIN: file, MAYFLY_SHOP_TIMES: '5s' });
  expect(variable.stderr).toContain('MAYFLY_SHOP_TIMES is not a setting. Did you mean MAYFLY_SHOP_TIME?');
  const healthy = await runMayfly(['healthy'], { MAYFLY_PLUGIN: file, MAYFLY_SHOP_TIME: '5s', MAYFLY_HTTP_PORT: '1' });
  expect(healthy.stderr).not.toContain('is not a setting');
});
