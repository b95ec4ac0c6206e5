import { docsUrl } from 'mayfly-protocol/docs';
import type { SmtpOffer } from 'mayfly-protocol/wire-attempts';

// Reasons for missing mail, and fixes. `tools/write-docs.js` copies them to `causes.json` of the Python client.

/** For an ad-hoc workspace without mail, because a typo in the credentials selects a different ad-hoc workspace. */
export const NEW_SPACE =
  'This service remembers no mail in this ad-hoc workspace. The application must sign in to SMTP (AUTH) with exactly the credentials of the test (credentials, MAYFLY_CREDENTIALS).';

export const OTHERS = "Mayfly's log lists clients at other addresses, such as a container's";

/** Continues a sentence such as "1 connection from 10.0.0.7" with the cause and the fix. */
type Cause = (smtp: SmtpOffer) => string;

function missed({ startTls, authWithoutTls }: SmtpOffer): string {
  const tls = startTls
    ? 'unsupported TLS or AUTH'
    : 'STARTTLS, which is not offered (Mayfly: --tls-cert; nodemailer: requireTLS: false)';
  // Go's smtp.PlainAuth refuses AUTH without TLS, except to localhost, and closes the connection.
  const password = startTls
    ? ''
    : ' Or does it refuse to send a password without TLS (Go: unencrypted connection)? Then configure no user name.';
  return `Does the client require ${tls}${authWithoutTls ? '' : ', or AUTH without TLS, which --tls-cert turns off'}?${password}`;
}

/** Why a connection delivered no email, by the outcome of the delivery attempt. */
export const SESSIONS: Readonly<Record<string, Cause>> = {
  'tls-ended': () =>
    'left after STARTTLS: the client does not trust the certificate. Turn TLS off (nodemailer: ignoreTLS: true; Mayfly without --tls and --tls-cert), or make the client trust the certificate (Node: NODE_EXTRA_CA_CERTS; Python, Ruby, PHP: SSL_CERT_FILE).',
  'no-start-tls': () =>
    'required STARTTLS, which is not offered. Turn that off (nodemailer: requireTLS: false), or start Mayfly with --tls-cert.',
  'no-mail': (smtp) => `left after EHLO. ${missed(smtp)}`,
  quit: (smtp) =>
    `said EHLO and QUIT: a test of the connection (nodemailer: verify()), or a client that gave up. ${missed(smtp)}`,
  open: (smtp) =>
    `stayed open without sending a message; the newest began {ago} s ago, and its last command was {command}. ${missed(smtp)}`,
  'tls-first': () =>
    'sent credentials without TLS, which --tls-cert forbids (538). Let the client use STARTTLS, or list its address in --trust-proxy.',
  'unknown-mechanism': () =>
    'asked for a kind of AUTH that is not offered (504). Use one that the reply lists, such as PLAIN.',
  'bad-credentials': () =>
    'sent malformed credentials (501). Any user name and password will do, in the form that the reply names.',
  'bad-space': () =>
    `sent credentials that are not valid for an ad-hoc workspace. Correct the credentials of the application: the reply says which are valid (${docsUrl('isolation')}).`,
  'sign-in-first': () =>
    `tried AUTH, but was not signed in when it sent mail (530). Correct its user and password (${docsUrl('isolation')}), use a kind of AUTH that sends the password (not CRAM-MD5), and send AUTH after STARTTLS.`,
  'not-smtps': () =>
    'started with TLS, which this port does not support. Turn that off (nodemailer: secure: false), or use --smtps-port.',
  'tls-only': ({ port }) =>
    `spoke plain SMTP to the port for TLS (--smtps-port). Use port ${port}, or turn TLS on (nodemailer: secure: true).`,
  'not-http': () => 'spoke HTTP to the SMTP port. Point the HTTP client at the HTTP port.',
  'http-port': ({ port }) =>
    `spoke SMTP, or nothing, to the HTTP port. Set the SMTP port of the application to ${port}.`,
  'no-command': () => 'ended without a command: a port check, or a client that gave up.',
  'media-type': () =>
    'posted a wrong Content-Type to a send API (415). Use the SDK or the Content-Type of the provider.',
  malformed: () => 'posted an unreadable body to a send API (400).',
  missing: () => 'posted an email without a required field to a send API. The answer names the field.',
  invalid: () => 'posted an email with an invalid field to a send API. The answer names the field.',
  'not-found': () => `asked a send API for a path that Mayfly does not serve (${docsUrl('send-apis')}).`,
  'body-too-large': () => 'posted more than --max-message to a send API.',
  'message-too-large': () => 'announced a message that is too large (552). Send a smaller one, or raise --max-message.',
  'too-many-mails': () => 'sent too many messages (451). Send fewer, or raise --smtp-limit.',
  'too-many-connections': () =>
    'met a limit (421): one client had too many connections open. Send several messages over one, or raise --smtp-connections.',
  'all-connections-taken': () =>
    'met a limit (421): all clients together had too many connections open. Send several messages over one, or raise --smtp-connections-total.',
  'bad-recipient-name': () => 'named a recipient that cannot be an inbox (553). Check the address.',
};

