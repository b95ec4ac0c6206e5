import type { App } from '../../http/framework.js';
import { addNotServed } from '../not-served.js';
import type { Shared } from '../shared.js';
import { addInfoRoutes } from './info.js';
import { addListRoutes } from './lists.js';
import { addMessageRoutes } from './messages.js';
import { addSendRoute } from './send.js';

/** What Mailpit serves besides. */
const OTHERS = [
  'GET /api/v1/chaos',
  'PUT /api/v1/chaos',
  'GET /api/v1/webui',
  'PUT /api/v1/tags',
  'PUT /api/v1/tags/:tag',
  'DELETE /api/v1/tags/:tag',
  'GET /api/v1/message/:id/html-check',
  'GET /api/v1/message/:id/link-check',
  'GET /api/v1/message/:id/sa-check',
  'POST /api/v1/message/:id/release',
  'GET /api/v1/message/:id/part/:part/thumb',
  'GET /api/events',
] as const;

/** The part of Mailpit's interface (version 1) that tests use. */
export function addMailpitRoutes(api: App, shared: Shared): void {
  addListRoutes(api, shared);
  addMessageRoutes(api, shared);
  addInfoRoutes(api, shared);
  addSendRoute(api, shared);
  addNotServed(api, 'Mailpit', OTHERS);
}
