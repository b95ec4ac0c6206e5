/** The settings of a service in a container, as TypeScript: what `MayflyContainer` of the client takes. */
import { readFileSync } from 'node:fs';
import '../../packages/server/dist/plugin/installed.js';
import { environmentName } from '../../packages/server/dist/settings/reading.js';
import { inOptions, optionName, optionType } from '../../packages/server/dist/settings/start-options.js';
import { settingNames, settingOf } from '../../packages/server/dist/settings/table.js';

/** Testcontainers publishes these ports, so tests do not change them. */
const FIXED = new Set(['host', 'http-port', 'smtp-port', 'smtps-port']);

const WIDTH = 112;

export function containerSettings() {
  const names = settingNames().filter((name) => !FIXED.has(name));
  return `// Made from packages/server/src/settings/table.ts by "npm run docs".

/** Settings of the service in a container, as \`mayfly serve --help\` explains them, by their names in camel case. */
export interface MayflyContainerSettings {
${names.map(option).join('\n')}
}

/** The names of all settings. */
export const SETTINGS =
  '${names.map(optionName).join(' ')}';
`;
}

function option(name) {
  const standard = imageSettings()[environmentName(name)] ?? settingOf(name).default;
  // The sentences name other settings as flags.
  const { message } = inOptions(new Error(settingOf(name).description));
  const sentence = `${message}${standard === null ? '' : ` Default: \`${standard}\`.`}`.replaceAll('*/', '*\\/');
  return `${comment(sentence)}\n  readonly ${optionName(name)}?: ${optionType(name)} | undefined;`;
}

/** What the image sets. */
function imageSettings() {
  return Object.fromEntries(
    [...readFileSync('Dockerfile', 'utf8').matchAll(/\b(MAYFLY_[A-Z_]+)=(\S+)/g)].map(([, name, text]) => [name, text]),
  );
}

function comment(sentence) {
  if (sentence.length < WIDTH) return `  /** ${sentence} */`;
  const lines = [''];
  for (const word of sentence.split(' ')) {
    if (`${lines.at(-1)} ${word}`.length > WIDTH) lines.push('');
    lines.push(`${lines.pop()} ${word}`.trimStart());
  }
  return ['  /**', ...lines.map((line) => `   * ${line}`), '   */'].join('\n');
}
