import { MayflyOptionError } from './errors.js';
import type { WaitOptions } from './inbox.js';

/** The names of the tasks. */
export const CREATE_INBOX = 'mayfly:createInbox';
export const WAIT_FOR_EMAIL = 'mayfly:waitForEmail';

/** What can go from Cypress's browser to its Node process: everything but functions and signals. */
export type CypressWaitOptions = Omit<WaitOptions, 'where' | 'signal'>;

/** An inbox as it travels between the two. */
export interface CypressInbox {
  readonly name: string;
  readonly address: string;
  /** What opens a private inbox. */
  readonly secret?: string;
}

/** Options as JSON can hold them: a RegExp as `[source, flags]`, and a Date as its milliseconds. */
export type WireOptions = Readonly<Record<string, unknown>>;

/** Throws `MayflyOptionError`, which names the command, for what cannot travel. */
export function wireOptions(command: string, options: CypressWaitOptions): WireOptions {
  const entries = Object.entries(options).map(([name, value]) => {
    if (value instanceof RegExp) return [name, [value.source, value.flags]];
    if (value instanceof Date) return [name, value.getTime()];
    if (name !== 'where' && name !== 'signal') return [name, value];
    throw new MayflyOptionError(`cy.${command}: "${name}" cannot go to the Node process that waits. Use the others.`);
  });
  return Object.fromEntries(entries);
}

/** The options that `wireOptions` was given. */
export function waitOptions({ after, ...options }: WireOptions): WaitOptions {
  const entries = Object.entries(options).map(([name, value]) =>
    Array.isArray(value) ? [name, new RegExp(value[0], value[1])] : [name, value],
  );
  return { ...Object.fromEntries(entries), ...(typeof after === 'number' && { after: new Date(after) }) };
}
