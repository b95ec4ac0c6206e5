import { readFileSync } from 'node:fs';
import { SEND_APIS } from '../packages/server/dist/settings/kinds.js';
import { optionName, optionType, STANDARD } from '../packages/server/dist/settings/start-options.js';
import { SETTINGS } from '../packages/server/dist/settings/table.js';

/**
 * The types of the package `mayfly-inbox`: those of `startMayfly`, with every setting as an option, its sentence and
 * its default.
 */
export function serviceTypes() {
  // As the compiler wrote them, with their comments.
  const declarations = readFileSync('packages/server/dist/start-mayfly.d.ts', 'utf8').replace(
    /^(?:import|\/\/#) .*\n?/gm,
    '',
  );
  const providers = SEND_APIS.map((name) => `'${name}'`).join(' | ');
  const [error] = /class SettingsError [^}]*\}/.exec(
    readFileSync('packages/server/dist/settings/reading.d.ts', 'utf8'),
  );
  return `/// <reference lib="esnext.disposable" />

/** Settings of a service, as \`mayfly serve --help\` explains them, by their names in camel case. */
export interface StartOptions {
${Object.keys(SETTINGS).map(option).join('\n')}
}

/** Providers whose send APIs can be served. */
export type SendApi = ${providers};

/** Options that are not valid. Its message is one sentence that says what to write instead. */
declare ${error}

${declarations}`;
}

function option(name) {
  const standard = STANDARD.get(name)?.[0] ?? SETTINGS[name].default;
  const sentence = `${SETTINGS[name].description}${standard === null ? '' : ` Default: \`${standard}\`.`}`;
  return `  /** ${sentence.replaceAll('*/', '*\\/')} */\n  readonly ${optionName(name)}?: ${optionType(name)} | undefined;`;
}
