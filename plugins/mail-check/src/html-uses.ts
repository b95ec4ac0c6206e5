import { decodeHTMLAttribute } from 'entities/decode';
import { HtmlScanner } from 'mayfly-mail/internal/html/scan';
import type { Tag } from 'mayfly-mail/internal/html/tag';
import { firstCharacters } from 'mayfly-mail/internal/text';
import type { CheckedFeature } from 'mayfly-protocol';
// The data of caniemail.com, from the npm package caniemail 2.0.2.
import table from './caniemail.json' with { type: 'json' };
import { cssUses } from './css-uses.js';

interface Feature extends Pick<CheckedFeature, 'name' | 'partial' | 'unsupported'> {
  readonly page: string;
  /** One letter per client: y if the client supports the feature, a if partly, n if not, u if unknown. */
  readonly letters: string;
}

export const { date: DATA_DATE, clients: CLIENTS } = table;

/** Maps each use, such as `property:gap`, to its feature. */
const FEATURE_OF_USE: ReadonlyMap<string, Feature> = new Map(table.features.flatMap(usesIn));

const FEATURE_ATTRIBUTES: readonly string[] = [...FEATURE_OF_USE.keys()]
  .filter((use) => use.startsWith('attribute:'))
  .map((use) => use.slice('attribute:'.length));

const MAX_PLACES = 20;
const MAX_SOURCES = 50;
const MAX_SOURCE_CHARS = 500;

/** The kind of an image by its `data:` address or file extension. */
const DATA_TYPE = /^\s*data:image\/(?:x-)?([a-z]{2,8})/i;
const ENDING = /\.([a-z]{3,4})(?:[?#]|$)/i;

/** Counts features in one linear pass. An image counts each time it is displayed. */
export function htmlUses(html: string) {
  const features = new Map<Feature, { uses: number; places: number[] }>();
  const images = { total: 0, withoutAlt: 0, sources: [] as string[], places: [] as number[] };
  const count = (feature: Feature) => {
    const found = features.get(feature) ?? { uses: 0, places: [] };
    features.set(feature, found);
    found.uses += 1;
    if (found.places.length < MAX_PLACES && found.places.at(-1) !== scanner.start) found.places.push(scanner.start);
  };
  const scanner = new HtmlScanner(html, usesOfTag);
  for (let token = scanner.next(); token !== 'end'; token = scanner.next()) {
    if (token !== 'open') continue;
    const { meaning } = scanner;
    meaning.features.forEach(count);
    if (meaning.image !== null) images.total += 1;
    if (meaning.image?.hasAlt === false) {
      images.withoutAlt += 1;
      if (images.sources.length < MAX_SOURCES) {
        images.sources.push(meaning.image.source);
        images.places.push(scanner.start);
      }
    }
    if (scanner.name === 'style') cssUses(scanner.rawContent(), 'sheet', knownOnly(count));
  }
  return { features, images };
}

/** The features that a tag uses, and its image. Computed once for identical tags. */
function usesOfTag(tag: Tag) {
  const features: Feature[] = [];
  const onUse = knownOnly((feature) => features.push(feature));
  onUse(`element:${tag.name}`);
  for (const name of FEATURE_ATTRIBUTES) if (tag.attribute(name) !== null) onUse(`attribute:${name}`);
  const style = tag.attribute('style');
  if (style !== null) cssUses(decodeHTMLAttribute(style), 'declarations', onUse);
  return { features, image: tag.name === 'img' ? imageOf(tag, onUse) : null };
}

function imageOf(tag: Tag, onUse: (use: string) => void) {
  const source = decodeHTMLAttribute(tag.attribute('src') ?? '');
  const start = source.slice(0, MAX_SOURCE_CHARS);
  const data = DATA_TYPE.exec(start);
  if (data !== null) onUse('image:base64');
  const [, kind] = data ?? ENDING.exec(start) ?? [];
  if (kind !== undefined) onUse(`image:${kind.toLowerCase()}`);
  return { source: firstCharacters(source, MAX_SOURCE_CHARS), hasAlt: tag.attribute('alt') !== null };
}

function knownOnly(tell: (feature: Feature) => unknown): (use: string) => void {
  return (use) => {
    const feature = FEATURE_OF_USE.get(use);
    if (feature !== undefined) tell(feature);
  };
}

/** Maps each use in a line `USES|PAGE|NAME|LETTERS` to its feature. */
function usesIn(line: string): (readonly [string, Feature])[] {
  const [uses = '', page = '', name = '', letters = ''] = line.split('|');
  const having = (letter: string) => CLIENTS.filter((_, place) => letters[place] === letter);
  const feature = { page, name, letters, partial: having('a'), unsupported: having('n') };
  return uses.split(' ').map((use) => [use, feature] as const);
}
