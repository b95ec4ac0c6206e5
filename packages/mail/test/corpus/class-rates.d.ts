import type { readContents } from '../../src/contents.js';
import type { extract } from '../../src/extract/extraction.js';
import type { parseMessage } from '../../src/mime/parse.js';
import type { ClassCase, MailClass } from './load.js';

/** The functions that parse a message: from the compiled package or from the source. */
export interface Reading {
  extract: typeof extract;
  parseMessage: typeof parseMessage;
  readContents: typeof readContents;
}

export interface ClassRate {
  name: string;
  right: number;
  wrong: (ClassCase & { found: string | null })[];
}

export function classRates(classes: readonly MailClass[], reading: Reading): ClassRate[];
