import type { Log } from '../../base/log.js';
import type { App } from '../../http/http.js';
import { addNotServed } from '../extra-routes.js';
import type { Shared } from '../shared.js';
import { Events } from './events/events.js';
import { addEventsRoute } from './events/route.js';
import { addInfoRoutes } from './info.js';
import { addListRoutes } from './lists.js';
import { addMessageRoutes } from './messages.js';
import { addPageRoutes } from './page.js';
import { addSendRoute } from './send.js';

const OTHERS = [
  'GET /api/v1/chaos',
  'PUT /api/v1/chaos',
  'PUT /api/v1/tags',
  'PUT /api/v1/tags/:tag',
  'DELETE /api/v1/tags/:tag',
  'GET /api/v1/message/:id/html-check',
  'GET /api/v1/message/:id/link-check',
  'GET /api/v1/message/:id/sa-check',
  'POST /api/v1/message/:id/release',
  'GET /api/v1/message/:id/part/:part/thumb',
] as const;

/** Mailpit's interface (version 1), as far as tests use it. */
export function addMailpitRoutes(api: App, shared: Shared, log: Log): void {
  const events = new Events({ ...shared, log });
  addListRoutes(api, shared, events);
  addMessageRoutes(api, shared);
  addPageRoutes(api, shared);
  addInfoRoutes(api, shared);
  addSendRoute(api, shared);
  addEventsRoute(api, shared, events);
  addNotServed(api, 'Mailpit', OTHERS);
}
