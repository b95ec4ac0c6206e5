import { type App, describeApi } from '../framework.js';
import { errorAnswers, jsonAnswer } from '../schemas.js';

/** The version of the interface (interface section 9). */
const INTERFACE_VERSION = '1.0.0';

const DOCUMENT = {
  openapi: '3.1.0',
  info: {
    title: 'Mayfly',
    version: INTERFACE_VERSION,
    description: 'Disposable email inboxes for automated tests. Any name is an inbox; no call creates one.',
    license: { name: 'MIT', identifier: 'MIT' },
  },
  components: {
    securitySchemes: {
      workspaceKey: { type: 'http', scheme: 'bearer', description: 'API key of a workspace.' },
    },
  },
};

/** Begins the API document: what is routed after this call is in it. */
export async function beginOpenApi(app: App): Promise<void> {
  await describeApi(app, DOCUMENT);
}

/** `GET /openapi.json`: the API document, made once when all routes are there. */
export function addOpenApiRoute(app: App): void {
  let document: Buffer | undefined;
  app.get(
    '/openapi.json',
    {
      schema: {
        operationId: 'getOpenApi',
        summary: 'This document.',
        response: {
          200: jsonAnswer('OpenAPI 3.1.', { type: 'object', additionalProperties: true }),
          ...errorAnswers(),
        },
      },
    },
    async (_request, reply) => {
      document ??= Buffer.from(JSON.stringify(app.swagger()));
      return reply.type('application/json; charset=utf-8').send(document);
    },
  );
}
