import * as kind from './kinds.js';
import { type Kind, LOG_LEVELS } from './kinds.js';

export interface Setting<T = unknown> extends Placed {
  readonly kind: Kind<T>;
  /** The default, as an operator writes it; null for none. */
  readonly default: string | null;
  readonly several: boolean;
  readonly description: string;
}

interface Placed {
  /** The setting's name before it was renamed. The old name works until the next major version. */
  readonly formerly?: string;
  /** The group in `mayfly serve --help`; the plugin's own group if omitted. */
  readonly group?: string;
  /** Another setting, without which this one has no effect. */
  readonly needs?: Needed;
}

interface Needed {
  readonly setting: string;
  /** `{it}` is the setting, `{needed}` the other, both in the operator's notation. */
  readonly sentence: string;
}

export interface One<T> extends Setting<T> {
  readonly several: false;
  readonly default: string;
}
export interface Optional<T> extends Setting<T> {
  readonly several: false;
  readonly default: null;
}
export interface Several<T> extends Setting<T> {
  readonly several: true;
}

export function one<T>(kind: Kind<T>, standard: string, description: string, placed: Placed = {}): One<T> {
  return { kind, default: standard, several: false, description, ...placed };
}

export function optional<T>(kind: Kind<T>, description: string, placed: Placed = {}): Optional<T> {
  return { kind, default: null, several: false, description, ...placed };
}

export function several<T>(
  kind: Kind<T>,
  standard: string | null,
  description: string,
  placed: Placed = {},
): Several<T> {
  return { kind, default: standard, several: true, description, ...placed };
}

/** The values of a table of settings. */
export type ValuesOf<Table extends Readonly<Record<string, Setting>>> = {
  readonly [N in keyof Table]: Table[N] extends Several<infer T>
    ? readonly T[]
    : Table[N] extends Optional<infer T>
      ? T | null
      : Table[N] extends One<infer T>
        ? T
        : unknown;
};

const AD_HOC: Needed = { setting: 'ad-hoc-workspaces', sentence: '{it} requires {needed}: set both, or remove {it}.' };

/** No mail on the internet has this domain (RFC 6761 section 6.2). */
export const STANDARD_DOMAIN = 'inbox.example.com';

/**
 * All settings, in the groups of `mayfly serve --help`. The name is the flag (`--http-port`) and, in capitals,
 * the variable (`MAYFLY_HTTP_PORT`); `--help` and docs/configuration.md come from this table. Upper bounds make a
 * typing mistake fail at the start, not in the running service. `max-message`: each byte may need six characters in the
 * message's JSON, which must fit into one string (in Node and browsers, under 512 Mi characters). Each incoming message
 * also reserves `max-message` of address space. The machine's memory also bounds `max-in-flight` (reading.ts).
 * The maximum of `store-quota` is a thousand times what a busy team receives in half an hour. `max-recipients` bounds
 * one transaction, and `max-emails` one response. A connection or stream costs an open file and some ten KiB, so the
 * maximums of both fit into a few GB. Times that can keep a connection open are at most an hour.
 */
