import { InboxApi, type SelectionQuery, type Source, type SummaryQuery } from './inbox-api.js';
import { checkedName, newName } from './names.js';
import { type MayflyOptions, readSettings } from './settings.js';
import { Transport } from './transport.js';
import type { ServiceSettings } from './wire.js';

export type { InboxApi, SelectionQuery, Source, SummaryQuery };
export { newName };

/** The operations on one inbox, and those that only a page has a use for. */
export class PageApi extends InboxApi {
  /** Where the content of a part is, for a link. It opens only what no workspace owns: a link carries no key. */
  partUrl(receivedAt: string, path: string): string {
    return this.transport.urlOf(this.at(`/${receivedAt}/parts/${path}`));
  }

  /** The whole message as it came. */
  message(receivedAt: string, signal?: AbortSignal): Promise<Blob> {
    return this.transport.blob(this.at(`/${receivedAt}/raw`, signal));
  }
}

/**
 * The operations on one inbox, for those who do their own waiting and trying again, such as the inbox page. Throws
 * `MayflyOptionError` for what is not valid.
 */
export function inboxApi(name: string, options: MayflyOptions = {}, source: Source = 'sdk'): PageApi {
  return new PageApi(new Transport(readSettings(options)), checkedName(name), source);
}

/** How a service is set up. One try, as the operations. */
export function serviceSettings(options: MayflyOptions = {}, signal?: AbortSignal): Promise<ServiceSettings> {
  return new Transport(readSettings(options)).json({ path: '/api/settings', signal });
}
