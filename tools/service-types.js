import { SETTINGS } from '../server/dist/settings/table.js';
import { optionName, optionType } from '../server/dist/start-mayfly.js';

/** What differs from the table (server/src/start-mayfly.ts). */
const STANDARD = { 'http-port': '0', 'smtp-port': '0', store: 'memory:', 'log-level': 'silent' };

/** The types of the package `mayfly-inbox`: every setting is an option, with its sentence and its default. */
export function serviceTypes() {
  return `/// <reference lib="esnext.disposable" />

/** Settings of a service, as \`mayfly serve --help\` explains them, by their names in camel case. */
export interface StartOptions {
${Object.keys(SETTINGS).map(option).join('\n')}
}

/** A service in this process. */
export interface StartedMayfly {
  /** Base address of the HTTP interface, and of the inbox page. */
  readonly url: string;
  /** Where the application under test sends its mail. */
  readonly smtp: { readonly host: string; readonly port: number };
  /** The domain of the inboxes, the first where there are several. */
  readonly domain: string;
  /** Ends the service: mail that is coming in is stored and answered first. Resolves when all is closed, however often it is called. */
  stop(): Promise<void>;
  /** The same, for \`await using\`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts a service in this process, on free ports and in memory unless told otherwise. It reads no environment and writes no log,
 * and several may run at once. Rejects with a sentence for an option that does not exist or is not valid, and where a port is taken.
 */
export function startMayfly(options?: StartOptions): Promise<StartedMayfly>;
`;
}

function option(name) {
  const standard = STANDARD[name] ?? SETTINGS[name].default;
  const sentence = `${SETTINGS[name].description}${standard === null ? '' : ` Default: \`${standard}\`.`}`;
  return `  /** ${sentence.replaceAll('*/', '*\\/')} */\n  readonly ${optionName(name)}?: ${optionType(name)} | undefined;`;
}