export const GROUPS = {
  Listeners: {
    host: one(kind.host, '127.0.0.1', 'Address of both listeners.'),
    'http-port': one(kind.port, '8080', 'Port of the HTTP listener; 0 for any free one.'),
    'smtp-port': one(kind.port, '2525', 'Port of the SMTP listener; 0 for any free one.'),
    'smtps-port': optional(
      kind.port,
      'Port of a second SMTP listener, for implicit TLS (SMTPS, SSL). Requires --tls-cert or --tls self-signed.',
    ),
  },
  'Mail and storage': {
    domain: several(
      kind.domain,
      STANDARD_DOMAIN,
      'Domain to accept mail for; * for any. An inbox named without a domain is in the first domain. If this is not set and only this machine can reach --host, Mayfly accepts every domain.',
    ),
    'inbox-by': one(
      kind.inboxBy,
      'address',
      'Part of an address that identifies its inbox: with address, alice@a.test and alice@b.test are two inboxes; with name, they are one.',
    ),
    store: one(
      kind.store,
      'lmdb:./mayfly-data',
      'Where to store mail: in a folder (lmdb:DIR), in memory (memory:), in Redis or Valkey (redis://NAME:PASSWORD@HOST:PORT/DATABASE) or in a cluster (redis+cluster://NAME:PASSWORD@HOST:PORT,HOST:PORT). rediss adds TLS.',
    ),
    'store-replicas': optional(
      kind.countUpTo(5),
      'Number of Redis replicas that must have a message before Mayfly acknowledges it. By default, Mayfly waits for no replicas.',
    ),
    'store-replicas-on-disk': one(
      kind.toggle,
      'false',
      'Waits until the replicas also have the message on disk. Requires Redis 7.2 or later, or Valkey, with appendonly yes on the replicas.',
      {
        needs: {
          setting: 'store-replicas',
          sentence: '{it} has no effect without {needed}: set both, or remove {it}.',
        },
      },
    ),
    retention: one(kind.duration, '30m', 'How long Mayfly keeps an email.'),
    'max-emails': one(
      kind.countUpTo(100_000),
      '1000',
      'Maximum number of emails per inbox. A full inbox rejects mail.',
    ),
    'store-quota': one(
      kind.sizeUpTo('1024GiB'),
      '2GiB',
      'Maximum disk space for mail; for a store in memory, maximum memory. A full store rejects mail. For Redis, set its maxmemory instead.',
      { formerly: 'store-budget' },
    ),
    'ad-hoc-quota': one(
      kind.sizeUpTo('1024GiB'),
      '256MiB',
      'Maximum bytes that an ad-hoc workspace receives within the retention. Deleted mail counts. Each process counts only the mail it received.',
      { formerly: 'space-budget', needs: AD_HOC },
    ),
  },
  SMTP: {
    'max-message': one(kind.sizeUpTo('64MiB'), '10MiB', 'Maximum size of a message.'),
    'max-recipients': one(kind.countUpTo(1_000), '100', 'Maximum number of recipients per message.'),
    'max-in-flight': one(
      kind.sizeUpTo('16GiB'),
      '256MiB',
      'Maximum memory for incoming messages and unread HTTP responses together.',
    ),
    'smtp-connections': one(
      kind.countUpTo(20_000),
      '400',
      'Maximum SMTP connections per client. An eighth of this once half of --smtp-connections-total are open.',
    ),
    'smtp-connections-total': one(kind.countUpTo(20_000), '1000', 'Maximum SMTP connections in total.'),
    'smtp-idle': one(kind.durationUpTo('1h'), '60s', 'How long an SMTP connection may be idle.'),
    'smtp-data-time': one(kind.durationUpTo('1h'), '5m', 'How long a message may take to arrive.'),
    'smtp-data-speed': one(
      kind.speed,
      '16KiB/1m',
      'Minimum speed of an incoming message: bytes per period, or off. A sender slower than this gets 421. The first and last period are not measured.',
    ),
    'smtp-proxy': several(
      kind.cidr,
      null,
      'Balancers that begin each SMTP connection with a PROXY protocol header (version 1 or 2) for the client address. List only balancers you trust.',
    ),
    'smtp-proxy-lazy': several(
      kind.cidr,
      null,
      "Like --smtp-proxy, for balancers that send the header only with the client's first bytes, as AWS balancers do by default.",
    ),
  },
  TLS: {
    tls: one(
      kind.ownTls,
      'off',
      'Certificate for STARTTLS and --smtps-port if --tls-cert is not set: off for none, or self-signed. A self-signed certificate is new at each start, and most mail libraries reject it.',
    ),
    'tls-cert': optional(
      kind.file,
      'Certificate chain (PEM) for STARTTLS and --smtps-port. SMTP AUTH then requires TLS, except from this machine and the addresses of --trust-proxy.',
      { needs: { setting: 'tls-key', sentence: '{it} and {needed} go together: set both, or neither.' } },
    ),
    'tls-key': optional(kind.file, 'Private key of the certificate (PEM).', {
      needs: { setting: 'tls-cert', sentence: '{needed} and {it} go together: set both, or neither.' },
    }),
  },
  HTTP: {
    streams: one(kind.countUpTo(100_000), '20000', 'Maximum open streams in total.'),
    'streams-per-client': one(
      kind.countUpTo(100_000),
      '4000',
      'Maximum open streams per client. A tenth of this once half of --streams are open.',
    ),
    'http-connections': one(
      kind.countUpTo(100_000),
      '500',
      'Maximum HTTP connections per client, in addition to --streams-per-client.',
    ),
    'http-header-time': one(kind.durationUpTo('1h'), '10s', "How long a request's headers may take to arrive."),
    'http-request-time': one(kind.durationUpTo('1h'), '15s', 'How long a whole request may take to arrive.'),
    'http-max-body': one(kind.sizeUpTo('1MiB'), '16KiB', 'Maximum size of a request body.'),
    'trust-proxy': several(
      kind.cidr,
      null,
      'Addresses that may set X-Forwarded-For, send any Host and use SMTP AUTH without TLS.',
    ),
    'cors-origin': several(kind.origin, null, 'Origin whose pages may call the API; * for any.'),
  },
  'Client limits': {
    'fetch-limit': one(kind.rate, '20/10s', 'Inbox fetches per client.'),
    'read-limit': one(
      kind.rate,
      '10000/10s',
      'Inbox reads per client: summaries, single emails, their parts, deletions.',
      { formerly: 'look-limit' },
    ),
    'workspace-limit': one(kind.rate, '600/10s', 'Inbox fetches per workspace.', {
      needs: {
        setting: 'workspace',
        sentence: '{it} limits fetches per workspace, but {needed} is not set: set {needed}, or remove {it}.',
      },
    }),
    'stream-limit': one(kind.rate, '6000/10s', 'Streams opened per client.'),
    'wrong-key-limit': one(
      kind.rate,
      '20/10s',
      'Wrong API keys per client. Beyond that number, Mayfly checks no key from that client.',
    ),
    'name-limit': one(
      kind.rate,
      '6000/10m',
      'Different empty inboxes that a client may read. Names generated by mayfly-client do not count.',
    ),
    'waitlist-limit': one(kind.rate, '10/1m', 'Waitlist posts per client.'),
    'ad-hoc-limit': one(kind.rate, '3000/1m', 'Messages per ad-hoc workspace; --smtp-limit also applies.', {
      formerly: 'space-limit',
      needs: AD_HOC,
    }),
    'smtp-limit': one(
      kind.rate,
      '6000/1m',
      'Messages per client over SMTP and HTTP. Rejected requests to provider APIs count.',
    ),
  },
  'Workspaces and the page': {
    workspace: several(
      kind.workspaceKey,
      null,
      'Name and API key of a workspace. The workspace owns all inbox names that begin with its name and a hyphen. To replace the key without downtime, set both NAME=OLDKEY and NAME=NEWKEY.',
    ),
    'ad-hoc-workspaces': one(
      kind.toggle,
      'false',
      'Makes an ad-hoc workspace for each user name and password of SMTP AUTH. Only those credentials can read its mail.',
      { formerly: 'spaces' },
    ),
    page: one(kind.toggle, 'true', 'Serve the inbox page at / and /inbox/NAME.'),
    waitlist: one(kind.toggle, 'false', 'Offer the waitlist on the inbox page. The API always accepts waitlist posts.'),
  },
  'Other interfaces': {
    plugin: several(
      kind.plugin,
      null,
      'Plugin to load: a JavaScript file or a package, resolved from the working directory. The plugin has all rights of the service.',
    ),
    mcp: one(
      kind.toggle,
      'false',
      'Serves coding agents at /mcp (Streamable HTTP). An agent on this machine can run mayfly mcp instead.',
    ),
    zerodrop: one(
      kind.toggle,
      'false',
      'Adds the field raw to each email, for ZeroDrop clients. Also set --domain zerodrop-sandbox.online.',
      { formerly: 'compat' },
    ),
  },
  Operation: {
    'parser-threads': one(
      kind.threads,
      'auto',
      'Threads that parse mail. auto means one fewer than the processors, but at least one.',
      { formerly: 'reading-threads' },
    ),
    metrics: optional(
      kind.listenAddress,
      'Serves Prometheus metrics at /metrics without a key. A port alone means that port of 127.0.0.1.',
    ),
    'log-level': one(
      kind.logLevel,
      'info',
      `How much to log on standard error: ${LOG_LEVELS.join(', ')}. info shows starts, stops and rejected mail; debug also shows every request and message.`,
    ),
    'log-format': one(kind.logFormat, 'text', 'Format of log lines: text or json.'),
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Setting>>>>;

export const SETTINGS = {
  ...GROUPS.Listeners,
  ...GROUPS['Mail and storage'],
  ...GROUPS.SMTP,
  ...GROUPS.TLS,
  ...GROUPS.HTTP,
  ...GROUPS['Client limits'],
  ...GROUPS['Workspaces and the page'],
  ...GROUPS['Other interfaces'],
  ...GROUPS.Operation,
};

export type SettingName = keyof typeof SETTINGS;

export type Settings = ValuesOf<typeof SETTINGS>;

/** The domain of generated addresses: the first that is not `*`, or else the default domain. */
export function firstDomain(domains: readonly string[], standard = STANDARD_DOMAIN): string {
  return domains.find((domain) => domain !== '*') ?? standard;
}

/** The host name in SMTP's greeting. */
export const smtpHostname = (domains: readonly string[]): string => firstDomain(domains, 'mayfly.invalid');

/** All settings, including those of plugins. */
const table = new Map<string, Setting>(Object.entries(SETTINGS));

export function addSettings(settings: Readonly<Record<string, Setting>>): void {
  for (const [name, setting] of Object.entries(settings)) table.set(name, setting);
}

export function settingNames(): string[] {
  return [...table.keys()];
}

/** The current names of renamed settings, by their old names. */
export function renamedSettings(): ReadonlyMap<string, string> {
  return new Map([...table].flatMap(([name, { formerly }]) => (formerly === undefined ? [] : [[formerly, name]])));
}

/** The setting with this current or old name. */
export function settingOf(name: string): Setting {
  const setting = table.get(name) ?? [...table.values()].find(({ formerly }) => formerly === name);
  if (setting === undefined) throw new Error(`${name} is not a setting`);
  return setting;
}
