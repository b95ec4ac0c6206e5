import type { Clock } from '../base/clock.js';
import type { LineLog } from '../base/counted-lines.js';
import type { MailSlot } from '../inbox/inboxes.js';
import type { AddressRange } from '../limits/client-address.js';
import type { InFlight } from '../limits/client-memory.js';
import type { Limiter } from '../limits/rate-limiter.js';
import type { TlsIdentity } from '../tls/certificate.js';
import type { Ports } from './lines.js';
import type { ObserveSmtp } from './observer.js';
import type { Handshakes } from './tls.js';

/** When a proxy sends its header: immediately, or with its client's first bytes, after our greeting. */
export type HeaderComes = 'first' | 'lazily';

export interface SmtpOptions extends Pick<Clock, 'now' | 'monotonic' | 'after'> {
  readonly host: string;
  readonly port: number;
  /** For TLS from the first byte; null for none. Needs `tls`. */
  readonly tlsPort: number | null;
  readonly tls: TlsIdentity | null;
  /** Whether credentials need TLS, except from trusted peers (D21). */
  readonly credentialsNeedTls: boolean;
  /** Addresses besides loopback that may send credentials without TLS (D21). */
  readonly trusted: readonly AddressRange[];
  /** Proxies by when their header comes. An address in both lists sends it lazily. */
  readonly proxies: Readonly<Record<HeaderComes, readonly AddressRange[]>>;
  /** Also the domain of `<postmaster>` (RFC 5321 section 4.1.1.3). */
  readonly hostname: string;
  readonly domainList: string;
  readonly maxMessageBytes: number;
  readonly maxRecipients: number;
  readonly maxConnections: number;
  readonly maxConnectionsPerClient: number;
  /** The longest silence, and the longest TLS handshake. */
  readonly idleTimeoutMs: number;
  readonly dataTimeoutMs: number;
  /** The least speed of content: bytes in each period after the first. */
  readonly leastSpeed: { readonly bytes: number; readonly periodMs: number } | null;
  readonly mailRate: Limiter;
  /** Counts the messages of a space; null without spaces. */
  readonly spaceRate: Limiter | null;
  readonly inFlight: InFlight;
  readonly inbox: MailSlot;
  readonly observe: readonly ObserveSmtp[];
  readonly log: LineLog;
}

/** What all connections share. */
export interface SmtpContext extends SmtpOptions {
  /** Null where STARTTLS is not offered. */
  readonly handshakes: Handshakes | null;
  readonly ports: Ports;
  readonly isStopping: boolean;
}
