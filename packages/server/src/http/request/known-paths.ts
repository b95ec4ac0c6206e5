import { httpErrors } from '../../errors.js';
import { pathOf } from '../access/host.js';
import { RequestError } from '../answer/request-error.js';
import { TIME_SEGMENT } from './parameters.js';

/** Paths that the service serves only with an option. */
export interface OptionalPart {
  readonly path: RegExp;
  readonly part: string;
  readonly option: string;
}

const OPTIONAL_PARTS: readonly OptionalPart[] = [
  { path: /^\/mcp\/?$/, part: 'The endpoint of coding agents', option: '--mcp' },
  { path: /^\/metrics\/?$/, part: 'The list of metrics', option: '--metrics PORT, and only on that port' },
];

/** More than any route has. A client may send thousands of slashes. */
const MAX_SEGMENTS = 100;

export type KnownPaths = ReturnType<typeof knownPaths>;

/** Distinguishes an unknown path from an unknown method (D11). */
export function knownPaths(ofPlugins: readonly OptionalPart[] = []) {
  const optional = [...OPTIONAL_PARTS, ...ofPlugins];
  const methodsOf = new Map<string, Set<string>>();
  const roots = new Set<string>();
  return {
    add(pattern: string, methods: readonly string[], root = ''): void {
      if (root !== '') roots.add(root);
      methodsOf.set(pattern, new Set([...(methodsOf.get(pattern) ?? []), ...methods]));
    },

    refusal(method: string, url: string): RequestError {
      const segments = pathOf(url).split('/', MAX_SEGMENTS);
      for (const [pattern, methods] of methodsOf) {
        if (!isMatch(pattern, segments)) continue;
        const allow = [...methods].sort().join(', ');
        return new RequestError(httpErrors.methodNotAllowed, { method, allow }, { allow });
      }
      return new RequestError(httpErrors.notFound);
    },

    /** The error for an unknown path. Names the option that would add the path, or the plugin's root that contains it. */
    absence(url: string): RequestError {
      const path = pathOf(url);
      const off = optional.find((part) => part.path.test(path));
      // A plugin's paths may follow a prefix, which `OptionalPart` does not know.
      const isServed = (pattern: string) =>
        off?.path.test(pattern) || off?.path.test(pattern.slice(pattern.indexOf('/api/')));
      if (off !== undefined && ![...methodsOf.keys()].some(isServed))
        return new RequestError(httpErrors.optionIsOff, { part: off.part, option: off.option });
      const root = [...roots].find((one) => path.startsWith(`${one}/`));
      return root === undefined
        ? new RequestError(httpErrors.notFound)
        : new RequestError(httpErrors.notFoundBelowRoot, { root });
    },
  };
}

function isMatch(pattern: string, segments: readonly string[]): boolean {
  const expected = pattern.split('/');
  const isSegment = (one: string, at: number) => {
    const segment = segments[at] ?? '';
    if (!one.startsWith(':')) return one === segment;
    return !one.endsWith(`(${TIME_SEGMENT.source})`) || TIME_SEGMENT.test(segment);
  };
  return expected.length === segments.length && expected.every(isSegment);
}
