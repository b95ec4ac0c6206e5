import { recipientOf } from '../../src/inbox/address.js';
import type { IncomingMail, MailSlot, Outcome } from '../../src/inbox/incoming.js';
import { RateLimiter } from '../../src/limits/rate-limiter.js';
import { Slots } from '../../src/limits/slots.js';
import { selfSigned } from '../../src/smtp/certificate.js';
import { SmtpServer, type SmtpServerOptions } from '../../src/smtp/engine/smtp-server.js';
import { secureContextOf } from '../../src/smtp/engine/tls.js';
import { InFlight } from '../../src/smtp/in-flight.js';
import { type RunningSmtp, type SmtpOptions, startSmtp } from '../../src/smtp/smtp-listener.js';
import type { SmtpLog } from '../../src/smtp/smtp-log.js';
import type { TlsIdentity } from '../../src/tls-identity.js';

/** What was delivered, and what to make of it. */
export class Collector implements MailSlot {
  readonly mails: IncomingMail[] = [];
  /** What becomes of the next mails. */
  outcome: () => Promise<Outcome> = async () => 'stored';

  recipientOf(address: string) {
    return recipientOf(address, new Set(['inbox.test']));
  }

  async deliver(mail: IncomingMail): Promise<Outcome> {
    const outcome = await this.outcome();
    // Its bytes are written over once it is answered.
    if (outcome === 'stored') this.mails.push({ ...mail, raw: Buffer.from(mail.raw) });
    return outcome;
  }
}

export interface LogLine {
  readonly level: keyof SmtpLog;
  readonly facts: object;
  readonly message: string;
}

export interface TestSmtp extends RunningSmtp {
  readonly inbox: Collector;
  readonly logged: readonly LogLine[];
}

const tls = await selfSigned('inbox.test');

/** The options that a user has by default, on a free loopback port, but for a certificate, which a user has made in a thread. */
export function testOptions(options: Partial<SmtpOptions> = {}): SmtpOptions {
  const silent = () => {};
  return {
    host: '127.0.0.1',
    port: 0,
    hostname: 'inbox.test',
    maxMessageBytes: 10 * 1024 * 1024,
    maxRecipients: 100,
    maxInFlightBytes: 256 * 1024 * 1024,
    maxConnections: 1_000,
    maxConnectionsPerClient: 50,
    idleTimeoutMs: 60_000,
    dataTimeoutMs: 300_000,
    leastSpeed: { bytes: 16 * 1024, periodMs: 60_000 },
    mailRate: new RateLimiter({ count: 6_000, windowMs: 60_000 }),
    trusted: [],
    proxies: { first: [], lazily: [] },
    tls,
    inbox: new Collector(),
    log: { debug: silent, info: silent, warn: silent, error: silent },
    now: () => Date.now(),
    ...options,
  };
}

/** The server with an inbox and a log that can be looked at. */
export async function startTestSmtp(options: Partial<SmtpOptions> = {}): Promise<TestSmtp> {
  const inbox = new Collector();
  const logged: LogLine[] = [];
  const to = (level: keyof SmtpLog) => (facts: object, message: string) => logged.push({ level, facts, message });
  const log: SmtpLog = { debug: to('debug'), info: to('info'), warn: to('warn'), error: to('error') };
  const smtp = await startSmtp(testOptions({ inbox, log, ...options }));
  return { ...smtp, inbox, logged };
}

/** The engine by itself, which does not listen, and what it shares with nobody. */
export function testServer(
  options: Partial<SmtpOptions> & { readonly tls: TlsIdentity },
  shared: Partial<Pick<SmtpServerOptions, 'connections' | 'mailRate' | 'secureContext'>> = {},
): SmtpServer {
  const all = testOptions(options);
  const context = secureContextOf(options.tls);
  return new SmtpServer({
    ...all,
    secureContext: () => context,
    connections: new Slots({ total: all.maxConnections, perClient: all.maxConnectionsPerClient }),
    inFlight: new InFlight({
      maxBytes: all.maxInFlightBytes,
      maxMessageBytes: all.maxMessageBytes,
      maxMessages: all.maxConnections,
    }),
    ...shared,
  });
}
