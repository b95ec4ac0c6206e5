/** Expected error messages for common mistakes. Each must explain the fix without the documentation. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { type StartedMayfly, type StartOptions, startMayfly } from 'mayfly-inbox';
import { createTransport } from 'nodemailer';
import { expect, vi } from 'vitest';
import { newRunSecret } from '../../protocol/src/run-secret.js';
import { refusingPort } from '../../server/test/ports.js';
import { mayflyOfTest } from '../src/fixtures/fixtures.js';
import { type Inbox, Mayfly } from '../src/index.js';

interface Made {
  readonly service: StartedMayfly;
  readonly mayfly: Mayfly;
  readonly inbox: Inbox;
}

export interface Mistake {
  readonly name: string;
  readonly make: (made: Made) => Promise<unknown>;
  /** Expected message, with ADDRESS and NAME of the inbox, the SMTP port as PORT, and another address as OTHER. */
  readonly says: string;
  /** Expected message while other workers use the service, if it differs; null if it is not tested. */
  readonly beside?: string | null;
  readonly options?: StartOptions;
}

const RUN = newRunSecret();
interface Sent {
  readonly subject?: string;
  readonly text?: string;
}

async function send({ smtp }: Pick<StartedMayfly, 'smtp'>, to: string, mail: Sent = {}): Promise<void> {
  const { subject = 'Confirm your account', text = 'Your code is 482913' } = mail;
  const transport = createTransport({ ...smtp, ignoreTLS: true });
  await transport.sendMail({ from: 'app@app.test', to, subject, text });
  transport.close();
}

async function afterEhlo({ smtp }: StartedMayfly): Promise<Socket> {
  const socket = connect(smtp.port, smtp.host);
  await once(socket, 'data');
  socket.write('EHLO app.test\r\n');
  await once(socket, 'data');
  return socket.resume();
}

async function fails({ smtp }: StartedMayfly, to: string, options: object): Promise<void> {
  const sent = createTransport({ ...smtp, ...options }).sendMail({ from: 'app@app.test', to, text: 'Hello' });
  await expect(sent).rejects.toThrow();
}

/** Long enough for a wait's first read on a busy machine. */
const TIMEOUT = { timeout: 8_000 };

const NO_EMAIL = 'Waited 8 s for an email with a code. No email came to ADDRESS.';

const NOT_NAMED = `${NO_EMAIL} Since this inbox was made, no client named this address on the SMTP port PORT.`;

const NOT_SENT =
  `${NOT_NAMED} The application sent nothing, sent to another address or server, or sends only after this timeout. Check ` +
  'its log, and its SMTP host, port and TLS. GET /api/attempts lists connections that named no address.';

const NO_CLIENT =
  'Since this inbox was made, no client connected to the SMTP port PORT: ' +
  "set the application's SMTP host and port to Mayfly's. Inside a container, 127.0.0.1 is the container itself " +
  '(https://OWNER.github.io/mayfly/troubleshooting). Or the application sends only after this timeout, or refused the address: some validators ask ' +
  'DNS for the domain inbox.example.com (https://OWNER.github.io/mayfly/applications).';

const ONE_CAME = "1 email came to ADDRESS: 'Confirm your account'";

