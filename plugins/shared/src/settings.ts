import { kinds, one, optional, type PluginSettings, several } from 'mayfly-inbox/plugin';

export const CATCHERS = ['mailpit', 'mailhog'] as const;

export type Catcher = (typeof CATCHERS)[number];

/** Path segments of our own interface and page. */
const OWN_SEGMENTS = ['api', 'inbox'];

/** A path prefix with a leading and no trailing slash; empty for none. */
const root = {
  placeholder: 'PATH',
  rule: `use a path such as /mailpit, of letters, digits and . _ - @, that does not begin with ${OWN_SEGMENTS.map((segment) => `/${segment}`).join(' or ')}`,
  parse(text: string): string | undefined {
    if (text.length > 100) return undefined;
    const segments = text.split('/').filter((segment) => segment !== '');
    const isPath = segments.every((segment) => /^[\w.@-]+$/.test(segment) && /[^.]/.test(segment));
    if (!isPath || OWN_SEGMENTS.includes(segments[0] ?? '')) return undefined;
    return segments.map((segment) => `/${segment}`).join('');
  },
};

const group = 'Other interfaces';
const both = { group, needs: { setting: 'drop-in', sentence: '{it} requires {needed}: set both, or remove it.' } };

/** The same rows for each of the two plugins. */
export const SETTINGS = {
  'drop-in': optional(
    kinds.oneOf('SERVER', CATCHERS, `use ${CATCHERS.join(' or ')}`),
    'Stands in for another mail catcher, mailpit or mailhog: serves the parts of its HTTP API that clients use. It shows the mail of all inboxes, so it is available only from this machine, from --drop-in-callers, or with the API key of a workspace.',
    { group },
  ),
  'drop-in-callers': several(
    kinds.cidr,
    null,
    'Addresses that may use the drop-in API without a key. They can read all mail except that of workspaces.',
    both,
  ),
  'drop-in-root': one(
    root,
    '/',
    "Path prefix of the drop-in API, such as /mailpit, like Mailpit's --webroot. Mayfly's own API is not moved.",
    both,
  ),
  'drop-in-limit': one(kinds.rate, '600/10s', 'Requests to the drop-in API per client address.', both),
} as const;

export type DropInSettings = PluginSettings<typeof SETTINGS>;

const where = 'with `--drop-in`: any of its requests';

export const LIMITS = {
  'drop-in': {
    setting: 'drop-in-limit',
    text: "Too many requests. The limit is {limit} (--drop-in-limit). Poll less often, or wait for mail with Mayfly's own GET /api/inbox/NAME/stream.",
    where,
    takesBasic: true,
  },
} as const;

/** Reads `STATUS CODE: TEXT`, as the service writes its own errors. */
export function httpError(row: string, where: string) {
  const [, status, code = '', text = ''] = /^(\d{3}) ([a-z-]+): (.+)$/.exec(row) ?? [];
  return { code, status: Number(status), text, where };
}

export const ERRORS = {
  noSuchMessage: httpError(
    '404 no-such-message: There is no such message. It may have expired or been deleted.',
    'with `--drop-in`: a request for one message',
  ),
  notServed: httpError(
    '501 not-served: Mayfly implements the part of the {server} API that tests use; this endpoint is not included. The page "Moving from another mail catcher" of its documentation lists what is.',
    'with `--drop-in`: any other endpoint of the other server',
  ),
} as const;
