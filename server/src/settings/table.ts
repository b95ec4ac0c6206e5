import type { Kind } from './kinds.js';
import * as kind from './kinds.js';

/** One thing that an operator may change. */
export interface Setting<T = unknown> {
  readonly kind: Kind<T>;
  /** The default, as the operator would write it; null when there is none. */
  readonly default: string | null;
  /** Whether it may be given several times. */
  readonly several: boolean;
  /** One or two sentences for `--help` and the documentation. */
  readonly description: string;
}

interface One<T> extends Setting<T> {
  readonly several: false;
  readonly default: string;
}
interface Optional<T> extends Setting<T> {
  readonly several: false;
  readonly default: null;
}
interface Several<T> extends Setting<T> {
  readonly several: true;
}

const one = <T>(kind: Kind<T>, standard: string, description: string): One<T> => ({
  kind,
  default: standard,
  several: false,
  description,
});
const optional = <T>(kind: Kind<T>, description: string): Optional<T> => ({
  kind,
  default: null,
  several: false,
  description,
});
const several = <T>(kind: Kind<T>, standard: string | null, description: string): Several<T> => ({
  kind,
  default: standard,
  several: true,
  description,
});

/** The domain of inboxes where nobody says another: one that no mail of the internet is sent to (RFC 6761 section 6.2). */
export const STANDARD_DOMAIN = 'inbox.test';

/**
 * Every setting, once. The name is the flag (`--http-port`) and, in capitals, the environment variable
 * (`MAYFLY_HTTP_PORT`); `--help` and docs/configuration.md are made from this table.
 *
 * What can be too much for a machine has an upper bound, so that a slip of the pen ends the start and not the running service:
 * - `max-message`: its JSON must be one string for whoever reads it. JSON may take six characters for a byte, and the strings of
 *   Node and of browsers end below 512 Mi characters. Address space for the largest message is set aside for each that comes in.
 * - `max-in-flight` is memory; beside this bound it may not be more than the machine has (see reading.ts).
 * - `store-budget`: some thousand times what a busy team leaves behind in half an hour.
 * - `max-recipients`, `max-emails`: one message is one transaction, and one fetch lists a whole inbox; both grow with these.
 * - `smtp-connections…`, `http-connections`, `streams…`: each costs an open file and some ten KiB, so that the most of both fit into a few GB.
 * - The times that a client may take its time for hold a connection; longer than an hour would be no bound.
 * - `http-max-body`: no request of the interface needs more than a few hundred bytes.
 */