export const MISTAKES: readonly Mistake[] = [
  {
    name: 'the wrong inbox',
    async make({ service, mayfly, inbox }) {
      await send(service, mayfly.createInbox().address);
      await inbox.waitForOtp(TIMEOUT);
    },
    says:
      `${NO_EMAIL} 'Confirm your account' (482913) came to OTHER, another inbox of this test. Use that inbox, or ` +
      'check which address the test gave the application.',
  },
  {
    name: 'the wrong filter',
    async make({ service, inbox }) {
      await send(service, inbox.address);
      await inbox.waitForOtp({ ...TIMEOUT, subject: 'Welcome' });
    },
    says: `Waited 8 s for an email with a code, subject "Welcome". ${ONE_CAME} (subject does not match).`,
  },
  {
    name: 'the wrong sender',
    async make({ service, inbox }) {
      await send(service, inbox.address);
      await inbox.waitForOtp({ ...TIMEOUT, from: 'billing@' });
    },
    says: `Waited 8 s for an email with a code, from "billing@". ${ONE_CAME} (from app@app.test, which does not match).`,
  },
  {
    name: 'a misspelled option',
    make: ({ inbox }) => inbox.waitForOtp({ subjct: 'Confirm' } as object),
    says: 'waitForOtp: "subjct" is not an option. Did you mean subject?',
  },
  {
    name: 'an application that sends twice',
    async make({ service, inbox }) {
      await send(service, inbox.address);
      await send(service, inbox.address);
      await inbox.waitForEmails({ count: 1, settle: 0 });
    },
    says:
      "Expected exactly 1 email, but 2 emails came to ADDRESS: 'Confirm your account', 'Confirm your account'. " +
      "The application sent 'Confirm your account' more than once, N s apart.",
  },
  {
    name: 'an application that sends nothing',
    make: ({ inbox }) => inbox.waitForOtp(TIMEOUT),
    says: `${NO_EMAIL} ${NO_CLIENT}`,
    beside: NOT_SENT,
  },
  {
    name: 'mail to another domain',
    async make({ service, inbox }) {
      await send(service, `${inbox.name}@app.test`);
      await inbox.waitForOtp(TIMEOUT);
    },
    says: `${NO_EMAIL} Mail came to NAME@app.test, which is another inbox: use mayfly.inbox('NAME@app.test').`,
  },
  {
    name: 'a code with letters',
    async make({ service, inbox }) {
      await send(service, inbox.address, { text: 'Hello,\nyour code is K7Q-2MX' });
      await inbox.waitForOtp(TIMEOUT);
    },
    says: `Waited 8 s for an email with a code. ${ONE_CAME} (no code: K7Q-2MX has letters: use waitForCode(); its text begins "Hello,").`,
  },
  {
    name: 'a code of nine digits',
    async make({ service, inbox }) {
      await send(service, inbox.address, { text: 'Your code is 482913559' });
      await inbox.waitForOtp(TIMEOUT);
    },
    says:
      `Waited 8 s for an email with a code. ${ONE_CAME} (no code: 482913559 has 9 digits and a code has 4 to 8: use ` +
      'waitForCode({ pattern: /^\\d{9}$/ }); its text begins "Your code is 482913559").',
  },
  {
    name: 'a link without a keyword',
    async make({ service, inbox }) {
      await send(service, inbox.address, { text: 'Join the team:\nhttps://app.test/join/8f2kQ0Zr7LmX' });
      await inbox.waitForMagicLink(TIMEOUT);
    },
    says:
      `Waited 8 s for an email with a link. ${ONE_CAME} (no link: no keyword in the link ` +
      'https://app.test/join/8f2kQ0Zr7LmX: use waitForLink(); its text begins "Join the team:").',
  },
  {
    name: 'a link that nothing marks as the action link',
    async make({ service, inbox }) {
      await send(service, inbox.address, { text: 'Open https://app.test/welcome/abc?utm=1 to begin.' });
      await inbox.waitForLink(TIMEOUT);
    },
    says:
      `Waited 8 s for an email with a link. ${ONE_CAME} (no link: it has another link, ` +
      "https://app.test/welcome/abc?utm=1: use waitForLink({ pattern: 'app.test/welcome/abc' }); " +
      'its text begins "Open https://app.test/welcome/abc?utm=1 to begin.").',
  },
  {
    name: 'mail that arrives too late',
    async make({ service, inbox }) {
      await inbox.waitForOtp(TIMEOUT).finally(() => send(service, inbox.address));
    },
    says: `${NO_EMAIL} ${NO_CLIENT}`,
    beside: NOT_SENT,
  },
  {
    name: 'the wrong port',
    async make({ service, inbox }) {
      await fails(service, inbox.address, { port: await refusingPort() });
      await inbox.waitForOtp(TIMEOUT);
    },
    says: `${NO_EMAIL} ${NO_CLIENT}`,
    beside: NOT_SENT,
  },
  {
    name: 'TLS on the plain port',
    async make({ service, inbox }) {
      await fails(service, inbox.address, { secure: true });
      await inbox.waitForOtp(TIMEOUT);
    },
    says:
      `${NOT_NAMED} Before this wait began, 1 connection from 127.0.0.1 started with TLS, which this port does not ` +
      'support. Turn that off (nodemailer: secure: false), or use --smtps-port. Such a connection names no address, ' +
      "so it may be another test's.",
    beside: NOT_SENT,
  },
  {
    name: 'an application that crashes',
    async make({ service, inbox }) {
      const socket = connect(service.smtp.port, service.smtp.host);
      for (const line of ['EHLO app', 'MAIL FROM:<app@app.test>', `RCPT TO:<${inbox}>`, 'DATA', 'Subject: Conf']) {
        await once(socket, 'data');
        socket.write(`${line}\r\n`);
      }
      socket.destroySoon();
      // Otherwise the wait might begin in the same millisecond as the attempt.
      const log = `${service.url}/api/inbox/${inbox.name}/attempts`;
      await vi.waitFor(async () => expect(await (await fetch(log)).text()).toContain('mail-lost'), { timeout: 60_000 });
      await inbox.waitForOtp(TIMEOUT);
    },
    says:
      `${NO_EMAIL} Before this wait began, 1 attempt to send to ADDRESS broke off in the middle of the message. Did the application crash? ` +
      'Check its log, its timeout and the network.',
  },
  {
    name: 'a client that requires STARTTLS and stays connected',
    async make({ service, inbox }) {
      const sockets = await Promise.all(Array.from({ length: 6 }, () => afterEhlo(service)));
      await inbox.waitForOtp(TIMEOUT).finally(() => {
        for (const socket of sockets) socket.destroy();
      });
    },
    says:
      `${NOT_NAMED} Before this wait began, 6 connections from 127.0.0.1 stayed open without sending a message; ` +
      'the newest began N s ago, and its last command was EHLO. Does the client require STARTTLS, which is not offered (Mayfly: ' +
      '--tls-cert; nodemailer: requireTLS: false)? Or does it refuse to send a password without TLS (Go: ' +
      "unencrypted connection)? Then configure no user name. Such a connection names no address, so it may be another test's.",
    beside: NOT_SENT,
  },
  {
    name: 'too many simultaneous connections',
    options: { smtpConnections: 4 },
    async make({ service, inbox }) {
      const sockets = await Promise.all(Array.from({ length: 4 }, () => afterEhlo(service)));
      await Promise.all(Array.from({ length: 3 }, () => fails(service, inbox.address, {})));
      for (const socket of sockets) socket.end('QUIT\r\n');
      await inbox.waitForOtp(TIMEOUT);
    },
    says:
      `${NOT_NAMED} Since this inbox was made, 3 connections met a limit (421): one client had too many connections ` +
      'open. Send several messages over one, or raise --smtp-connections. Before this wait began, 4 connections from ' +
      '127.0.0.1 said EHLO and QUIT: a test of the connection (nodemailer: verify()), or a client that gave up. Does ' +
      'the client require STARTTLS, which is not offered (Mayfly: --tls-cert; nodemailer: requireTLS: false)? Or does ' +
      "it refuse to send a password without TLS (Go: unencrypted connection)? Then configure no user name. Such a connection names no address, so it may be another test's.",
    beside: null,
  },
  {
    name: 'a code that was used before',
    async make({ service, inbox }) {
      await send(service, inbox.address);
      await inbox.waitForOtp({ ...TIMEOUT, after: await inbox.mark() });
    },
    says:
      `Waited 8 s for an email with a code. ${ONE_CAME} (not after \`after\`; nothing has arrived since). Mayfly saw no ` +
      'other attempt to send here: the application did not send again, or only after this timeout.',
  },
  {
    name: 'a second email that is never sent',
    async make({ service, inbox }) {
      await send(service, inbox.address);
      await inbox.waitForEmails({ ...TIMEOUT, count: 2 });
    },
    says:
      `Waited 8 s for 2 emails. ${ONE_CAME} (matches). Only 1 of 2 came. Mayfly saw no other attempt to send here: the ` +
      'application did not send again, or only after this timeout.',
  },
  {
    name: 'the HTTP port as SMTP port',
    async make({ service, inbox }) {
      const waiting = inbox.waitForOtp({ timeout: 15_000 });
      await Promise.all([waiting, fails(service, inbox.address, { port: Number(new URL(service.url).port) })]);
    },
    says:
      'Waited 15 s for an email with a code. No email came to ADDRESS. Since this wait began, 1 connection from ' +
      '127.0.0.1 spoke SMTP, or nothing, to the HTTP port. Set the SMTP port of the application to PORT. ' +
      "Such a connection names no address, so it may be another test's.",
    beside: NOT_SENT.replace('8 s', '15 s'),
  },
  {
    name: 'the SMTP port as HTTP port',
    make: ({ service: { smtp } }) =>
      new Mayfly({ baseUrl: `http://${smtp.host}:${smtp.port}` }).createInbox().waitForOtp(TIMEOUT),
    says:
      'Mayfly at http://127.0.0.1:PORT cannot be reached: that is an SMTP port. Use the HTTP port of ' +
      'Mayfly, by default 8080. Check baseUrl and MAYFLY_URL.',
  },
  {
    name: 'a fixed name',
    async make({ service, mayfly }) {
      await send(service, 'sign-up@inbox.example.com');
      await send(service, 'sign-up@inbox.example.com', { subject: 'Welcome' });
      await mayfly.inbox('sign-up').waitForEmails({ count: 1, settle: 0 });
    },
    says:
      "Expected exactly 1 email, but 2 emails came to sign-up@inbox.example.com: 'Welcome', 'Confirm your account'. " +
      'The name "sign-up" is fixed, so other tests and earlier runs may have sent there: use createInbox() for each test.',
  },
  {
    name: 'a wait longer than the test',
    async make({ service, inbox }) {
      const { mayfly, ended } = mayflyOfTest({ baseUrl: service.url }, 'signs up');
      // As after a runner's timeout, nothing awaits this wait. It must not cause an unhandled rejection.
      void mayfly.inbox(inbox.address).waitForOtp({ timeout: 60_000 });
      const shown = await ended({ outcome: 'failed', error: 'Test timed out in 5000ms.' });
      throw new Error(shown?.split('\n')[0]);
    },
    says:
      '"signs up" ended before waitForOtp() of ADDRESS: write "await" before the call, and give the test more time than ' +
      'the wait.',
  },
  {
    name: 'a missing await',
    async make({ service, inbox }) {
      const { mayfly, ended } = mayflyOfTest({ baseUrl: service.url }, 'signs up');
      const left = mayfly.inbox(inbox.address).waitForOtp(TIMEOUT);
      await ended({ outcome: 'passed' });
      await left;
    },
    says:
      '"signs up" ended before waitForOtp() of ADDRESS: write "await" before the call, and give the test more time than ' +
      'the wait.',
  },
];

