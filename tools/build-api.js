// Generates the request validation (ajv) and the API document (@fastify/swagger) from the routes, the wire types and
// operations.yaml into packages/server/api, so that no start needs ajv's compiler or swagger.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { register } from 'node:module';
import path from 'node:path';
import { StandaloneValidator } from '@fastify/ajv-compiler';
import swagger from '@fastify/swagger';
import { systemClock as clock } from '../packages/server/dist/base/clock.js';
import { openLog } from '../packages/server/dist/base/log.js';
import { httpErrors, limitErrors } from '../packages/server/dist/errors.js';
import { peersOf } from '../packages/server/dist/http/access/peers.js';
import { addRoutes } from '../packages/server/dist/http/app.js';
import { checkName } from '../packages/server/dist/http/built-api.js';
import { createApp } from '../packages/server/dist/http/framework.js';
import { readStartOptions } from '../packages/server/dist/settings/start-options.js';
import { readOperations, wireSchemas } from './operations.js';

const TARGET = 'packages/server/api';
const DOOR = new URL('../packages/server/dist/plugin/plugin.js', import.meta.url).href;

// Resolves this import to the plugin API's source. The bundle does not exist yet: it needs this script's output.
const hook = `export const resolve = (name, context, next) =>
  name === 'mayfly-inbox/plugin' ? { url: '${DOOR}', shortCircuit: true } : next(name, context);`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
const { Plugins } = await import('../packages/server/dist/plugin/plugins.js');
const { installedPlugins } = await import('../packages/server/dist/plugin/installed.js');

const checks = new Map();
const log = openLog('silent', 'json');
const options = {
  ...{ peers: peersOf([]), clock, log, limits: { connections: {} } },
  ...{ corsOrigins: [], answerLost: null, checks: keepingChecks },
};
// This app never listens, so its routes need no service.
const app = await createApp(options, () => {});
const operations = readOperations(
  Object.assign({}, httpErrors, ...installedPlugins().map(({ plugin }) => plugin.errors?.http)),
);
await app.register(swagger, {
  openapi: operations.frame,
  refResolver: { buildLocalReference: ({ $id }) => $id },
});
for (const [name, schema] of wireSchemas()) {
  const example = operations.bodies.get(name);
  app.addSchema({ $id: name, ...schema, ...(example && { examples: [example] }) });
}
app.addHook('onRoute', (route) => {
  if (route.method === 'HEAD' || route.schema?.hide) return;
  route.schema = operations.describe(route, limitErrors[route.config?.limit]);
});
await addRoutes(app, { page: null, settings: {} });
// Turns off the provider APIs, because the document omits routes that imitate another product.
const inboxes = { heldBack: { addTest() {} } };
const plugins = new Plugins({ settings: readStartOptions({ sendApis: 'off', smsApis: 'off' }), inboxes, clock, log });
await plugins.setUp();
for (const routes of plugins.routes({})) await routes.add(app, {});
await app.ready();
if (operations.left.size > 0)
  throw new Error(`operations.yaml describes routes that do not exist: ${[...operations.left].join(', ')}`);
write('checks.cjs', moduleOf(checks));
// This file is always written, and last, because tools/build.js compares its age with that of the sources.
replace('openapi.json', JSON.stringify(app.swagger()));
await app.close();

/** Compiles validation as Fastify does, and keeps the generated code in `checks`. */
function keepingChecks(shared, options) {
  const storeFunction = (part, code) => checks.set(checkName(part), code);
  return StandaloneValidator({ readMode: false, storeFunction })(shared, options);
}

/** Joins ajv's modules into one module, which contains equal modules only once. */
function moduleOf(checks) {
  const first = new Map();
  const lines = [...checks].map(([name, code]) => {
    const same = first.get(code);
    if (same !== undefined) return `exports[${JSON.stringify(name)}] = exports[${JSON.stringify(same)}];`;
    first.set(code, name);
    return `exports[${JSON.stringify(name)}] = ((module) => {\n${code}\nreturn module.exports;\n})({});`;
  });
  return lines.join('\n');
}

/** Writes a file only if its text has changed, because a newer file makes the bundle out of date. */
function write(name, text) {
  const file = path.join(TARGET, name);
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) replace(name, text);
}

/** Replaces a file in one step, because a service may read it meanwhile. */
function replace(name, text) {
  mkdirSync(TARGET, { recursive: true });
  writeFileSync(path.join(TARGET, `${name}.new`), text);
  renameSync(path.join(TARGET, `${name}.new`), path.join(TARGET, name));
}
