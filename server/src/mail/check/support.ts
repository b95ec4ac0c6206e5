import { CLIENTS, FEATURES } from './support-table.js';

/** A part of HTML or CSS, and which email clients support it. */
export interface Feature {
  readonly page: string;
  readonly name: string;
  /** How many email clients support it. */
  readonly supported: number;
  readonly partial: readonly string[];
  readonly unsupported: readonly string[];
}

const LETTERS = { supported: 'y', partial: 'a', unsupported: 'n' } as const;

/** The features by their uses, such as `property:gap`. */
export const FEATURE_OF_USE: ReadonlyMap<string, Feature> = new Map(linesOf(FEATURES).flatMap(usesIn));

/** The attributes that are features of their own. */
export const FEATURE_ATTRIBUTES: readonly string[] = [...FEATURE_OF_USE.keys()]
  .filter((use) => use.startsWith('attribute:'))
  .map((use) => use.slice('attribute:'.length));

function usesIn(line: string): (readonly [string, Feature])[] {
  const [uses = '', page = '', name = '', letters = ''] = line.split('|');
  const clients = linesOf(CLIENTS);
  const having = (letter: string) => clients.filter((_, place) => letters[place] === letter);
  const feature: Feature = {
    page,
    name,
    supported: having(LETTERS.supported).length,
    partial: having(LETTERS.partial),
    unsupported: having(LETTERS.unsupported),
  };
  return uses.split(' ').map((use) => [use, feature] as const);
}

function linesOf(table: string): string[] {
  return table.trim().split('\n');
}
