import * as kind from './kinds.js';
import { type Kind, LOG_LEVELS } from './kinds.js';

export interface Setting<T = unknown> extends Placed {
  readonly kind: Kind<T>;
  /** As operators write it; null for none. */
  readonly default: string | null;
  readonly several: boolean;
  readonly description: string;
}

interface Placed {
  /** The name before it was renamed. It works until the next major version. */
  readonly formerly?: string;
  /** The group of `mayfly serve --help`; a plugin's own if omitted. */
  readonly group?: string;
  /** Another setting, without which this one has no effect. */
  readonly needs?: Needed;
}

interface Needed {
  readonly setting: string;
  /** `{it}` is the setting, `{needed}` the other, as the operator writes them. */
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

const AD_HOC: Needed = { setting: 'ad-hoc-workspaces', sentence: '{it} requires {needed}: set both, or remove it.' };

/** No mail on the internet goes there (RFC 6761 section 6.2). */
export const STANDARD_DOMAIN = 'inbox.example.com';

/**
 * Every setting, once, by its group in `mayfly serve --help`. The name is the flag (`--http-port`) and, in capitals, the
 * variable (`MAYFLY_HTTP_PORT`); `--help` and docs/configuration.md come from this table. Upper bounds make a slip of the pen end the start and not
 * the running service. `max-message`: its JSON must be one string, at up to six characters a byte, and strings of Node
 * and browsers end below 512 Mi characters; each incoming message reserves its address space. `max-in-flight` is
 * memory; the machine's is another bound (reading.ts). `store-quota` is some thousand times a busy team's half an
 * hour. `max-recipients`, `max-emails`: one message is one transaction, one fetch a whole inbox. Connections and
 * streams cost an open file and some ten KiB each: the most of both fit into a few GB. Times hold a connection, so an
 * hour is the most.
 */
export const GROUPS = {
  Listeners: {
    host: one(kind.host, '127.0.0.1', 'Address that both listeners bind to.'),
    'http-port': one(kind.port, '8080', 'Port of the HTTP listener; 0 picks a free one.'),
    'smtp-port': one(kind.port, '2525', 'Port of the SMTP listener; 0 picks a free one.'),
    'smtps-port': optional(
      kind.port,
      'Port of a second SMTP listener, for TLS from the first byte (implicit TLS, SMTPS, SSL); 0 picks a free one. Needs --tls-cert, or --tls self-signed.',
    ),
  },
  'Mail and storage': {
    domain: several(
      kind.domain,
      STANDARD_DOMAIN,
      'Domain to accept mail for; * accepts any domain. The first one is that of inboxes named without a domain. If only this machine can reach --host, any other domain is accepted by default, too.',
    ),
    'inbox-by': one(
      kind.inboxBy,
      'address',
      'What names an inbox if mail is accepted for several domains: address, so that alice@a.test and alice@b.test are two inboxes; or name, so that both are the inbox alice. Inboxes of the first domain have bare names either way.',
    ),
    store: one(
      kind.store,
      'lmdb:./mayfly-data',
      'Where to store mail: a folder (lmdb:DIR); a Redis or Valkey server, which several nodes may share (redis://NAME:PASSWORD@HOST:PORT/DATABASE, or rediss:// with TLS); a Redis or Valkey cluster, given by some of its nodes (redis+cluster://NAME:PASSWORD@HOST:PORT,HOST:PORT, or rediss+cluster://); or the memory of the process (memory:).',
    ),
    'store-replicas': optional(
      kind.countUpTo(5),
      'Number of replicas, of the Redis server or of the cluster master that stores the mail, that must have a mail before it is acknowledged. Without it, no replica must.',
    ),
    'store-replicas-on-disk': one(
      kind.toggle,
      'false',
      'Requires these replicas to have the mail on disk, too. Needs Redis 7.2 or later, or Valkey, and replicas with appendonly yes. With appendfsync always on the replicas, this adds some milliseconds to each mail; with everysec, one to two seconds.',
      {
        needs: {
          setting: 'store-replicas',
          sentence: '{it} applies to the replicas of {needed}: set that too, or remove it.',
        },
      },
    ),
    retention: one(kind.duration, '30m', 'How long an email is kept.'),
    'max-emails': one(
      kind.countUpTo(100_000),
      '1000',
      'Most emails per inbox. A full inbox refuses mail; nothing is evicted.',
    ),
    'store-quota': one(
      kind.sizeUpTo('1024GiB'),
      '2GiB',
      'Maximum disk space for mail, or memory with `memory:`. A full store refuses mail; nothing is evicted. On Redis, set its `maxmemory` instead.',
      { formerly: 'store-budget' },
    ),
    'ad-hoc-quota': one(
      kind.sizeUpTo('1024GiB'),
      '256MiB',
      'Maximum bytes that one ad-hoc workspace may store within the retention, deleted mail included. Each process counts the mail it received.',
      { formerly: 'space-budget', needs: AD_HOC },
    ),
  },
  SMTP: {
    'max-message': one(kind.sizeUpTo('64MiB'), '10MiB', 'Largest message accepted.'),
    'max-recipients': one(kind.countUpTo(1_000), '100', 'Most recipients per message.'),
    'max-in-flight': one(
      kind.sizeUpTo('16GiB'),
      '256MiB',
      'Most bytes of messages being received at the same time, together with what is held for clients over HTTP. A quarter is reserved for small messages, and large messages from one client address may take a quarter.',
    ),
    'smtp-connections': one(
      kind.countUpTo(20_000),
      '400',
      'Most SMTP connections per client address; an eighth of this once half of --smtp-connections-total are open.',
    ),
    'smtp-connections-total': one(kind.countUpTo(20_000), '1000', 'Most SMTP connections in total.'),
    'smtp-idle': one(kind.durationUpTo('1h'), '60s', 'How long an SMTP connection may be idle.'),
    'smtp-data-time': one(kind.durationUpTo('1h'), '5m', 'How long one message may take to arrive.'),
    'smtp-data-speed': one(
      kind.speed,
      '16KiB/1m',
      'Slowest speed at which a message may arrive. With 16KiB/1m, if less than 16 KiB of a message arrives within a minute, the client gets 421 and its connection is closed. The first minute is not measured, nor is the one in which the message ends. off allows any speed. The default is about the speed of the slowest links in use.',
    ),
    'smtp-proxy': several(
      kind.cidr,
      null,
      'Addresses of TCP balancers whose SMTP connections begin with a PROXY protocol header (version 1 or 2), which identifies the client. Connections from them without it are closed. List only balancers you trust: the sender of the header decides who the client is.',
    ),
    'smtp-proxy-lazy': several(
      kind.cidr,
      null,
      "Like --smtp-proxy, for balancers that send the header only with the client's first bytes, such as AWS's by default: the greeting is sent first.",
    ),
  },
  TLS: {
    tls: one(
      kind.ownTls,
      'off',
      'STARTTLS and --smtps-port without --tls-cert: off, or self-signed, with a certificate that Mayfly generates at each start. Most mail libraries use STARTTLS whenever it is offered and reject such a certificate.',
    ),
    'tls-cert': optional(
      kind.file,
      'Certificate chain for STARTTLS and --smtps-port, PEM. With it, SMTP AUTH requires TLS, except from this machine and from --trust-proxy.',
      { needs: { setting: 'tls-key', sentence: '{it} and {needed} go together: set both, or neither.' } },
    ),
    'tls-key': optional(kind.file, 'Private key of the certificate, PEM.', {
      needs: { setting: 'tls-cert', sentence: '{needed} and {it} go together: set both, or neither.' },
    }),
  },
  HTTP: {
    streams: one(kind.countUpTo(100_000), '20000', 'Most open streams in total.'),
    'streams-per-client': one(
      kind.countUpTo(100_000),
      '4000',
      'Most open streams per client address. Once half of --streams are open, an address that holds a tenth of this gets no more.',
    ),
    'http-connections': one(
      kind.countUpTo(100_000),
      '500',
      'HTTP connections per client address, in addition to --streams-per-client. A client may open the sum of both, for any purpose.',
    ),
    'http-header-time': one(kind.durationUpTo('1h'), '10s', "How long a request's headers may take to arrive."),
    'http-request-time': one(kind.durationUpTo('1h'), '15s', 'How long a whole request may take to arrive.'),
    'http-max-body': one(kind.sizeUpTo('1MiB'), '16KiB', 'Largest request body.'),
    'trust-proxy': several(
      kind.cidr,
      null,
      'Addresses that are trusted to set X-Forwarded-For, to send any Host, and to use SMTP AUTH without TLS when --tls-cert is given.',
    ),
    'cors-origin': several(kind.origin, null, 'Origin whose pages may call the API; * allows any.'),
  },
  'Client limits': {
    'fetch-limit': one(kind.rate, '20/10s', 'Inbox fetches per client address, over all inboxes.'),
    'read-limit': one(
      kind.rate,
      '10000/10s',
      'Inbox reads per client address. A read is any request to an inbox other than a fetch or a stream: summaries, single emails, their parts, deletions.',
      { formerly: 'look-limit' },
    ),
    'workspace-limit': one(kind.rate, '600/10s', 'Inbox fetches per workspace.', {
      needs: {
        setting: 'workspace',
        sentence: '{it} limits fetches per workspace, but {needed} is not set: set it, or remove the limit.',
      },
    }),
    'stream-limit': one(kind.rate, '6000/10s', 'Streams opened per client address.'),
    'wrong-key-limit': one(
      kind.rate,
      '20/10s',
      'Wrong API keys per client address. Beyond this limit, no key from that address is checked until part of the time has passed.',
    ),
    'name-limit': one(
      kind.rate,
      '6000/10m',
      'Inboxes without mail that one client address may look up: this many at once, then refilled evenly at this rate. Names generated by mayfly-client do not count, because they cannot be guessed.',
    ),
    'waitlist-limit': one(kind.rate, '10/1m', 'Waitlist posts per client address.'),
    'ad-hoc-limit': one(
      kind.rate,
      '3000/1m',
      'Messages per ad-hoc workspace, in addition to the limit per client address (--smtp-limit).',
      { formerly: 'space-limit', needs: AD_HOC },
    ),
    'smtp-limit': one(
      kind.rate,
      '6000/1m',
      'Messages per client address, over SMTP and over HTTP together. Each request to a send API counts as a message, even if it is refused.',
    ),
  },
  'Workspaces and the page': {
    workspace: several(
      kind.workspaceKey,
      null,
      'API key of a workspace, which owns the inbox names that begin with its name and a hyphen. Give a name twice to replace its key without downtime.',
    ),
    'ad-hoc-workspaces': one(
      kind.toggle,
      'false',
      'Makes each user name and password of SMTP AUTH a workspace: only a reader with the same credentials sees the mail sent with them.',
      { formerly: 'spaces' },
    ),
    page: one(kind.toggle, 'true', 'Serve the inbox page at / and /inbox/NAME.'),
    waitlist: one(
      kind.toggle,
      'false',
      'Offer the waitlist for Workspaces on the inbox page. The API endpoint is always served.',
    ),
  },
  'Other interfaces': {
    plugin: several(
      kind.plugin,
      null,
      'JavaScript file or package of a plugin to load, resolved from the working directory. It runs inside the service, with all of its rights.',
    ),
    mcp: one(
      kind.toggle,
      'false',
      'Serves coding agents at /mcp (Model Context Protocol, Streamable HTTP). An agent on the same machine does not need this: it can run mayfly mcp.',
    ),
    zerodrop: one(
      kind.toggle,
      'false',
      'Adds the field raw (a copy of rawBody) to each email, for ZeroDrop clients. Their domain is hard-coded, so also give --domain zerodrop-sandbox.online.',
      { formerly: 'compat' },
    ),
  },
  Operation: {
    'parser-threads': one(
      kind.threads,
      'auto',
      'Threads that parse mail. auto uses one fewer than the number of processors, but at least one. One more thread runs when large messages arrive among small ones.',
      { formerly: 'reading-threads' },
    ),
    metrics: optional(
      kind.listenAddress,
      'Serves Prometheus metrics at /metrics on this port of 127.0.0.1, or on the given address. No key is required. Without it, nothing is counted.',
    ),
    'log-level': one(
      kind.logLevel,
      'info',
      `How much to log, on standard error: ${LOG_LEVELS.join(', ')}. info shows starts, stops and SMTP refusals (once a minute per kind, with a count); debug shows every request and every mail; warn and error show faults in the configuration and in the service.`,
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

/** The domain of generated addresses: the first accepted one, or the default if any is. */
export function firstDomain(domains: readonly string[]): string {
  return domains.find((domain) => domain !== '*') ?? STANDARD_DOMAIN;
}

export function smtpHostname(domains: readonly string[]): string {
  return domains.find((domain) => domain !== '*') ?? 'mayfly.invalid';
}

const added = new Map<string, Setting>();

export function addSettings(settings: Readonly<Record<string, Setting>>): void {
  for (const [name, setting] of Object.entries(settings)) added.set(name, setting);
}

export function settingNames(): string[] {
  return [...Object.keys(SETTINGS), ...added.keys()];
}

export function renamedSettings(): ReadonlyMap<string, string> {
  return new Map(settingNames().flatMap((name) => [settingOf(name).formerly ?? []].flat().map((old) => [old, name])));
}

export function settingOf(name: string): Setting {
  const settings: Readonly<Record<string, Setting>> = { ...SETTINGS, ...Object.fromEntries(added) };
  const setting = settings[name] ?? Object.values(settings).find(({ formerly }) => formerly === name);
  if (setting === undefined) throw new Error(`${name} is not a setting`);
  return setting;
}
