import { readFileSync } from 'node:fs';
import path from 'node:path';
import '../packages/server/dist/plugin/installed.js';
import { optionName, optionType, STANDARD } from '../packages/server/dist/settings/start-options.js';
import { settingNames, settingOf } from '../packages/server/dist/settings/table.js';
import { SEND_APIS } from '../plugins/send-apis/dist/settings.js';

/**
 * The types of the package `mayfly-inbox`: those of `startMayfly`, with every setting as an option, its sentence and
 * its default.
 */
export function serviceTypes() {
  // As the compiler wrote them, with their comments.
  const declarations = readFileSync('packages/server/dist/start-mayfly.d.ts', 'utf8').replace(
    /^(?:import|\/\/#) .*\n?|^\/\*\* In the published types.*\ntype SendApi = string;\n/gm,
    '',
  );
  const providers = SEND_APIS.map((name) => `'${name}'`).join(' | ');
  const [error] = /class SettingsError [^}]*\}/.exec(
    readFileSync('packages/server/dist/settings/reading.d.ts', 'utf8').replace('extends NamedError', 'extends Error'),
  );
  return `/// <reference lib="esnext.disposable" />

/** Settings of a service, as \`mayfly serve --help\` explains them, by their names in camel case. */
export interface StartOptions {
${settingNames().map(option).join('\n')}
}

/** Providers whose send APIs can be served. */
export type SendApi = ${providers};

/** Options that are not valid. Its message is one sentence that says what to write instead. */
declare ${error}

${declarations}`;
}

function option(name) {
  const standard = STANDARD.get(name)?.[0] ?? settingOf(name).default;
  const sentence = `${settingOf(name).description}${standard === null ? '' : ` Default: \`${standard}\`.`}`;
  return `  /** ${sentence.replaceAll('*/', '*\\/')} */\n  readonly ${optionName(name)}?: ${optionType(name)} | undefined;`;
}

/** The folder of the bundle that has the types of `mayfly-inbox/plugin`. */
export const TYPES = 'types';

/** Modules of other workspaces whose types go along: no package that the user installs has them. */
const INTERNAL = /^mayfly-(?:(protocol)|(mail)\/internal)(?:\/(.+))?$/;

/** The types of `mayfly-inbox/plugin`, by file: as the compiler wrote them, and all that they import. */
export function pluginTypes() {
  const files = new Map([['plugin.d.mts', `export * from './${TYPES}/server/plugin/plugin.js';\n`]]);
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

/** A file of ours that types import; null for a package that the user installs. */
function targetOf(from, imported) {
  if (imported.startsWith('.')) return path.posix.join(path.posix.dirname(from), imported).replace(/\.js$/, '');
  const [, protocol, mail, file = 'index'] = INTERNAL.exec(imported) ?? [];
  const workspace = protocol ?? mail;
  return workspace === undefined ? null : `${workspace}/${file}`;
}
