import { isLocalOnly } from '../limits/client-address.js';
import { SEND_APIS, type SendApi } from './kinds.js';
import type { Settings } from './table.js';

/** The providers whose send APIs are served (`--send-apis`), in the order of the table. */
export function servedSendApis(settings: Pick<Settings, 'host' | 'send-apis'>): readonly SendApi[] {
  const chosen: readonly string[] = settings['send-apis'];
  if (chosen.includes('off')) return [];
  const isAll = chosen.includes('all') || (chosen.includes('local') && isLocalOnly(settings.host));
  return SEND_APIS.filter((name) => isAll || chosen.includes(name));
}
