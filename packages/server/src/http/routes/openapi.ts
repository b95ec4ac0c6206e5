import { textBody } from '../answer/answers.js';
import { JSON_TYPE } from '../answer/request-error.js';
import { errorAnswers, jsonAnswer } from '../answer/schemas.js';
import type { App } from '../framework.js';

/** Interface section 9. */
const INTERFACE_VERSION = '1.0.0';

/** Routes and schemas are added by `tools/build-api.js`. */
export const DOCUMENT = {
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
      inboxSecret: { type: 'http', scheme: 'bearer', description: 'Secret of a private inbox.' },
    },
  },
};

const EXAMPLE = { openapi: DOCUMENT.openapi, info: DOCUMENT.info };

export function addOpenApiRoute(app: App, document: Buffer): void {
  app.get(
    '/openapi.json',
    {
      schema: {
        operationId: 'getOpenApi',
        summary: 'This document.',
        response: {
          200: jsonAnswer('OpenAPI 3.1.', { type: 'object', additionalProperties: true }, EXAMPLE),
          ...errorAnswers(),
        },
      },
    },
    async (_request, reply) => reply.type(JSON_TYPE).send(textBody(reply, document)),
  );
}
