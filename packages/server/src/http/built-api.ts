import { ownFiles } from '../own-package.js';

/** Whether a part of a request matches its schema; fills in defaults. The function's `errors` explain a mismatch. */
export type Check = (part: unknown) => boolean;

interface Checked {
  readonly method: string;
  readonly url: string;
  readonly httpPart?: string;
}

/** Built by `tools/build-api.js`, because building it at each start would double the time of a start. */
export interface BuiltApi {
  /** Fastify calls this to get the check of each schema. */
  checks(): (part: Checked) => Check;
  readonly document: Buffer;
}

export async function readBuiltApi(): Promise<BuiltApi> {
  const document = ownFiles('api').read('openapi.json');
  const { default: checks } = await import('../../api/checks.cjs');
  const checkOf = (part: Checked): Check => {
    const check = checks[checkName(part)];
    if (check === undefined)
      throw new Error('The HTTP interface has changed since the last build. Run "npm run build".');
    return check;
  };
  return { checks: () => checkOf, document };
}

/** HEAD is checked like GET. */
export function checkName({ method, url, httpPart }: Checked): string {
  return `${method === 'HEAD' ? 'GET' : method} ${url} ${httpPart}`;
}
