import type { EmailParts } from 'mayfly-protocol/wire';
import { shownText } from '../wait/text.js';
import { record } from './webhook-event.js';

export const TRACKED = ['clicks', 'opens'] as const;
export type Tracked = (typeof TRACKED)[number];

/** How a provider turns tracking off in a request to its send API. */
interface Switches {
  /** The fields that decide, the most specific first. Without them, the account's settings decide. */
  readonly fields: Readonly<Record<Tracked, readonly string[]>>;
  /** Headers of the message with the same meaning, in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The attribute that excludes a link from click tracking. */
  readonly attribute: RegExp;
}

const SWITCHES: Readonly<Record<string, Switches>> = {
  sendgrid: {
    fields: { clicks: ['tracking_settings.click_tracking.enable'], opens: ['tracking_settings.open_tracking.enable'] },
    attribute: /\sclicktracking\s{0,9}=\s{0,9}["']?off\b/i,
  },
  postmark: {
    fields: { clicks: ['TrackLinks'], opens: ['TrackOpens'] },
    attribute: /\sdata-pm-no-track\b/i,
  },
  mailgun: {
    fields: { clicks: ['o:tracking-clicks', 'o:tracking'], opens: ['o:tracking-opens', 'o:tracking'] },
    headers: {
      'o:tracking': 'x-mailgun-track',
      'o:tracking-clicks': 'x-mailgun-track-clicks',
      'o:tracking-opens': 'x-mailgun-track-opens',
    },
    attribute: /\sdisable-tracking\s{0,9}=\s{0,9}["']?true\b/i,
  },
};

const OFF: readonly unknown[] = [false, 'false', 'no', 'None'];

/** Why the request cannot be checked, as the end of a sentence, or null. */
export function uncheckable({ sendApi }: EmailParts): string | null {
  if (sendApi === null) return 'it did not come over a send API';
  const { provider, body } = sendApi;
  if (provider === 'resend') return 'Resend sets tracking for a domain, not in a request';
  if (provider !== 'ses' && !Object.hasOwn(SWITCHES, provider)) return `${provider} has no tracking`;
  const isKept = messagesIn(body).every((one) => typeof one === 'object' && one !== null);
  return isKept ? null : 'Mayfly does not show the whole request';
}

/** How tracking may be on in an email that came over a send API, as ends of a sentence. */
export function trackingFaults(parts: EmailParts, tracked: readonly Tracked[], untracked: readonly string[]): string[] {
  const { provider = '', body = null } = parts.sendApi ?? {};
  const faults = messagesIn(body).flatMap((message) =>
    provider === 'ses' ? sesFaults(parts, record(message), tracked, untracked) : faultsOf(parts, message, tracked),
  );
  return [...new Set(faults)];
}

/** The messages in a request; several in a batch of Postmark, any of which may be this email. */
function messagesIn(body: unknown): readonly unknown[] {
  const { Messages = body } = record(body);
  return [Messages].flat();
}

function faultsOf(parts: EmailParts, message: unknown, tracked: readonly Tracked[]): string[] {
  const { fields, headers = {}, attribute } = SWITCHES[parts.sendApi?.provider ?? ''] as Switches;
  const analytics = valueAt(message, 'tracking_settings.ganalytics.enable') === true;
  const found = tracked.map((kind) => {
    if (kind === 'clicks' && analytics) return 'tracking_settings.ganalytics adds parameters to its links';
    const values = fields[kind].map(
      (field) => [field, valueAt(message, field) ?? header(parts, headers[field])] as const,
    );
    const [field, value] = values.find(([, one]) => one !== undefined) ?? [fields[kind][0], undefined];
    // No attribute excludes links of the text.
    const inText = !['HtmlOnly', 'htmlonly'].includes(`${value}`) && /https?:/i.test(parts.text ?? '');
    if (OFF.includes(value) || (kind === 'clicks' && !inText && areExcluded(parts, attribute))) return null;
    const shown = shownText(`${field} is ${typeof value === 'string' ? `"${value}"` : JSON.stringify(value)}`);
    return value === undefined ? `${field} is missing, so the account's setting decides` : shown;
  });
  return found.filter((fault) => fault !== null);
}

/** SES tracks only mail with a configuration set, whose settings only AWS has. */
function sesFaults(
  parts: EmailParts,
  message: Readonly<Record<string, unknown>>,
  tracked: readonly Tracked[],
  untracked: readonly string[],
): string[] {
  const set = message.ConfigurationSetName ?? header(parts, 'x-ses-configuration-set');
  const isClean = tracked.every((kind) => kind === 'clicks') && areExcluded(parts, /\sses:no-track\b/i);
  if (set === undefined || set === '' || untracked.includes(`${set}`) || isClean) return [];
  return [`the configuration set ${shownText(`"${set}"`)} may track (name sets that do not in configurationSets)`];
}

/** The value at a path such as `tracking_settings.click_tracking.enable`; the last of a form's repeated fields. */
function valueAt(message: unknown, path: string): unknown {
  const value = path.split('.').reduce<unknown>((found, name) => record(found)[name], message);
  return Array.isArray(value) ? value.at(-1) : value;
}

function header({ headers }: EmailParts, wanted?: string): string | undefined {
  return headers.find(({ name }) => name.toLowerCase() === wanted)?.value;
}

/**
 * Whether the HTML has links, and each of them has the attribute. Reads up to the end of a link to find its address,
 * because a tag may contain `>` in an attribute. A link whose attribute follows such a `>` does not count as excluded.
 */
function areExcluded({ html, incomplete }: EmailParts, attribute: RegExp): boolean {
  const elements = (html ?? '').split(/<a(?=\s)/i).slice(1);
  const links = elements
    .map((element) => element.split(/<\/a/i, 1)[0] ?? '')
    .filter((element) => /\shref\s{0,9}=\s{0,9}["']?https?:/i.test(element));
  const isExcluded = (link: string) => attribute.test(link.split('>', 1)[0] ?? '');
  return links.length > 0 && !incomplete.includes('html') && links.every(isExcluded);
}
