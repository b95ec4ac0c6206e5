import type { SettingName } from './table.js';

/** What settings are about, in the order in which help and documents show them. */
export const GROUPS = [
  'Listeners',
  'Mail and storage',
  'SMTP',
  'TLS',
  'HTTP',
  'Client limits',
  'Workspaces and the page',
  'Other interfaces',
  'Operation',
] as const;

export type Group = (typeof GROUPS)[number];

const GROUP_OF: Readonly<Record<SettingName, Group>> = {
  host: 'Listeners',
  'http-port': 'Listeners',
  'smtp-port': 'Listeners',
  domain: 'Mail and storage',
  store: 'Mail and storage',
  'store-replicas': 'Mail and storage',
  'store-replicas-on-disk': 'Mail and storage',
  retention: 'Mail and storage',
  'store-budget': 'Mail and storage',
  'max-emails': 'Mail and storage',
  'max-message': 'SMTP',
  'max-recipients': 'SMTP',
  'max-in-flight': 'SMTP',
  'smtp-connections': 'SMTP',
  'smtp-connections-total': 'SMTP',
  'smtp-idle': 'SMTP',
  'smtp-data-time': 'SMTP',
  'smtp-data-speed': 'SMTP',
  'smtp-proxy': 'SMTP',
  'smtp-proxy-lazy': 'SMTP',
  tls: 'TLS',
  'tls-cert': 'TLS',
  'tls-key': 'TLS',
  streams: 'HTTP',
  'streams-per-client': 'HTTP',
  'http-connections': 'HTTP',
  'http-header-time': 'HTTP',
  'http-request-time': 'HTTP',
  'http-max-body': 'HTTP',
  'trust-proxy': 'HTTP',
  'cors-origin': 'HTTP',
  'fetch-limit': 'Client limits',
  'look-limit': 'Client limits',
  'name-limit': 'Client limits',
  'stream-limit': 'Client limits',
  'workspace-limit': 'Client limits',
  'wrong-key-limit': 'Client limits',
  'waitlist-limit': 'Client limits',
  'smtp-limit': 'Client limits',
  workspace: 'Workspaces and the page',
  page: 'Workspaces and the page',
  waitlist: 'Workspaces and the page',
  'drop-in': 'Other interfaces',
  'drop-in-callers': 'Other interfaces',
  'drop-in-root': 'Other interfaces',
  'drop-in-limit': 'Other interfaces',
  'send-apis': 'Other interfaces',
  templates: 'Other interfaces',
  rehearsals: 'SMTP',
  mcp: 'Other interfaces',
  compat: 'Other interfaces',
  'reading-threads': 'Operation',
  metrics: 'Operation',
  'log-level': 'Operation',
  'log-format': 'Operation',
};

/** These settings by group, without the groups that have none of them. */
export function grouped(names: readonly SettingName[]): { readonly group: Group; readonly names: SettingName[] }[] {
  return GROUPS.map((group) => ({ group, names: names.filter((name) => GROUP_OF[name] === group) })).filter(
    ({ names: own }) => own.length > 0,
  );
}
