import { InboxApi, type SelectionQuery, type Source, type SummaryQuery } from './inbox-api.js';
import { checkedName } from './names.js';
import { type MayflyOptions, readSettings } from './settings.js';
import { Transport } from './transport.js';

export type { InboxApi, SelectionQuery, Source, SummaryQuery };

/**
 * The operations on one inbox, for those who do their own waiting and trying again, such as the inbox page. Throws
 * `MayflyOptionError` for what is not valid.
 */
export function inboxApi(name: string, options: MayflyOptions = {}, source: Source = 'sdk'): InboxApi {
  return new InboxApi(new Transport(readSettings(options)), checkedName(name), source);
}
