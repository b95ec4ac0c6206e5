/**
 * The way into this folder: other parts of the service import this file and no other of it. `service` starts the interface, `metrics`
 * counts and refuses as it does, and `extension` hands on what the routes of others need.
 */

export { isLocalOnly } from '../limits/client-address.js';
export { basicCredentials } from './access/credentials.js';
export { checkHost, checkOneHost, hostOf, pathOf } from './access/host.js';
export { messageIfThere, readerOf, sendJson, textBody, waitForTurn, wholeOrStream } from './answer/answer-body.js';
export { whenOver } from './answer/client-left.js';
export type { OpenStream } from './answer/open-streams.js';
export { ANSWER_HEADERS, JSON_TYPE, RequestError, retryAfter, stoppingError } from './answer/request-error.js';
export type { ExtensionRoutes, RouteGuard } from './app.js';
export { type BuiltApi, readBuiltApi } from './built-api.js';
export { type Upgrade, upgradeOf } from './connection/upgrades.js';
export { type App, addRawRoutes, type Reply, type Request } from './framework.js';
export { HTTP_LIMITS, type HttpEvents, STREAM_RESULTS } from './http-events.js';
export { type HttpOptions, type RunningHttp, startHttp } from './http-listener.js';
export { ifThere } from './request/one-email.js';
export { readQuery } from './request/query.js';
export { readPageFiles } from './routes/inbox-page.js';
export { partHeaders } from './routes/part-file.js';
