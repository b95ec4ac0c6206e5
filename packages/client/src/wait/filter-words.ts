import { type EmailFilter, FLAGS, TEXTS } from './filter.js';
import { shownPattern } from './text.js';

/** A filter in words, such as `with a code` and `subject "Welcome"`. */
export function describeFilter(filter: EmailFilter): string[] {
  const parts: string[] = [];
  for (const [name, , word] of FLAGS) {
    if (filter[name] !== undefined) parts.push(`with${filter[name] ? '' : 'out'} a ${word}`);
  }
  for (const name of TEXTS) {
    const wanted = filter[name];
    if (wanted !== undefined) parts.push(`${name} ${shownPattern(wanted)}`);
  }
  if (filter.where) parts.push('that where() accepts');
  return parts;
}
