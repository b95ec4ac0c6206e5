import { AttemptBook } from '../../src/attempts/book.js';
import { systemClock } from '../../src/base/clock.js';
import type { LineLog } from '../../src/base/counted-lines.js';
import { storedInbox } from '../../src/inbox/ad-hoc.js';
import type { Appended, IncomingMail, MailSlot } from '../../src/inbox/inboxes.js';
import { limiterOf } from '../../src/limits/rate-limiter.js';
import { readSettings } from '../../src/settings/reading.js';
import type { Settings } from '../../src/settings/table.js';
import type { SmtpOptions } from '../../src/smtp/context.js';
import { SmtpServer, startSmtp } from '../../src/smtp/server.js';
import { selfSigned } from '../../src/tls/certificate.js';
import { addressingOf } from '../addressing.js';

/** The outcome of a delivery. */
export type Outcome = 'stored' | Extract<Appended, { stored: false }>['reason'];

/** Records deliveries and decides their outcome. */
export class Collector implements MailSlot {
  readonly mails: IncomingMail[] = [];
  /** The outcome of the next deliveries. */
  outcome: () => Promise<Outcome> = async () => 'stored';

  /** Makes the next delivery wait, and returns a function that sets its outcome. */
  hold(): (outcome: Outcome) => void {
    let end: (outcome: Outcome) => void = () => {};
    this.outcome = () =>
      new Promise((resolve) => {
        end = resolve;
      });
    return (outcome) => end(outcome);
  }

  recipientOf(address: string, adHoc: string | null = null) {
    const recipient = addressingOf().recipientOf(address);
    return typeof recipient === 'string' ? recipient : { ...recipient, inbox: storedInbox(adHoc, recipient.inbox) };
  }

  async deliver(mail: IncomingMail): Promise<Appended> {
    const outcome = await this.outcome();
    if (outcome !== 'stored') return { stored: false, reason: outcome };
    // Copies the message, because the server overwrites its bytes after the reply.
    this.mails.push({ ...mail, raw: Buffer.from(mail.raw) });
    return { stored: true, receivedAt: mail.recipients.map(() => mail.receivedAt) };
  }
}

export interface LogLine {
  readonly level: keyof LineLog;
  readonly facts: object;
  readonly message: string;
}

export interface TestSmtp extends SmtpServer {
  readonly port: number;
  readonly tlsPort: number | null;
  readonly inbox: Collector;
  readonly logged: readonly LogLine[];
}

const tls = await selfSigned('inbox.example.com');

/** Options that a test may set. */
export type TestOptions = Partial<SmtpOptions> & {
  readonly set?: Partial<Settings>;
};

/** Returns the options that a user gets by default, but with a free loopback port and a certificate. */
export function testOptions({ set, ...options }: TestOptions = {}): SmtpOptions {
  const silent = () => {};
  const settings: Settings = {
    ...readSettings(new Map(), new Map()),
    'smtp-port': 0,
    'smtp-connections': 50,
    ...set,
  };
  return {
    settings,
    domainList: addressingOf().domainList,
    adHocRate: null,
    mailRate: limiterOf({ count: 6_000, windowMs: 60_000 }),
    tls,
    credentialsNeedTls: options.tls !== null,
    inbox: new Collector(),
    observe: [new AttemptBook(systemClock, addressingOf()).observe],
    log: { debug: silent, info: silent, warn: silent, error: silent },
    now: systemClock.now,
    monotonic: systemClock.monotonic,
    after: systemClock.after,
    ...options,
  };
}

/** Starts a server whose inbox and log a test can read. */
export async function startTestSmtp(options: TestOptions = {}): Promise<TestSmtp> {
  const inbox = new Collector();
  const logged: LogLine[] = [];
  const to = (level: keyof LineLog) => (facts: object, message: string) => logged.push({ level, facts, message });
  const log: LineLog = { debug: to('debug'), info: to('info'), warn: to('warn'), error: to('error') };
  const smtp = await startSmtp(testOptions({ inbox, log, ...options }));
  const { smtp: plain, smtps } = smtp.addresses;
  return Object.assign(smtp, { port: plain.port, tlsPort: smtps?.port ?? null, inbox, logged });
}

export function testServer(options: TestOptions): SmtpServer {
  return new SmtpServer(testOptions(options));
}
