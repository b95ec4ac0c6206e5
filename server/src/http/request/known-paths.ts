import { httpErrors } from '../../errors.js';
import { pathOf } from '../access/host.js';
import { RequestError } from '../answer/request-error.js';
import { TIME_SEGMENT } from './parameters.js';

/** Tells an unknown path from an unknown method (D11). */
export class KnownPaths {
  readonly #methods = new Map<string, Set<string>>();

  /** `pattern` is such as `/api/inbox/:name`. */
  add(pattern: string, methods: readonly string[]): void {
    this.#methods.set(pattern, new Set([...(this.#methods.get(pattern) ?? []), ...methods]));
  }

  refusal(method: string, url: string): RequestError {
    const segments = pathOf(url).split('/');
    for (const [pattern, methods] of this.#methods) {
      if (!isMatch(pattern, segments)) continue;
      const allow = [...methods].sort().join(', ');
      return new RequestError(httpErrors.methodNotAllowed, { method, allow }, { allow });
    }
    return new RequestError(httpErrors.notFound);
  }
}

function isMatch(pattern: string, segments: readonly string[]): boolean {
  const expected = pattern.split('/');
  return (
    expected.length === segments.length &&
    expected.every((segment, position) => isSegment(segment, segments[position] ?? ''))
  );
}

/** A text, or a parameter such as `:name`, of any text or of a time. */
function isSegment(pattern: string, segment: string): boolean {
  if (!pattern.startsWith(':')) return pattern === segment;
  return !pattern.endsWith(`(${TIME_SEGMENT.source})`) || TIME_SEGMENT.test(segment);
}
