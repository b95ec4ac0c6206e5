import type { Clock } from '../base/clock.js';
import type { LineLog } from '../base/counted-lines.js';
import type { MailSlot } from '../inbox/inboxes.js';
import type { InFlight } from '../limits/client-memory.js';
import type { Limiter } from '../limits/rate-limiter.js';
import type { Settings } from '../settings/table.js';
import type { TlsIdentity } from '../tls/certificate.js';
import type { ObserveSmtp } from './observer.js';
import type { Ports } from './replies.js';
import type { Handshakes } from './tls.js';

export interface SmtpOptions extends Pick<Clock, 'now' | 'monotonic' | 'after'> {
  readonly settings: Settings;
  readonly tls: TlsIdentity | null;
  /** Whether credentials need TLS, except from trusted peers (D21). */
  readonly credentialsNeedTls: boolean;
  readonly domainList: string;
  readonly mailRate: Limiter;
  /** Counts the messages of a space; null without spaces. */
  readonly spaceRate: Limiter | null;
  readonly inbox: MailSlot;
  readonly observe: readonly ObserveSmtp[];
  readonly log: LineLog;
}

/** What all connections share. */
export interface SmtpContext extends SmtpOptions {
  /** Also the domain of `<postmaster>` (RFC 5321 section 4.1.1.3). */
  readonly hostname: string;
  readonly inFlight: InFlight;
  /** Null where STARTTLS is not offered. */
  readonly handshakes: Handshakes | null;
  ports: Ports;
  isStopping: boolean;
}
