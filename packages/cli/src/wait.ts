import type { Inbox, WaitForEmailsOptions, WaitOptions } from 'mayfly-client';
import { INBOX_OPTIONS, inboxOf, withMayfly } from './client-command.js';
import { type Command, type Invocation, UsageError } from './command.js';
import { whileWaiting } from './progress.js';
import { emailText, jsonText } from './terminal-text.js';
import { countOfEmails, moment, parsed, waitingTime } from './values.js';

const STANDARD_TIMEOUT = '30s';

const VALUES: Readonly<Record<string, (inbox: Inbox, options: WaitOptions) => Promise<string>>> = {
  otp: (inbox, options) => inbox.waitForOtp(options),
  code: (inbox, options) => inbox.waitForCode(options),
  'magic-link': (inbox, options) => inbox.waitForMagicLink(options),
  link: (inbox, options) => inbox.waitForLink(options),
  json: async (inbox, options) => jsonText(await inbox.waitForEmail(options)),
};

export const wait: Command = {
  usage: 'wait ADDRESS [OPTIONS]',
  summary: 'Waits for an email and prints its code, its link or all of it.',
  description:
    'Waits for an email and prints it, or just the value that an option asks for. An email that has already arrived counts. If ' +
    'none arrives in time, the command exits with code 1 and says what arrived. On a terminal it shows the time waited.',
  switches: {
    otp: 'Waits for an email with a one-time code of 4 to 8 digits and prints the code.',
    code: 'Waits for an email with a code, which may contain letters, and prints the code.',
    'magic-link': 'Waits for an email with a verification or reset link and prints the link.',
    link: 'Waits for an email with an action link, such as an invitation, and prints the link.',
    json: 'Prints the email as a JSON object with all of its fields.',
  },
  options: {
    from: { placeholder: 'TEXT', description: 'Only an email whose sender contains this text, ignoring case.' },
    subject: { placeholder: 'TEXT', description: 'Only an email whose subject contains this text, ignoring case.' },
    body: { placeholder: 'TEXT', description: 'Only an email whose body contains this text, ignoring case.' },
    after: {
      placeholder: 'TIME',
      description:
        'Only an email received after this time, such as the receivedAt that --json prints for an earlier email.',
    },
    count: {
      placeholder: 'NUMBER',
      description:
        'Waits for this many emails and prints them, newest first. Fails if another arrives within a second. Can be combined with --otp, --magic-link and --json.',
    },
    timeout: {
      placeholder: 'TIME',
      description: `Longest time to wait, such as 500ms, 2m or 5 (seconds). Default: ${STANDARD_TIMEOUT}.`,
    },
    ...INBOX_OPTIONS,
  },
  maxOperands: 1,
  run: (invocation) =>
    withMayfly(invocation, async (mayfly) => {
      const inbox = inboxOf(mayfly, invocation);
      const waiting = waitedFor(inbox, invocation);
      process.stdout.write(`${await whileWaiting(`Waiting for an email to ${inbox}`, waiting)}\n`);
      return 0;
    }),
};

async function waitedFor(inbox: Inbox, { switches, options }: Invocation): Promise<string> {
  const [value, ...others] = switches;
  if (others.length > 0) throw new UsageError('Use only one of --otp, --code, --magic-link, --link and --json.');
  const waitOptions = {
    from: options.get('from'),
    subject: options.get('subject'),
    body: options.get('body'),
    after: parsed('after', options.get('after'), moment),
    timeout: parsed('timeout', options.get('timeout') ?? STANDARD_TIMEOUT, waitingTime),
  };
  const count = parsed('count', options.get('count'), countOfEmails);
  if (count !== undefined) return several(inbox, value, { ...waitOptions, count });
  const print = value === undefined ? undefined : VALUES[value];
  return print === undefined ? emailText(await inbox.waitForEmail(waitOptions)) : print(inbox, waitOptions);
}

async function several(inbox: Inbox, value: string | undefined, options: WaitForEmailsOptions): Promise<string> {
  if (value === 'otp' || value === 'magic-link') {
    const [field, flag] = value === 'otp' ? (['otp', 'hasOtp'] as const) : (['magicLink', 'hasMagicLink'] as const);
    return (await inbox.waitForEmails({ ...options, [flag]: true })).map((email) => email[field]).join('\n');
  }
  if (value === 'json') return jsonText(await inbox.waitForEmails(options));
  if (value !== undefined) throw new UsageError(`--count does not work with --${value}, which waits for one email.`);
  return (await inbox.waitForEmails(options)).map(emailText).join('\n');
}
