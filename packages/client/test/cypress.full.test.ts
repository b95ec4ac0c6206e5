import { afterEach, describe, expect, test, vi } from 'vitest';
import type { CypressInbox } from '../src/fixtures/cypress.js';
import { mayflyTasks } from '../src/fixtures/cypress-tasks.js';
import type { ReceivedEmail } from '../src/index.js';
import { inVain } from './in-vain.js';
import { serviceOfFile } from './service.js';

const service = await serviceOfFile();

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

type Command = (...args: unknown[]) => Promise<unknown>;

/**
 * Loads the browser side into a stand-in for Cypress: a registry of commands, and tasks whose arguments and results
 * pass through JSON, as between Cypress's browser and Node process. Runs neither a browser nor Cypress.
 */
async function loadCommands(tasks: object): Promise<{ commands: Record<string, Command>; timeouts: unknown[] }> {
  const commands: Record<string, Command> = {};
  const timeouts: unknown[] = [];
  const throughJson = (value: unknown) => JSON.parse(JSON.stringify(value));
  vi.stubGlobal('Cypress', {
    Commands: {
      add: (name: string, command: Command) => {
        commands[name] = command;
      },
    },
  });
  vi.stubGlobal('cy', {
    task: async (name: string, argument: unknown, options?: { timeout: number }) => {
      timeouts.push(options?.timeout);
      const task = (tasks as Record<string, (argument: unknown) => unknown>)[name];
      return throughJson(await task?.(throughJson(argument)));
    },
  });
  await import('../src/fixtures/cypress.js');
  return { commands, timeouts };
}

describe('the Cypress commands, with tasks on a real Mayfly', () => {
  test('create an inbox and wait for its email', async () => {
    const { commands, timeouts } = await loadCommands(mayflyTasks({ baseUrl: service.url }));
    const inbox = (await commands.createInbox?.({ prefix: 'cy' })) as CypressInbox;
    expect(inbox).toEqual({ name: expect.stringMatching(/^cy-/), address: `${inbox.name}@inbox.example.com` });

    await service.mail(inbox.name, { subject: 'Welcome' });
    const waiting = commands.waitForEmail?.(inbox, { subject: /^your CODE$/i, hasOtp: true, timeout: 5_000 });
    await service.mail(inbox.name, { subject: 'Your code', text: 'Your code is 482913' });
    const email = (await waiting) as ReceivedEmail;
    expect(email).toMatchObject({ subject: 'Your code', otp: '482913' });
    expect(email.receivedAt).toBeInstanceOf(Date);
    expect(timeouts).toEqual([undefined, 15_000]);

    const later = commands.waitForEmail?.(inbox.address, { after: email.receivedAt });
    await service.mail(inbox.name, { subject: 'Later' });
    expect(await later).toMatchObject({ subject: 'Later' });
  });

  test('yield the code and the link of an email as strings', async () => {
    const { commands, timeouts } = await loadCommands(mayflyTasks({ baseUrl: service.url }));
    await service.mail('codes', { subject: 'Your code', text: 'Your code is 482913' });
    await service.mail('codes', { subject: 'Sign in', text: 'Open https://app.test/verify?token=abc' });
    expect(await commands.waitForOtp?.('codes')).toBe('482913');
    expect(
      await commands.waitForMagicLink?.({ address: 'codes@inbox.example.com' }, { subject: /sign/i, timeout: 9_000 }),
    ).toBe('https://app.test/verify?token=abc');
    expect(timeouts).toEqual([undefined, 19_000]);
    expect(() => commands.waitForOtp?.('codes', { where: () => true })).toThrow('cy.waitForOtp: cannot pass "where"');
  });

  test('fail with the timeout error of the client if no email arrives', async () => {
    const { commands } = await loadCommands(mayflyTasks({ baseUrl: service.url }));
    await inVain(
      async (timeout) => commands.waitForEmail?.('nobody', { timeout }),
      ({ message }) =>
        expect(message).toMatch(/^Waited \d+ s for an email\. No email came to nobody@inbox\.example\.com/),
    );
  });

  test.each([{ where: () => true }, { signal: new AbortController().signal }])(
    'reject %o, which JSON cannot hold',
    async (options) => {
      const { commands } = await loadCommands({});
      expect(() => commands.waitForEmail?.('demo', options)).toThrow('to the Node process');
    },
  );

  test('fail outside of Cypress with an error that names Cypress', async () => {
    await expect(import('../src/fixtures/cypress.js')).rejects.toThrow('in the support file');
  });
});
