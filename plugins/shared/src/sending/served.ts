import { isLocalOnly } from 'mayfly-inbox/plugin';

/** The APIs that a setting chooses. `local` chooses all if only this machine can reach the service. */
export function servedOf<Name extends string>(
  all: readonly Name[],
  chosen: readonly string[],
  host: string,
): readonly Name[] {
  if (chosen.includes('off')) return [];
  const isAll = chosen.includes('all') || (chosen.includes('local') && isLocalOnly(host));
  return all.filter((name) => isAll || chosen.includes(name));
}

/** Names the option in the 404 for a path of an API that is off. */
export function optionalPart(path: RegExp, part: string, option: string) {
  return { path, part, option };
}
