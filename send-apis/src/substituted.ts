import { refuse } from './problem.js';

/** In one mail: each goes through all of its texts. */
const MAX_TAGS = 200;

const MAX_CHARS = 16 * 1024 * 1024;

/** A text with each tag replaced by its value, in the order of the tags. Throws where that makes too much of it. */
export function substituted(text: string, tags: ReadonlyMap<string, string>, field: string): string {
  if (tags.size > MAX_TAGS) refuse('invalid', { field, detail: `at most ${MAX_TAGS} tags` });
  let result = text;
  for (const [tag, value] of tags) {
    if (tag === '') continue;
    const parts = result.split(tag);
    if (result.length + (parts.length - 1) * (value.length - tag.length) > MAX_CHARS) refuse('too-large');
    result = parts.join(value);
  }
  return result;
}
