import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Whether a part of a request fits its schema; fills in defaults. `errors` of the function tell why not. */
export type Check = (part: unknown) => boolean;

/** Takes the shared schemas, referenced by name, and the framework's options for ajv. */
export type CheckFactory = (shared: unknown, options: unknown) => (part: { readonly schema: unknown }) => Check;

/** Made by `tools/build-api.js`: building it at each start would take half of the start. */
export interface BuiltApi {
  readonly checks: CheckFactory;
  readonly document: Buffer;
}

export async function readBuiltApi(folder: string): Promise<BuiltApi> {
  try {
    const document = readFileSync(path.join(folder, 'openapi.json'));
    const { default: checks } = await import('../../api/checks.cjs');
    return { checks: checksFrom(checks), document };
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    throw new Error('The HTTP interface is not built, or not completely. Run "npm run build".', { cause });
  }
}

/** A hash of a schema, and of the shared ones if it refers to any: these are far larger, and few schemas do. */
export function checkName(schema: unknown, shared: unknown): string {
  const text = JSON.stringify(schema);
  return createHash('sha256')
    .update(text.includes('"$ref"') ? JSON.stringify([schema, shared]) : text)
    .digest('hex');
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
