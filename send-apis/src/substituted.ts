import { refuse } from './problem.js';

/** In one mail: each goes through all of its texts. */
const MAX_TAGS = 200;

/** Of one text with its variables filled in. */
const MAX_CHARS = 16 * 1024 * 1024;

/** Places of one tag in one text: each takes a piece of memory of its own. */
const MAX_PLACES = 256 * 1024;

/** What is looked through for all mails of a request: some seconds of a processor. */
const MAX_LOOKED_THROUGH = 512 * 1024 * 1024;

/** Fills in the texts of one request. Each has a bound, and so have all together. */
export class Filling {
  #left = MAX_LOOKED_THROUGH;

  /** A text with each tag replaced by its value, in the order of the tags. Throws where that makes too much of it. */
  substituted(text: string, tags: ReadonlyMap<string, string>, field: string): string {
    if (tags.size > MAX_TAGS) refuse('invalid', { field, detail: `an object of at most ${MAX_TAGS} tags` });
    let result = text;
    for (const [tag, value] of tags) {
      if (tag === '' || result === '') continue;
      this.#left -= result.length;
      if (this.#left < 0) refuse('too-large', { detail: 'Its substitutions take too long.' });
      const places = placesOf(tag, result);
      checkFilled(result.length + places * (value.length - tag.length));
      if (places > 0) result = result.split(tag).join(value);
    }
    return result;
  }
}

/** Throws where a text with its variables filled in is too long. */
export function checkFilled(chars: number): void {
  if (chars > MAX_CHARS)
    refuse('too-large', { detail: `A text may have ${MAX_CHARS} characters when it is filled in.` });
}

function placesOf(tag: string, text: string): number {
  let places = 0;
  for (let at = text.indexOf(tag); at >= 0; at = text.indexOf(tag, at + tag.length)) {
    places += 1;
    if (places > MAX_PLACES) refuse('too-large', { detail: `A tag may stand in a text ${MAX_PLACES} times.` });
  }
  return places;
}
