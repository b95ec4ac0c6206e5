import { httpErrors } from '../../errors.js';
import { RequestError } from '../answer/request-error.js';
import type { App, preParsingHookHandler, Request } from '../framework.js';
import { readQuery } from './fields.js';

/** Adds routes whose body is parsed as a form, whatever its type. A missing body counts as an empty form. */
export function addFormRoutes(app: App, add: (forms: App) => void): void {
  addReadBy(
    app,
    async (_request, body) => readQuery(body.toString()),
    (forms) => {
      forms.addHook('preValidation', async (request) => {
        request.body ??= {};
      });
      add(forms);
    },
  );
}

/** Adds routes that ignore the body. */
export function addBodilessRoutes(app: App, add: (bodiless: App) => void): void {
  addReadBy(app, async () => undefined, add);
}

/** Adds routes that receive the raw body of any type, or undefined without a body. A compressed body gets 415. */
export function addRawRoutes(app: App, add: (raw: App) => void): void {
  addReadBy(
    app,
    async (_request, body) => body,
    (raw) => {
      raw.addHook('preParsing', refuseCoding);
      add(raw);
    },
  );
}

function addReadBy(
  app: App,
  read: (request: Request, body: Buffer) => Promise<unknown>,
  add: (api: App) => void,
): void {
  app.register(async (api) => {
    api.removeAllContentTypeParsers();
    api.addContentTypeParser('*', { parseAs: 'buffer' }, read);
    add(api);
  });
}

/** Refuses an encoded body with 415 before it is read. */
export const refuseCoding: preParsingHookHandler = (request, _reply, body, done) =>
  done(refusalOfCoding(request as Request), body);

/** The error for an encoded body (RFC 9110 section 15.5.16). This server decodes no bodies. */
function refusalOfCoding({ method, headers }: Request): RequestError | null {
  const { 'content-encoding': coding = 'identity' } = headers;
  if (method === 'GET' || method === 'HEAD' || coding.toLowerCase() === 'identity') return null;
  return new RequestError(httpErrors.unsupportedContentEncoding, {}, { 'accept-encoding': 'identity' });
}
