// Generates the types of the settings from their table, and the types of `mayfly-inbox/plugin`.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import '../packages/server/dist/plugin/installed.js';
import { environmentName } from '../packages/server/dist/settings/reading.js';
import { inOptions, optionName, optionType, STANDARD } from '../packages/server/dist/settings/start-options.js';
import { renamedSettings, settingNames, settingOf } from '../packages/server/dist/settings/table.js';
import { SEND_APIS } from '../plugins/send-apis/dist/settings.js';
import { SMS_APIS } from '../plugins/sms/dist/settings.js';

/** Settings that a container does not accept, because Testcontainers publishes the default ports. */
const FIXED = new Set(['host', 'http-port', 'smtp-port', 'smtps-port']);

/** Returns the types of `startMayfly`, with every setting as an option. */
export function serviceTypes() {
  const declarations = readFileSync('packages/server/dist/start-mayfly.d.ts', 'utf8').replace(
    /^(?:import|\/\/#) .*\n?|^\/\*\* In the published types.*\ntype SendApi = string;\n/gm,
    '',
  );
  const [error] = /class SettingsError [^}]*\}/.exec(
    readFileSync('packages/server/dist/settings/reading.d.ts', 'utf8').replace('extends NamedError', 'extends Error'),
  );
  const options = settingNames().map((name) => option(name, settingOf(name).description, STANDARD.get(name)?.[0]));
  return `/// <reference lib="esnext.disposable" />

/** Settings of a service, as \`mayfly serve --help\` explains them, by their names in camel case. */
export interface StartOptions {
${options.join('\n')}
}

/** Providers whose send APIs can be served. */
export type SendApi = '${Object.keys({ ...SEND_APIS, ...SMS_APIS }).join("' | '")}';

/** Thrown for invalid options. The message is one sentence that says what to write instead. */
declare ${error}

${declarations}`;
}

/** Returns the types of `MayflyContainer`'s settings. */
export function containerSettings() {
  const names = settingNames().filter((name) => !FIXED.has(name));
  const ofImage = new Map(
    [...readFileSync('Dockerfile', 'utf8').matchAll(/\b(MAYFLY_[A-Z_]+)=(\S+)/g)].map(([, name, text]) => [name, text]),
  );
  // Replaces the flags in a description, such as --domain, by the names of options.
  const sentenceOf = (name) => inOptions(new Error(settingOf(name).description)).message;
  return `// Made from packages/server/src/settings/table.ts by "npm run docs".

/** Settings of the service in a container: those of \`mayfly serve --help\`, with their names in camel case. */
export interface MayflyContainerSettings {
${names.map((name) => option(name, sentenceOf(name), ofImage.get(environmentName(name)))).join('\n')}
}

/** The names of all settings, old ones too. */
export const SETTINGS =
  '${[...names, ...renamedSettings().keys()].map(optionName).join(' ')}';
`;
}

function option(name, sentence, standard = settingOf(name).default) {
  const told = `${sentence}${standard === null ? '' : ` Default: \`${standard}\`.`}`.replaceAll('*/', '*\\/');
  const { formerly } = settingOf(name);
  const old = formerly === undefined ? '' : `\n  /** @deprecated Use \`${optionName(name)}\`. */${row(formerly, name)}`;
  return `  /** ${told} */${row(name, name)}${old}`;
}

const row = (option, setting) => `\n  readonly ${optionName(option)}?: ${optionType(setting)} | undefined;`;

const TYPES = 'types';

/** Imports whose types are copied, because no published package contains these workspaces. */
const INTERNAL = /^mayfly-(?:(protocol)|(mail)\/internal)(?:\/(.+))?$/;

/** Returns the type files of `mayfly-inbox/plugin`, as compiled, and every type file that they import. */
export function pluginTypes() {
  const files = new Map([['plugin.d.ts', `export * from './${TYPES}/server/plugin/plugin.js';\n`]]);
  const waiting = ['server/plugin/plugin'];
  for (const name of waiting) {
    const [workspace, ...rest] = name.split('/');
    const source = `packages/${workspace}/dist/${rest.join('/')}.d.ts`;
    const text = readFileSync(source, 'utf8').replace(/^\/\/# .*\n?/gm, '');
    const bound = text.replace(/(from |import\()'([^']+)'/g, (whole, before, imported) => {
      const target = targetOf(name, imported);
      if (target === null) return whole;
      if (!waiting.includes(target)) waiting.push(target);
      return `${before}'${path.posix.relative(path.posix.dirname(name), target).replace(/^(?!\.)/, './')}.js'`;
    });
    files.set(`${TYPES}/${name}.d.ts`, bound);
  }
  return files;
}

function targetOf(from, imported) {
  if (imported.startsWith('.')) return path.posix.join(path.posix.dirname(from), imported).replace(/\.js$/, '');
  const [, protocol, mail, file = 'index'] = INTERNAL.exec(imported) ?? [];
  const workspace = protocol ?? mail;
  return workspace === undefined ? null : `${workspace}/${file}`;
}