/** Why delivery attempts are hidden from the test: only one side uses an ad-hoc workspace, or AUTH was refused. */
export const OTHER_SIDE: Readonly<Record<string, string>> = {
  'refused-sign-ins': `with AUTH that was refused. Correct the application's user and password: the reply says which are valid (${docsUrl('isolation')}).`,
  'in-spaces':
    'into ad-hoc workspaces: if the application signs in to SMTP, give the test the same credentials (credentials, MAYFLY_CREDENTIALS).',
  'outside-spaces':
    'without credentials: does the application sign in to SMTP (AUTH) with the credentials of the test (credentials, MAYFLY_CREDENTIALS)?',
};

/** The fix for a rejection whose SMTP reply does not include it. */
export const CURES: Readonly<Record<string, string>> = {
  'foreign-domain': 'Or use an address in a domain of Mayfly (domain, MAYFLY_DOMAIN).',
  'inbox-full': 'Delete its mail (inbox.clear()), use a new inbox, or raise --max-emails.',
  'message-too-large': 'Send a smaller message, or raise --max-message.',
  'too-many-mails': 'Send fewer messages, or raise --smtp-limit.',
  'store-full': 'Raise --store-quota, or maxmemory of Redis.',
};

/** Matches inbox names with the fault `hold`, which holds back mail (docs/failure-simulation.md). */
const HOLDS = /--hold(?:--|@|$)/i;

/** Why accepted mail is not in its inbox. */
export function unshown(to: string | null): string {
  const isHeld = to !== null && HOLDS.test(to);
  if (isHeld) return 'and is held back (--hold), unless it was deleted: inbox.release() shows it.';
  return 'and is gone. Was it deleted, or has it expired?';
}

export const ENDINGS: Readonly<Record<string, string>> = {
  'mail-lost':
    'broke off in the middle of the message. Did the application crash? Check its log, its timeout and the network.',
  'no-data':
    'ended before the message was sent. The application crashed, tested the address, or gave up because of another recipient.',
  open: 'began {ago} s ago and did not end; its last command was {command}. Mayfly waits for the client.',
};

/** Which email validators may have rejected the address, by the end of its domain; `''` matches every domain. */
export const VALIDATORS: Readonly<Record<string, string>> = {
  '.test':
    "Or the application sends only after this timeout, or refused the address: email_validator, pydantic's EmailStr and Joi refuse .test (mayfly serve --domain inbox.example.com).",
  '': `Or the application sends only after this timeout, or refused the address: some validators ask DNS for the domain {domain} (${docsUrl('applications')}).`,
};

export const NOTHING_SENT =
  'The application sent nothing, sent to another address or server, or sends only after this timeout. Check its log, and its SMTP host, port and TLS. GET /api/attempts lists connections that named no address.';

/** For a phone number, whose texts arrive from the provider's SDK and not over SMTP. */
export const NO_TEXT = `no text message to this number reached Mayfly. Set the address of the application's SMS provider to Mayfly's, and write the number with its country code (${docsUrl('sms')}).`;