export const SETTINGS = {
  domain: several(kind.domain, STANDARD_DOMAIN, 'Domain to accept mail for; * accepts any.'),
  host: one(kind.host, '127.0.0.1', 'Address that both listeners bind to.'),
  'http-port': one(kind.port, '8080', 'Port of the HTTP listener; 0 picks a free one.'),
  'smtp-port': one(kind.port, '2525', 'Port of the SMTP listener; 0 picks a free one.'),
  store: one(
    kind.store,
    'lmdb:./mayfly-data',
    'Where mail is kept: in a folder (lmdb:DIR), in a Redis or Valkey server that several nodes may share (redis://NAME:PASSWORD@HOST:PORT/DATABASE, or rediss:// with TLS) or in a cluster of such servers (redis+cluster://NAME:PASSWORD@HOST:PORT,HOST:PORT with some of its nodes, or rediss+cluster://), or in the memory of the process (memory:).',
  ),
  'store-replicas': optional(
    kind.countUpTo(5),
    'Replicas of the Redis server, or of the master in a cluster that takes the mail, that must have a mail before it is acknowledged; none unless it is given.',
  ),
  retention: one(kind.duration, '30m', 'How long an email is kept.'),

  'fetch-limit': one(kind.rate, '20/10s', 'Inbox fetches per client address, over all inboxes.'),
  'look-limit': one(
    kind.rate,
    '600/10s',
    'All other requests to inboxes per client address, but streams: summaries, one email, its parts, deletions.',
  ),
  workspace: several(
    kind.workspaceKey,
    null,
    'API key of a workspace, which owns the inbox names that begin with its name and a hyphen. Give a name twice to replace its key without downtime.',
  ),
  'workspace-limit': one(kind.rate, '600/10s', 'Inbox fetches per workspace.'),
  'stream-limit': one(kind.rate, '1200/10s', 'Streams opened per client address.'),
  'wrong-key-limit': one(
    kind.rate,
    '20/10s',
    'Wrong API keys per client address. Past this, no key from that address is checked until some of the time has passed.',
  ),
  'waitlist-limit': one(kind.rate, '10/1m', 'Waitlist posts per client address.'),

  'max-message': one(kind.sizeUpTo('64MiB'), '10MiB', 'Largest message accepted.'),
  'max-recipients': one(kind.countUpTo(1_000), '100', 'Most recipients per message.'),
  'max-emails': one(
    kind.countUpTo(100_000),
    '1000',
    'Most emails per inbox. A full inbox refuses mail; nothing is evicted.',
  ),
  'store-budget': one(
    kind.sizeUpTo('1024GiB'),
    '2GiB',
    'Most disk space that mail may take. A full store refuses mail; nothing is evicted.',
  ),
  'max-in-flight': one(
    kind.sizeUpTo('16GiB'),
    '256MiB',
    'Most bytes of messages being received at the same time. A quarter is kept for small messages, and the large ones of one client address may take a quarter.',
  ),
  'reading-threads': one(
    kind.threads,
    'auto',
    'Threads that read mail; auto takes one less than the machine has processors, and at least one. One more runs where large messages come in among small ones.',
  ),

  'smtp-limit': one(
    kind.rate,
    '6000/1m',
    'Mails per client address. With --drop-in mailpit, those of POST /api/v1/send count, too.',
  ),
  'smtp-connections': one(kind.countUpTo(20_000), '50', 'Most SMTP connections per client address.'),
  'smtp-connections-total': one(kind.countUpTo(20_000), '1000', 'Most SMTP connections in total.'),
  'smtp-idle': one(kind.durationUpTo('1h'), '60s', 'How long an SMTP connection may be idle.'),
  'smtp-data-time': one(kind.durationUpTo('1h'), '5m', 'How long one message may take to arrive.'),
  'smtp-data-speed': one(
    kind.speed,
    '16KiB/1m',
    'Slowest speed at which a message may arrive. With 16KiB/1m, a message of which less than 16 KiB arrives within a minute is given up: the client gets 421, and its connection ends. The first minute is not measured, nor is the one in which the message ends. off allows any speed. The default is about that of the slowest links in use.',
  ),
  'smtp-proxy': several(
    kind.cidr,
    null,
    'Addresses of TCP balancers whose SMTP connections begin with a PROXY protocol header (version 1 or 2), which tells the client. One without it is closed. Name nobody else: whoever sends the header says who the client is.',
  ),
  'smtp-proxy-lazy': several(
    kind.cidr,
    null,
    "The same for balancers that send the header only with the client's first bytes, such as AWS's by default: the greeting goes out before it.",
  ),

  streams: one(kind.countUpTo(100_000), '20000', 'Most open streams in total.'),
  'streams-per-client': one(kind.countUpTo(100_000), '200', 'Most open streams per client address.'),
  'http-connections': one(
    kind.countUpTo(100_000),
    '500',
    'HTTP connections per client address, besides as many as --streams-per-client. A client may have the sum of both, whatever it uses them for.',
  ),
  'http-header-time': one(kind.durationUpTo('1h'), '10s', "How long a request's headers may take to arrive."),
  'http-request-time': one(kind.durationUpTo('1h'), '15s', 'How long a whole request may take to arrive.'),
  'http-max-body': one(kind.sizeUpTo('1MiB'), '16KiB', 'Largest request body.'),

  'trust-proxy': several(
    kind.cidr,
    null,
    'Addresses that are trusted to set X-Forwarded-For, to send any Host, and to use SMTP AUTH without TLS.',
  ),
  'cors-origin': several(kind.origin, null, 'Origin whose pages may call the API; * allows any.'),
  page: one(kind.toggle, 'true', 'Serves the inbox page at / and /inbox/NAME; --no-page turns it off.'),
  waitlist: one(
    kind.toggle,
    'true',
    'Offers the waitlist for Workspaces on the inbox page; --no-waitlist leaves it out. The operation itself stays.',
  ),
  'drop-in': optional(
    kind.catcher,
    "Serves what clients use of another mail catcher's HTTP interface, for tests that are written for it: mailpit or mailhog. It shows the mail of all inboxes, but to this machine alone or to the key of a workspace.",
  ),
  'drop-in-limit': one(kind.rate, '600/10s', 'Requests to that interface per client address.'),
  mcp: one(
    kind.toggle,
    'false',
    'Serves coding agents at /mcp (Model Context Protocol, Streamable HTTP). An agent on the same machine needs no such setting: it can run mayfly mcp.',
  ),
  compat: one(
    kind.toggle,
    'false',
    'Adds the field raw (the same as rawBody) to each email, for clients of the hosted original. Their domain is built in, so also give --domain zerodrop-sandbox.online.',
  ),
  'tls-cert': optional(
    kind.file,
    'Certificate chain for STARTTLS, PEM. Without it, Mayfly makes a self-signed certificate.',
  ),
  'tls-key': optional(kind.file, 'Private key of the certificate, PEM.'),
  metrics: optional(
    kind.listenAddress,
    'Counts what the service does, and serves it for Prometheus at /metrics of this port of 127.0.0.1, or of the given address. No key is asked for. Without it nothing is counted.',
  ),
  'log-level': one(kind.logLevel, 'info', 'How much to log, on standard error.'),
  'log-format': one(kind.logFormat, 'text', 'Format of log lines: text or json.'),
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof SETTINGS;

/** The value of every setting. */
export type Settings = {
  readonly [N in SettingName]: (typeof SETTINGS)[N] extends Several<infer T>
    ? readonly T[]
    : (typeof SETTINGS)[N] extends Optional<infer T>
      ? T | null
      : (typeof SETTINGS)[N] extends One<infer T>
        ? T
        : never;
};
