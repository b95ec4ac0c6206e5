import { type AddressRange, isLocalOnly, shownRange } from 'mayfly-inbox/plugin';
import type { CompatApiSettings } from './settings.js';

export type OpeningSettings = Pick<
  CompatApiSettings,
  'host' | 'compat-api' | 'compat-api-callers' | 'trust-proxy' | 'workspace' | 'ad-hoc-workspaces'
>;

/** Returns an error message if the settings let no caller list all mail (D42). */
export function checkOpening({
  'compat-api': tool,
  'compat-api-callers': callers,
  host,
  workspace,
  'ad-hoc-workspaces': isAdHoc,
}: OpeningSettings): string | null {
  if (isLocalOnly(host) || workspace.length > 0 || callers.length > 0 || isAdHoc) return null;
  return `--compat-api ${tool} lists the mail of all inboxes, but --host ${host} is reachable from other machines. List the machines that may use it with --compat-api-callers CIDR, or set a key for its clients with --workspace NAME=KEY, or give each project a workspace with --ad-hoc-workspaces, or listen on 127.0.0.1.`;
}

/** Returns the warning at startup that says who can list all mail. */
export function openingSentence(settings: OpeningSettings): string {
  const { 'compat-api': tool, 'compat-api-callers': callers, 'trust-proxy': proxies, host, workspace } = settings;
  const except = workspace.length > 0 ? '; those of a workspace only with its API key' : '';
  const inVain =
    isLocalOnly(host) && callers.length > 0 && proxies.length === 0
      ? ` --compat-api-callers opens it to no one else, because --host ${host} is only reachable from localhost.`
      : '';
  const who = availability(settings, { network: listed(callers), proxies: listed(proxies) });
  return `--compat-api ${tool} lists every inbox${except}. It is available ${who}${inVain}`;
}

/** Says in an error message who may list all mail. Omits allowed addresses, because clients must not learn them. */
export function availabilityForCallers(settings: OpeningSettings): string {
  const key = ' Send a key as "Authorization: Bearer <API_KEY>", or as the password of Basic authentication.';
  return availability(settings, FLAGS) + (settings.workspace.length > 0 ? key : '');
}

const FLAGS = { network: 'an address in --compat-api-callers', proxies: '--trust-proxy' };

function listed(ranges: readonly AddressRange[]): string {
  return ranges.map(shownRange).join(', ');
}

/** Returns the end of a sentence that begins with "It is available": the callers that `Viewers` admits. */
function availability(settings: OpeningSettings, names: typeof FLAGS): string {
  const { 'compat-api-callers': callers, 'trust-proxy': proxies, host, workspace } = settings;
  const hasKeys = workspace.length > 0;
  const network = callers.length > 0 ? names.network : null;
  // Only this machine can reach a loopback address directly, even if other callers are allowed.
  const direct = isLocalOnly(host) ? 'localhost' : network;
  const ways = [
    ...(direct === null ? [] : [`directly from ${direct}`]),
    ...(hasKeys ? ['with a workspace API key'] : []),
    ...(settings['ad-hoc-workspaces'] ? ['for the mail of an ad-hoc workspace with its credentials'] : []),
  ];
  const sentence = `${ways.join(' or ')}.`;
  if (direct === null || proxies.length === 0) return sentence;
  const refusal = hasKeys ? 'needs the key' : 'is refused';
  const unless = network === null ? '' : `, unless its X-Forwarded-For names a client at ${network}`;
  return `${sentence} A request from a trusted proxy (${names.proxies}) ${refusal}${unless}.`;
}
