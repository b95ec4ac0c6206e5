import type { Inbox, WaitOptions } from 'mayfly-client';
import { duration } from '../settings/kinds.js';
import { SettingsError } from '../settings/reading.js';
import { inboxOf, WHERE, withMayfly } from './client.js';
import type { Command, Invocation } from './command.js';
import { emailText } from './email-text.js';

const STANDARD_TIMEOUT = '30s';

/** What to print of the email, by the switch that asks for it. */
const VALUES: Readonly<Record<string, (inbox: Inbox, options: WaitOptions) => Promise<string>>> = {
  otp: (inbox, options) => inbox.waitForOtp(options),
  code: (inbox, options) => inbox.waitForCode(options),
  'magic-link': (inbox, options) => inbox.waitForMagicLink(options),
  link: (inbox, options) => inbox.waitForLink(options),
  json: async (inbox, options) => JSON.stringify(await inbox.waitForEmail(options), null, 2),
};

export const wait: Command = {
  usage: 'wait ADDRESS [OPTIONS]',
  summary: 'Waits for an email and prints its code, its link or all of it.',
  description:
    'Waits for an email and prints it, or just the value that an option asks for. An email that has already arrived counts. If ' +
    `none arrives in time, it exits with code 1 and says what arrived instead. ${WHERE}`,
  settings: [],
  switches: {
    otp: 'Waits for an email with a one-time code of 4 to 8 digits and prints the code.',
    code: 'Waits for an email with a code, letters included, and prints the code.',
    'magic-link': 'Waits for an email with a verification or reset link and prints the link.',
    link: 'Waits for an email with a link that it asks to follow, such as an invitation, and prints the link.',
    json: 'Prints the email as a JSON object with all of its fields.',
  },
  options: {
    from: { placeholder: 'TEXT', description: 'Only an email whose sender contains this, ignoring case.' },
    subject: { placeholder: 'TEXT', description: 'Only an email whose subject contains this, ignoring case.' },
    timeout: {
      placeholder: 'TIME',
      description: `How long to wait at most, such as 500ms or 2m. Default: ${STANDARD_TIMEOUT}.`,
    },
  },
  maxOperands: 1,
  run: (invocation) =>
    withMayfly({}, async (mayfly) => {
      process.stdout.write(`${await waitedFor(inboxOf(mayfly, invocation), invocation)}\n`);
      return 0;
    }),
};

async function waitedFor(inbox: Inbox, { switches, options }: Invocation): Promise<string> {
  const [value, ...others] = switches;
  if (others.length > 0)
    throw new SettingsError('Only one of --otp, --code, --magic-link, --link and --json can be printed.');
  const waitOptions = { from: options.get('from'), subject: options.get('subject'), timeout: timeoutOf(options) };
  const print = value === undefined ? undefined : VALUES[value];
  return print === undefined ? emailText(await inbox.waitForEmail(waitOptions)) : print(inbox, waitOptions);
}

function timeoutOf(options: Invocation['options']): number | undefined {
  const text = options.get('timeout') ?? STANDARD_TIMEOUT;
  const timeoutMs = duration.parse(text);
  if (timeoutMs === undefined) throw new SettingsError(`--timeout: "${text}" is not valid: ${duration.rule}.`);
  return timeoutMs;
}
