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

/** Refuses an encoded body (RFC 9110 section 15.5.16) with 415 before it is read. This server decodes no bodies. */
export const refuseCoding: preParsingHookHandler = ({ method, headers }, _reply, body, done) => {
  const { 'content-encoding': coding = 'identity' } = headers;
  const isPlain = method === 'GET' || method === 'HEAD' || coding.toLowerCase() === 'identity';
  const identity = { 'accept-encoding': 'identity' };
  done(isPlain ? null : new RequestError(httpErrors.unsupportedContentEncoding, {}, identity), body);
};
