import { isLocalOnly, kinds, type Sending, several } from 'mayfly-inbox/plugin';

/** A plugin's APIs, and the environment variables with which an application finds each. */
type Apis<Name extends string> = Readonly<Record<Name, Sending[string]>>;

/** The setting that chooses among a plugin's APIs. */
export function apisSetting(apis: Apis<string>, what: string) {
  const names = Object.keys(apis);
  const kind = kinds.oneOf('PROVIDER', [...names, 'all', 'local', 'off'], `use ${names.join(', ')}, all, local or off`);
  const text = `${what}: ${names.join(', ')}, all, off (no API), or local (all if only this machine can reach --host).`;
  return several(kind, 'local', text, { group: 'Other interfaces' });
}

export function servedOf<Name extends string>(apis: Apis<Name>, chosen: readonly string[], host: string) {
  if (chosen.includes('off')) return [];
  const isAll = chosen.includes('all') || (chosen.includes('local') && isLocalOnly(host));
  return (Object.keys(apis) as Name[]).filter((name) => isAll || chosen.includes(name));
}

export function sendingOf<Name extends string>(apis: Apis<Name>, served: readonly Name[]): Sending {
  return Object.fromEntries(served.map((name) => [name, apis[name]]));
}