/** Simulates other workers: mail to their inboxes, checks of TLS and of the connection, and mail without recipients. */
function others({ smtp }: StartedMayfly): { stop(): Promise<void> } {
  let isOver = false;
  const tls = async () => {
    const socket = connectTls({ ...smtp, rejectUnauthorized: false }).on('error', () => {});
    await once(socket, 'close').catch(() => {});
  };
  // Acts in sequence, because many concurrent actions would make the machine busy.
  const running = (async () => {
    while (!isOver) {
      await send({ smtp }, `other-${crypto.randomUUID()}@inbox.example.com`);
      await tls();
      await createTransport({ ...smtp, ignoreTLS: true }).verify();
    }
  })();
  return {
    async stop() {
      isOver = true;
      await running;
    },
  };
}

export function startFor({ options }: Partial<Mistake> = {}): Promise<StartedMayfly> {
  return startMayfly({ domain: ['inbox.example.com', '*'], ...options });
}

/** The message without the note "no answer in time", which appears only on a busy machine. */
export async function messageOf({ name, make }: Mistake, service: StartedMayfly, isShared = false): Promise<string> {
  vi.stubEnv('MAYFLY_RUN', RUN);
  const beside = isShared ? others(service) : null;
  try {
    const { mayfly } = mayflyOfTest({ baseUrl: service.url, domain: 'inbox.example.com' }, name);
    const inbox = mayfly.createInbox();
    const message = await make({ service, mayfly, inbox }).then(String, ({ message }: Error) => message);
    return message
      .replaceAll(inbox.address, 'ADDRESS')
      .replaceAll(inbox.name, 'NAME')
      .replaceAll(`${service.smtp.port}`, 'PORT')
      .replaceAll(/came to [\w-]+-[a-z2-7]{12}@inbox\.example\.com/g, 'came to OTHER')
      .replaceAll(/[\d.]+ s (?=apart|ago)/g, 'N s ')
      .replace(/ Meanwhile: Mayfly at \S+ cannot be reached: no answer in time\. Is it busy or down\?$/, '');
  } finally {
    await beside?.stop();
  }
}
