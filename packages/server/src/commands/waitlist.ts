import { openConfiguredStore } from '../settings/configured-store.js';
import { type Command, type Invocation, settingsOfKeptStore } from './command.js';

export const waitlist: Command = {
  usage: 'waitlist [OPTIONS]',
  summary: 'Lists the addresses on the waitlist.',
  description:
    'Lists the addresses on the waitlist with the time each joined, in the order in which they joined. ' +
    'The service may be running.',
  settings: ['store'],
  switches: { json: 'Prints a JSON array of objects with "email" and "joinedAt".' },
  maxOperands: 0,
  run: listWaitlist,
};

async function listWaitlist({ settings: flags, switches, environment }: Invocation): Promise<number> {
  const settings = settingsOfKeptStore({ settings: flags, environment }, 'list');
  const { store } = await openConfiguredStore(settings, 'existing');
  try {
    const entries: { email: string; joinedAt: string }[] = [];
    for await (const { email, joinedAt } of store.waitlist()) {
      entries.push({ email, joinedAt: new Date(joinedAt).toISOString() });
    }
    const lines = entries.map(({ email, joinedAt }) => `${joinedAt}  ${email}\n`);
    process.stdout.write(switches.has('json') ? `${JSON.stringify(entries, null, 2)}\n` : lines.join(''));
  } finally {
    await store.close();
  }
  return 0;
}
