import { kinds, one, optional, type PluginSettings, several } from 'mayfly-inbox/plugin';

export const TOOLS = ['mailpit', 'mailhog'] as const;

export type Tool = (typeof TOOLS)[number];

/** First path segments of Mayfly's own API and web UI. */
const OWN_SEGMENTS = ['api', 'inbox'];

/** A path prefix with a leading and no trailing slash; empty for none. */
const root = {
  placeholder: 'PATH',
  rule: `use a path such as /mailpit that has only letters, digits and / . _ - @ and does not begin with ${OWN_SEGMENTS.map((segment) => `/${segment}`).join(' or ')}`,
  parse(text: string): string | undefined {
    if (text.length > 100) return undefined;
    const segments = text.split('/').filter((segment) => segment !== '');
    const isPath = segments.every((segment) => /^[\w.@-]+$/.test(segment) && /[^.]/.test(segment));
    if (!isPath || OWN_SEGMENTS.includes(segments[0] ?? '')) return undefined;
    return segments.map((segment) => `/${segment}`).join('');
  },
};

const group = 'Other interfaces';
const needs = { setting: 'compat-api', sentence: '{it} requires {needed}: set both, or remove {it}.' };

/** Settings that both plugins, for Mailpit and for MailHog, have. */
export const SETTINGS = {
  'compat-api': optional(
    kinds.oneOf('SERVER', TOOLS, `use ${TOOLS.join(' or ')}`),
    "Serves the parts of the mailpit or mailhog API that clients use. Only this machine and --compat-api-callers can use this API without a key. A workspace's key also opens that workspace's mail.",
    { group, formerly: 'drop-in' },
  ),
  'compat-api-callers': several(
    kinds.cidr,
    null,
    'Addresses that may use the compatibility API without a key. They can read all mail outside workspaces.',
    { group, needs, formerly: 'drop-in-callers' },
  ),
  'compat-api-root': one(root, '/', "Path prefix of the compatibility API, like Mailpit's --webroot.", {
    group,
    needs,
    formerly: 'drop-in-root',
  }),
  'compat-api-limit': one(kinds.rate, '600/10s', 'Requests to the compatibility API per client.', {
    ...{ group, needs, formerly: 'drop-in-limit' },
  }),
} as const;

export type CompatApiSettings = PluginSettings<typeof SETTINGS>;

const where = '`--compat-api`';

export const LIMITS = {
  'compat-api': {
    setting: 'compat-api-limit',
    text: "Too many requests. The limit is {limit} (--compat-api-limit). Poll less often, or wait for mail with Mayfly's own GET /api/inbox/NAME/stream.",
    where,
    takesBasic: true,
  },
} as const;

/** Parses a row `STATUS CODE: TEXT`, the format of the service's own errors. */
export function httpError(row: string, where: string) {
  const [, status, code = '', text = ''] = /^(\d{3}) ([a-z-]+): (.+)$/.exec(row) ?? [];
  return { code, status: Number(status), text, where };
}

export const ERRORS = {
  noSuchMessage: httpError(
    '404 no-such-message: There is no such message. It may have expired or been deleted.',
    '`--compat-api`: one message',
  ),
  notServed: httpError(
    '501 not-served: Mayfly does not implement this endpoint of the {server} API. "Migrating" in the documentation of Mayfly lists the implemented endpoints.',
    '`--compat-api`: other endpoints',
  ),
} as const;
