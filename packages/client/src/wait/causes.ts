import { docsUrl } from 'mayfly-protocol/docs';
import type { SmtpOffer } from 'mayfly-protocol/wire-attempts';

// Reasons for missing mail, and fixes. `tools/write-docs.js` writes the table of the Python client from this one.

/** A typo in the credentials selects a different ad-hoc workspace. */
export const NEW_SPACE =
  'No mail has ever arrived in this ad-hoc workspace, as far as this service remembers. The application must sign in to SMTP (AUTH) with the credentials of the test: compare them with credentials and MAYFLY_CREDENTIALS.';

export const OTHERS = "Mayfly's log names those from other addresses, such as a container's";

/** Continues a sentence such as "1 connection from 10.0.0.7" with the cause and the fix. */
type Cause = (smtp: SmtpOffer) => string;

function missed({ startTls, authWithoutTls }: SmtpOffer): string {
  const tls = startTls
    ? 'another kind of TLS or AUTH'
    : 'STARTTLS, which is not offered (Mayfly: --tls-cert; nodemailer: requireTLS: false)';
  // Go's smtp.PlainAuth refuses AUTH without TLS, except to localhost, and closes the connection.
  const password = startTls
    ? ''
    : ' Or does it keep its password for TLS (Go: unencrypted connection)? Give it no user.';
  return `Does the client require ${tls}${authWithoutTls ? '' : ', or AUTH without TLS, which --tls-cert turns off'}?${password}`;
}

/** Why a connection delivered no email, by its outcome. */
export const SESSIONS: Readonly<Record<string, Cause>> = {
  'tls-ended': () =>
    'left after STARTTLS: the client does not trust the certificate. Use none (nodemailer: ignoreTLS: true; Mayfly without --tls and --tls-cert), or let it trust it (Node: NODE_EXTRA_CA_CERTS; Python, Ruby, PHP: SSL_CERT_FILE).',
  'no-start-tls': () =>
    'required STARTTLS, which is not offered. Turn that off (nodemailer: requireTLS: false), or start Mayfly with --tls-cert.',
  'no-mail': (smtp) => `left after EHLO. ${missed(smtp)}`,
  quit: (smtp) =>
    `said EHLO and QUIT: a test of the connection (nodemailer: verify()), or a client that gave up. ${missed(smtp)}`,
  open: (smtp) =>
    `connected and stayed without sending a message, the newest {ago} s ago; its last command was {command}. ${missed(smtp)}`,
  'tls-first': () =>
    'sent credentials without TLS, which --tls-cert forbids (538). Let the client use STARTTLS, or list its address in --trust-proxy.',
  'unknown-mechanism': () =>
    'asked for a kind of AUTH that is not offered (504). Use one that the reply lists, such as PLAIN.',
  'bad-credentials': () =>
    'sent malformed credentials (501). Any user name and password will do, in the form that the reply names.',
  'bad-space': () =>
    `gave credentials that no ad-hoc workspace can have. Correct those of the application: the reply says what they may be (${docsUrl('isolation')}).`,
  'sign-in-first': () =>
    `tried AUTH, but was not signed in when it sent mail (530). Correct its user and password (${docsUrl('isolation')}), use a kind of AUTH that sends the password (not CRAM-MD5), and send AUTH after STARTTLS.`,
  'not-smtps': () =>
    'started with TLS, which this port does not support. Turn that off (nodemailer: secure: false), or use --smtps-port.',
  'tls-only': ({ port }) =>
    `spoke plain SMTP to the port for TLS (--smtps-port). Use port ${port}, or turn TLS on (nodemailer: secure: true).`,
  'not-http': () => 'spoke HTTP to the SMTP port. Point the HTTP client at the HTTP port.',
  'http-port': ({ port }) =>
    `used the HTTP port as the SMTP port, or said nothing there. Set the SMTP port of the application to ${port}.`,
  'no-command': () => 'left without a command: a port check, or a client that gave up.',
  'media-type': () => 'sent a send API a body of a wrong type (415). Use the SDK of the provider, or its Content-Type.',
  malformed: () => 'sent a send API a body that could not be read (400).',
  missing: () => 'sent a send API a mail without a required field. The answer names it.',
  invalid: () => 'sent a send API a mail with a field that is not valid. The answer names it.',
  'not-found': () => `asked a send API for a path that Mayfly does not serve (${docsUrl('send-apis')}).`,
  'body-too-large': () => 'sent a send API a body that is too large (--max-message).',
  'message-too-large': () => 'announced a mail that is too large (552). Send less, or raise --max-message.',
  'too-many-mails': () => 'sent too much mail (451). Send fewer, or raise --smtp-limit.',
  'too-many-connections': () =>
    'met a limit (421): one client had too many connections open. Send several messages over one, or raise --smtp-connections.',
  'all-connections-taken': () =>
    'met a limit (421): all clients together had too many connections open. Send several messages over one, or raise --smtp-connections-total.',
  'bad-recipient-name': () => 'named a recipient that is no inbox (553). Check the address.',
};

/** Delivery attempts hidden from the test, because only one side, application or test, uses an ad-hoc workspace. */
export const OTHER_SIDE: Readonly<Record<string, string>> = {
  'refused-sign-ins': `with AUTH that was refused. Correct the user and password of the application: the reply says what they may be (${docsUrl('isolation')}).`,
  'in-spaces':
    'into ad-hoc workspaces: if the application signs in to SMTP, give the test its credentials (credentials, MAYFLY_CREDENTIALS).',
  'outside-spaces':
    'without credentials: does the application sign in to SMTP (AUTH) with those of the test (credentials, MAYFLY_CREDENTIALS)?',
};

/** The fix for a rejection whose SMTP reply does not include it. */
export const CURES: Readonly<Record<string, string>> = {
  'foreign-domain': 'Or use an address in a domain of Mayfly (domain, MAYFLY_DOMAIN).',
  'inbox-full': 'Delete its mail (inbox.clear()), use a new inbox, or raise --max-emails.',
  'message-too-large': 'Send less, or raise --max-message.',
  'too-many-mails': 'Send fewer, or raise --smtp-limit.',
  'store-full': 'Raise --store-quota, or maxmemory of Redis.',
};

/** Inbox names with a fault that may hold back mail (docs/failure-simulation.md). */
const HOLDS = /--hold(?:--|@|$)/i;

/** Why accepted mail is not in its inbox. */
export function unshown(to: string | null): string {
  const isHeld = to !== null && HOLDS.test(to);
  if (isHeld) return 'and is held, if it is not deleted: inbox.release() shows it.';
  return 'and is gone. Was it deleted, or has it expired?';
}

export const ENDINGS: Readonly<Record<string, string>> = {
  'mail-lost':
    'broke off in the middle of the message. Did the application crash? Check its log, its timeout and the network.',
  'no-data':
    'ended before the message was sent. The application crashed, tested the address, or gave up because of another recipient.',
  open: 'began {ago} s ago and did not end; its last command was {command}. Mayfly waits for the client.',
};

/** Email validators that may have rejected the address, by the end of its domain; `''` matches any. */
export const VALIDATORS: Readonly<Record<string, string>> = {
  '.test':
    "Or the application sends only after this timeout, or refused the address: email_validator, pydantic's EmailStr and Joi refuse .test (mayfly serve --domain inbox.example.com).",
  '': `Or the application sends only after this timeout, or refused the address: some validators ask DNS for the domain {domain} (${docsUrl('applications')}).`,
};

export const NOTHING_SENT =
  'The application did not send, or to another address or server, or it sends after this timeout: check its log, and its SMTP host, port and TLS. GET /api/attempts lists connections that named no address.';
