// Builds what the HTTP interface needs of the schemas of its routes, so that no start has to make it, nor to load what
// makes it: the checks of requests as code (ajv), and the API document (@fastify/swagger). Both are written into
// server/api.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { StandaloneValidator } from '@fastify/ajv-compiler';
import swagger from '@fastify/swagger';
import { openLog } from '../server/dist/base/log.js';
import { addRoutes } from '../server/dist/http/app.js';
import { checkName } from '../server/dist/http/built-api.js';
import { createApp } from '../server/dist/http/framework.js';
import { DOCUMENT } from '../server/dist/http/routes/openapi.js';

const TARGET = 'server/api';

const checks = new Map();
const log = openLog('silent', 'json');
const options = {
  limits: {},
  openServer: (answer) => createServer(answer),
  posted: [],
  corsOrigins: [],
  log,
  checks: keepingChecks,
};
// No request comes, so none is admitted, and what the routes would answer it from is not there.
const app = await createApp(options, () => {});
await app.register(swagger, {
  openapi: DOCUMENT,
  refResolver: { buildLocalReference: ({ $id }) => $id },
});
await addRoutes(app, { page: null }, null, null);
await app.ready();
write('openapi.json', JSON.stringify(app.swagger()));
write('checks.cjs', [...checks].map(([name, { used, code }]) => moduleText(name, used, code)).join('\n'));
await app.close();

/** Makes the checks as the framework does, and keeps the code of each. */
function keepingChecks(shared, options) {
  const storeFunction = ({ schema, method, url, httpPart }, code) =>
    checks.set(checkName(schema, shared), { used: `${method} ${url}, ${httpPart}`, code });
  return StandaloneValidator({ readMode: false, storeFunction })(shared, options);
}

/** One check as a part of a module of many. What ajv writes is a module of its own. */
function moduleText(name, used, code) {
  return `// ${used}\nexports['${name}'] = ((module) => {\n${code}\nreturn module.exports;\n})({});`;
}

/** Writes a file at once, for a service may start meanwhile. */
function write(name, text) {
  mkdirSync(TARGET, { recursive: true });
  writeFileSync(path.join(TARGET, `${name}.new`), text);
  renameSync(path.join(TARGET, `${name}.new`), path.join(TARGET, name));
}
