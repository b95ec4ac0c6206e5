import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

/** Whether a part of a request keeps its schema, which also fills in defaults. What is wrong stands in `errors` of the function. */
export type Check = (part: unknown) => boolean;

/** Makes the checks of schemas, given the shared ones that they refer to by name, and the framework's options for ajv. */
export type CheckFactory = (shared: unknown, options: unknown) => (part: { readonly schema: unknown }) => Check;

/**
 * What the build has made of the schemas of the routes (`tools/build-api.js`). To make it at each start, and to load the libraries
 * that do it, would take half of one.
 */
export interface BuiltApi {
  /** Gives the check of a schema. Throws when the schema is not one that the build has seen. */
  readonly checks: CheckFactory;
  /** The OpenAPI document, as JSON. */
  readonly document: Buffer;
}

/** Reads what was built. Rejects with a sentence when it is not there. */
export async function readBuiltApi(folder: string): Promise<BuiltApi> {
  try {
    // From a file of the folder: where a test of Jest starts the service, its `createRequire` takes no folder.
    const checks: Readonly<Record<string, Check>> = createRequire(path.join(folder, 'checks.cjs'))('./checks.cjs');
    return { checks: checksFrom(checks), document: await readFile(path.join(folder, 'openapi.json')) };
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'MODULE_NOT_FOUND') throw cause;
    throw new Error('The HTTP interface is not built, or not wholly. Run "npm run build".', { cause });
  }
}

/** What the check of a schema is called. A schema that has changed, or refers to one that has, is called otherwise. */
export function checkName(schema: unknown, shared: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify([schema, shared]))
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
