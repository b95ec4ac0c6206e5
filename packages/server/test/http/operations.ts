import { api, builtApi } from './api.js';

export interface Operation {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
}

/** Every operation on an inbox in the API document, except the mail check plugin's. */
export const OPERATIONS: readonly Operation[] = Object.entries(
  JSON.parse(builtApi.document.toString()).paths as Record<string, object>,
)
  .filter(([path]) => path.includes('{name}') && !path.endsWith('/check'))
  .flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({ method: method.toUpperCase() as Operation['method'], path })),
  );

/** Requests an operation on an inbox that has an email received at `receivedAt`. */
export function request({ method, path }: Operation, inbox: string, receivedAt: string, authorization?: string) {
  const url = path.replace('{name}', inbox).replace('{receivedAt}', receivedAt).replace('{path}', '1');
  const isForm = method === 'POST' && path.endsWith('/html');
  return api.app.inject({
    ...{ method, url },
    headers: {
      ...(authorization && { authorization }),
      ...(isForm && { 'content-type': 'application/x-www-form-urlencoded' }),
    },
    ...(isForm && { payload: '' }),
  });
}
