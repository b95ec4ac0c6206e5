import type { Taker, WayOut } from '../../inbox/inboxes.js';
import type { Request } from '../framework.js';
import type { Access } from './access.js';

/** As our page labels its requests. Where nothing is said, that is the default of the interface, not a page. */
const OF_PAGE = /[?&]source=browser(?:&|$)/;

/** Whom the answer to a request is for. */
export function takerOf(request: Request, access: Pick<Access, 'clientOf'>, way: WayOut): Taker {
  return { way: OF_PAGE.test(request.url) ? 'page' : way, client: access.clientOf(request) };
}
