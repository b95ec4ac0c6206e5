import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Whether a part of a request fits its schema; fills in defaults. `errors` of the function tell why not. */
export type Check = (part: unknown) => boolean;

/** Takes the shared schemas, referenced by name, and the framework's options for ajv. */
export type CheckFactory = (
  shared: Readonly<Record<string, unknown>>,
  options: unknown,
) => (part: { readonly schema: unknown }) => Check;

/** Made by `tools/build-api.js`: building it at each start would take half of the start. */
export interface BuiltApi {
  readonly checks: CheckFactory;
  /** These, and those of the rare routes (`http.ts`). */
  rareChecks(): Promise<CheckFactory>;
  readonly document: Buffer;
}

export async function readBuiltApi(folder: string): Promise<BuiltApi> {
  try {
    const document = readFileSync(path.join(folder, 'openapi.json'));
    const { default: checks } = await import('../../api/checks.cjs');
    const rareChecks = async () => {
      const { default: rare } = await import('../../api/rare-checks.cjs');
      return checksFrom({ ...checks, ...rare });
    };
    return { checks: checksFrom(checks), rareChecks, document };
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    throw new Error('The HTTP interface is not built, or not completely. Run "npm run build".', { cause });
  }
}

/** A hash of a schema, and of the shared ones that it refers to: all of them are far larger. */
export function checkName(schema: unknown, shared: Readonly<Record<string, unknown>>): string {
  const text = JSON.stringify(schema);
  const hash = createHash('sha256').update(text);
  const used = new Set(referencesIn(text));
  for (const name of used) {
    const one = JSON.stringify(shared[name] ?? null);
    hash.update(one);
    for (const further of referencesIn(one)) used.add(further);
  }
  return hash.digest('hex');
}

function referencesIn(text: string): string[] {
  return Array.from(text.matchAll(/"\$ref":"(\w+)#"/g), ([, name = '']) => name);
}

function checksFrom(checks: Readonly<Record<string, Check>>): CheckFactory {
  return (shared) =>
    ({ schema }) => {
      const check = checks[checkName(schema, shared)];
      if (check === undefined)
        throw new Error('The HTTP interface has changed since it was built. Run "npm run build".');
      return check;
    };
}
