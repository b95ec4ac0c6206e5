import { refuse } from './problem.js';

/** In one mail: each is searched for in all of its texts. */
const MAX_TAGS = 200;

/** Of one text with its variables filled in. */
const MAX_CHARS = 16 * 1024 * 1024;

/** Occurrences of one tag in one text: each takes its own piece of memory. */
const MAX_PLACES = 256 * 1024;

/** Characters searched for all mails of a request: some seconds of processor time. */
const MAX_LOOKED_THROUGH = 512 * 1024 * 1024;

/** Fills in the texts of one request, each and all together within a bound. */
export class Filling {
  #left = MAX_LOOKED_THROUGH;

  /** A text with each tag replaced by its value, in the order of the tags. Throws if the result is too long. */
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
    if (places > MAX_PLACES) refuse('too-large', { detail: `A tag may occur ${MAX_PLACES} times in a text.` });
  }
  return places;
}
