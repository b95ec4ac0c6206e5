import type { BoundedField, Contents } from './contents.js';
import { firstCharacters } from './text.js';

/** Each text and list of the contents up to `max` characters of JSON, and one item more; the link to follow is kept, as the last. */
export function excerptOf(contents: Contents, max: number): Contents {
  const incomplete = new Set(contents.incomplete);
  const beginning = <T>(name: BoundedField, items: readonly T[]): readonly T[] => {
    let left = max;
    const shown = items.findIndex((item) => {
      const isOver = left < 0;
      left -= isOver ? 0 : JSON.stringify(item).length;
      return isOver;
    });
    if (shown < 0) return items;
    incomplete.add(name);
    return items.slice(0, shown);
  };
  const cut = (name: 'text' | 'html'): string | null => {
    const text = contents[name];
    if (text === null || text.length <= max) return text;
    incomplete.add(name);
    return firstCharacters(text, max);
  };
  const { from, to, cc, replyTo, headers, parts, links, codes } = contents;
  return {
    from: beginning('from', from),
    to: beginning('to', to),
    cc: beginning('cc', cc),
    replyTo: beginning('replyTo', replyTo),
    headers: beginning('headers', headers),
    parts: beginning('parts', parts),
    text: cut('text'),
    html: cut('html'),
    links: withAction(beginning('links', links), links),
    codes: beginning('codes', codes),
    incomplete: [...incomplete],
  };
}

function withAction(shown: Contents['links'], all: Contents['links']): Contents['links'] {
  const action = all.find((link) => link.action);
  return action === undefined || shown.includes(action) ? shown : [...shown, action];
}
