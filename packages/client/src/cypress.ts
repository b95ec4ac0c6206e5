import type { CreateInboxOptions } from './client.js';
import {
  CREATE_INBOX,
  type CypressInbox,
  type CypressWaitOptions,
  WAIT_FOR_EMAIL,
  wireOptions,
} from './cypress-wire.js';
import type { EmailData } from './email.js';
import { MayflyError } from './errors.js';
import { emailData } from './received-email.js';
import type { Email } from './wire.js';

/** The data of an email, without the methods of `ReceivedEmail` that send requests. */
export type CypressEmail = EmailData;

export type { CypressInbox, CypressWaitOptions };

/** How much longer Cypress waits for a task than the task waits for an email, so that its explanation arrives. */
const TASK_SLACK_MS = 10_000;

declare global {
  namespace Cypress {
    interface Chainable<Subject> {
      /** Yields a new inbox with an unguessable name. */
      createInbox(options?: CreateInboxOptions): Chainable<CypressInbox>;
      /** Waits for a matching email, in Cypress's Node process, and yields the newest. */
      waitForEmail(inbox: CypressInbox | string, options?: CypressWaitOptions): Chainable<CypressEmail>;
      /** Yields the code of the newest email that matches and has one. */
      waitForOtp(inbox: CypressInbox | string, options?: Omit<CypressWaitOptions, 'hasOtp'>): Chainable<string>;
      /** Yields the link of the newest email that matches and has one. */
      waitForMagicLink(
        inbox: CypressInbox | string,
        options?: Omit<CypressWaitOptions, 'hasMagicLink'>,
      ): Chainable<string>;
    }
  }
}

/** As much of Cypress as is used here, for its own types come with a package that downloads a browser. */
interface CypressGlobals {
  readonly Cypress?: { readonly Commands: { add(name: string, command: (...args: never[]) => unknown): void } };
  readonly cy: { task(name: string, argument: unknown, options?: { timeout: number }): Yielded };
}

interface Yielded {
  then(use: (value: Email) => unknown): unknown;
}

const globals = globalThis as unknown as CypressGlobals;
if (globals.Cypress === undefined) {
  throw new MayflyError(
    'mayfly-client/cypress belongs into the support file of Cypress. In its configuration use mayfly-client/cypress/tasks.',
  );
}

globals.Cypress.Commands.add('createInbox', (options: CreateInboxOptions = {}) =>
  globals.cy.task(CREATE_INBOX, options),
);

const { Commands } = globals.Cypress;
Commands.add('waitForEmail', (inbox: CypressInbox | string, options?: CypressWaitOptions) =>
  waited('waitForEmail', inbox, options, emailData),
);
Commands.add('waitForOtp', (inbox: CypressInbox | string, options?: CypressWaitOptions) =>
  waited('waitForOtp', inbox, { ...options, hasOtp: true }, ({ otp }) => otp),
);
Commands.add('waitForMagicLink', (inbox: CypressInbox | string, options?: CypressWaitOptions) =>
  waited('waitForMagicLink', inbox, { ...options, hasMagicLink: true }, ({ magicLink }) => magicLink),
);

/** Has the Node process wait for an email; `use` picks the part that the command yields. */
function waited(
  command: string,
  inbox: CypressInbox | string,
  options: CypressWaitOptions = {},
  use: (email: Email) => unknown,
): unknown {
  const { address, secret }: Pick<CypressInbox, 'address' | 'secret'> =
    typeof inbox === 'string' ? { address: inbox } : inbox;
  const { timeout } = options;
  const taskOptions = timeout === undefined ? [] : [{ timeout: timeout + TASK_SLACK_MS }];
  return globals.cy
    .task(WAIT_FOR_EMAIL, [address, wireOptions(command, options), ...(secret ? [secret] : [])], ...taskOptions)
    .then(use);
}
